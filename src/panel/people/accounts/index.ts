/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { accountRoutes } from "./routes.ts";

export const accounts = defineContextFeature<PanelContext>({
  name: "accounts",
  errors: fail.table,
  routes: accountRoutes,
});
