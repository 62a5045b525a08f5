/** Workspaces: which ones an account is in, making one, moving between them and leaving. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { workspaceRoutes } from "./routes.ts";

export const workspaces = defineContextFeature<PanelContext>({
  name: "workspaces",
  errors: fail.table,
  routes: workspaceRoutes,
});
