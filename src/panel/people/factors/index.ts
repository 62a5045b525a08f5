/** Second factors: an authenticator app, security keys and passkeys, recovery codes, and the sign-ins that wait for one. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { createChallenges } from "./challenges.ts";
import { type Claim, claimUnproven } from "./claim.ts";
import { type FactorAwaited, fail } from "./contract.ts";
import { factorMeanings } from "./events.ts";
import { factorLetters } from "./letters.ts";
import init from "./migrations/0001_factors.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { createPendingSignIns } from "./pending.ts";
import { resetFactors, takeFactors } from "./reset.ts";
import { bindFactorRoutes } from "./routes.ts";
import { awaitFactor } from "./sign-in.ts";
import { requireFreshProof } from "./step-up.ts";
import { countAllKeys, SELECT_FACTORS } from "./store.ts";
import { createTries } from "./tries.ts";

export { createFactorCommand, type FactorCommandNeeds } from "./commands.ts";

export const factorsFeature = defineFeature({
  name: "factors",
  migrations: [init],
  errors: fail.table,
  events: factorMeanings,
});

export interface Factors extends Part {
  /** Goes on from a right password to the second factor; null when the account has none. Part of the caller's transaction. */
  awaitFactor(tx: SystemTx, member: MembershipRow, passwordHash: string, ip: string): Promise<FactorAwaited | null>;
  /** Takes every second factor off an account and ends its sessions; false when there is no such account. */
  resetFactors(email: string): Promise<boolean>;
  /** The same in the caller's transaction, which holds the account still and tells of it. */
  takeFactors(tx: SystemTx, accountId: string): Promise<void>;
  /**
   * For whoever gets into an account by a link and not by a session of it: takes off what was added while its address was unproven; where
   * the link proves it, the account keeps only workspaces that are its owner's alone from then on. Tells of it. Part of the caller's
   * transaction, which holds the account still.
   */
  claimUnproven(tx: SystemTx, accountId: string, claim: Claim): Promise<void>;
  /** For what changes the ways into an account or a workspace, in its transaction. Throws `step_up_required`. */
  requireFreshProof(tx: SystemTx, actor: Actor): Promise<void>;
}

export function createFactors(needs: Needs): Factors {
  const own: Own = {
    ...needs,
    pending: createPendingSignIns(needs),
    challenges: createChallenges(needs),
    tries: createTries(needs.clock),
  };
  needs.lists.letters.add(factorLetters(needs));
  // Without them an account would be open to its passphrase alone.
  needs.lists.admissions.add({
    words: ["security key or passkey", "security keys and passkeys"],
    asked: null,
    count: countAllKeys,
    end: null,
  });
  for (const select of SELECT_FACTORS) needs.lists.accountRemains.add({ needs: select });
  return {
    feature: factorsFeature,
    routes: [bindFactorRoutes(own)],
    awaitFactor: (tx, member, passwordHash, ip) => awaitFactor(own, tx, member, passwordHash, ip),
    resetFactors: (email) => resetFactors(needs, email),
    takeFactors: (tx, accountId) => takeFactors(needs, tx, accountId),
    claimUnproven: (tx, accountId, claim) => claimUnproven(needs, tx, accountId, claim),
    requireFreshProof: (tx, actor) => requireFreshProof(needs, tx, actor),
  };
}
