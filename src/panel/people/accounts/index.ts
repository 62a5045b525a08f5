/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { accountMeanings } from "./events.ts";
import { accountRoutes } from "./routes.ts";

export const accounts = defineContextFeature({
  name: "accounts",
  errors: fail.table,
  routes: accountRoutes,
  events: accountMeanings,
});
