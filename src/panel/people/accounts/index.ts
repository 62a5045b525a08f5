/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { accountMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindAccountRoutes } from "./routes.ts";

export const accountsFeature = defineFeature({ name: "accounts", errors: fail.table, events: accountMeanings });

export function createAccounts(needs: Needs): Part {
  const { clock } = needs;
  const attempts = { account: createLimiter(clock, 5, minutes(15)), network: createLimiter(clock, 50, minutes(15)) };
  return { feature: accountsFeature, routes: [bindAccountRoutes({ ...needs, attempts })] };
}
