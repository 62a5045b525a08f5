/** TOTP: the second factor, its recovery codes and the logins that wait for it. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Actor } from "../../actor.ts";
import { fail, type Proof } from "./contract.ts";
import { totpMeanings } from "./events.ts";
import { assertProof, awaitSecondFactor, isTotpOn, type PasswordOutcome } from "./logic.ts";
import init from "./migrations/0001_totp.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { createPendingLogins } from "./pending-logins.ts";
import { bindTotpRoutes } from "./routes.ts";

export { forgetSecondFactor, type PasswordOutcome } from "./logic.ts";

export const totpFeature = defineFeature({
  name: "totp",
  events: totpMeanings,
  migrations: [init],
  errors: fail.table,
});

/** The second factor of the accounts of this node. */
export interface Totp extends Part {
  /** True when the account asks for a second factor. */
  isOn(userId: string): boolean;
  /**
   * Starts a login that waits for its second factor and returns its temp token. It ends as soon as `holds` says that its
   * first factor is worth nothing any more; `letInBy` is the paired device that the first factor ends with.
   */
  begin(userId: string, holds: () => boolean, letInBy: string | null): string;
  /** Asks the signed-in user to prove themselves again. Throws `proof_required`, `proof_wrong`, `too_many_requests`. */
  assertProof(actor: Actor, proof: Proof, ip: string, left: AbortSignal): Promise<void>;
  /** Goes on from a password that was right to the second factor; another password in between ends it. */
  awaitCode(account: { id: string; username: string }): Extract<PasswordOutcome, { status: "totp_required" }>;
}

export function createTotp(needs: Needs): Totp {
  const own: Own = { ...needs, pendingLogins: createPendingLogins(needs.clock, needs.ids) };
  return {
    feature: totpFeature,
    isOn: (userId) => isTotpOn(own, userId),
    begin: own.pendingLogins.begin,
    assertProof: (actor, proof, ip, left) => assertProof(own, actor, proof, ip, left),
    awaitCode: (account) => awaitSecondFactor(own, account),
    routes: [bindTotpRoutes(own)],
  };
}
