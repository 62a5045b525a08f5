/** Panel sign-in: people come in with their account on the panel, from its sign-in page or from the node's page there. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_panel_sign_in.sql" with { type: "text" };
import roleTold from "./migrations/0002_role_told.sql" with { type: "text" };
import { panelSignInRoutes } from "./routes.ts";

export const panelSignIn = defineContextFeature<NodeContext>({
  name: "panel-sign-in",
  migrations: [init, roleTold],
  errors: fail.table,
  routes: panelSignInRoutes,
});
