/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { accountRoutes } from "./routes.ts";

export const accounts = defineFeature<PanelContext>({
  name: "accounts",
  requires: ["audit", "tenants", "sessions", "workspace-settings"],
  errors: fail.table,
  routes: accountRoutes,
});
