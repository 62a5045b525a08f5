/** Accounts: registering, signing in with a password, the own profile and the own password. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { createAttempts } from "./attempts.ts";
import { fail } from "./contract.ts";
import { accountMeanings } from "./events.ts";
import type { Visitor } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { type AccountProof, proveByPassword, proveBySession, stillHolds } from "./prove.ts";
import { bindAccountRoutes } from "./routes.ts";

export type { AccountProof } from "./prove.ts";

export const accountsFeature = defineFeature({ name: "accounts", errors: fail.table, events: accountMeanings });

export interface Accounts extends Part {
  /** By the password of the account with this address; null for a wrong one. Tries are counted with those of signing in. */
  proveByPassword(visitor: Visitor, email: string, password: string): Promise<AccountProof | null>;
  /** By a session of the account that a request brings; null for none. */
  proveBySession(request: Request): Promise<AccountProof | null>;
  /** Whether a proof still holds; asked in the transaction that relies on it, which holds the account still. */
  stillHolds(tx: SystemTx, proof: AccountProof): Promise<boolean>;
}

export function createAccounts(needs: Needs): Accounts {
  const own = { ...needs, attempts: createAttempts(needs.clock) };
  return {
    feature: accountsFeature,
    routes: [bindAccountRoutes(own)],
    proveByPassword: (visitor, email, password) => proveByPassword(own, visitor, email, password),
    proveBySession: (request) => proveBySession(own, request),
    stillHolds: (tx, proof) => stillHolds(own, tx, proof),
  };
}
