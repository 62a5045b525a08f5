/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createAttempts } from "./attempts.ts";
import { fail } from "./contract.ts";
import { accountMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindAccountRoutes } from "./routes.ts";

export const accountsFeature = defineFeature({ name: "accounts", errors: fail.table, events: accountMeanings });

export function createAccounts(needs: Needs): Part {
  return { feature: accountsFeature, routes: [bindAccountRoutes({ ...needs, attempts: createAttempts(needs.clock) })] };
}
