import { networkOf } from "../../../kernel/http/peer.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Ids } from "../../../lib/ids.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";

const LIFETIME_MS = minutes(5);
const MAX_TRIES = 5;
const MAX_PENDING = 20_000;

/** A sign-in whose password was right and whose second factor is awaited. */
export interface PendingSignIn {
  token: string;
  account_id: string;
  /** The membership that it would lead to. */
  member_id: string;
  /** What the password was compared with: another one in between ends the sign-in. */
  password_hash: string;
  network: string;
  tries: number;
}

/** Kept in memory: a restart ends them, and whoever was in the middle begins anew. */
export interface PendingSignIns {
  begin(of: Pick<PendingSignIn, "account_id" | "member_id" | "password_hash">, ip: string): PendingSignIn;
  /** One that can still be tried; null when there is none. */
  find(token: string): PendingSignIn | null;
  /** The latest one of a membership, begun in the network of this address; null when there is none. */
  findOf(memberId: string, ip: string): PendingSignIn | null;
  /** Counts a try before it is judged. False when there were too many: then it has ended. */
  tryOnce(signIn: PendingSignIn): boolean;
  /** Ends it; of several that finish it at once only the first hears true. */
  finish(signIn: PendingSignIn): boolean;
}

/** No sign-in waits. */
export function createPendingSignIns({ clock, ids }: { clock: Clock; ids: Ids }): PendingSignIns {
  const waiting = createSharedMap<PendingSignIn>(clock, { size: MAX_PENDING, ttlMs: LIFETIME_MS });
  return {
    begin(of, ip) {
      const signIn = { ...of, token: `mfa_${ids.token(32)}`, network: networkOf(ip), tries: 0 };
      waiting.set(signIn.token, signIn, [of.account_id]);
      return signIn;
    },
    find: waiting.get,
    findOf(memberId, ip) {
      const network = networkOf(ip);
      return waiting.values().findLast((each) => each.member_id === memberId && each.network === network) ?? null;
    },
    tryOnce(signIn) {
      signIn.tries += 1;
      if (signIn.tries <= MAX_TRIES) return true;
      waiting.take(signIn.token);
      return false;
    },
    finish: ({ token }) => waiting.take(token) !== null,
  };
}
