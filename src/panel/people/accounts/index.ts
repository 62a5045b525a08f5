/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createAttempts } from "./attempts.ts";
import { fail } from "./contract.ts";
import { accountMeanings } from "./events.ts";
import { provePassword, type Visitor } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { bindAccountRoutes } from "./routes.ts";

export const accountsFeature = defineFeature({ name: "accounts", errors: fail.table, events: accountMeanings });

export interface Accounts extends Part {
  /** True for the password of the account with this address, in small letters. Tries are counted with those of signing in. */
  provePassword(visitor: Visitor, email: string, password: string): Promise<boolean>;
}

export function createAccounts(needs: Needs): Accounts {
  const own = { ...needs, attempts: createAttempts(needs.clock) };
  return {
    feature: accountsFeature,
    routes: [bindAccountRoutes(own)],
    provePassword: (visitor, email, password) =>
      provePassword(own, visitor, { email, password }).then((found) => found !== null),
  };
}
