import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { CHALLENGE_MS, type RelyingParty } from "../../../shared/webauthn/index.ts";

const MAX_CHALLENGES = 20_000;

/** What an authenticator is asked for, and who may answer. */
export type Purpose =
  | { kind: "register" | "step-up"; session_id: string }
  /** Goes on from a password. */
  | { kind: "second-factor"; mfa_token: string }
  /** Takes the place of one. */
  | { kind: "passkey" };

/** A question put to an authenticator; answered once, within five minutes. */
export interface Challenge extends RelyingParty {
  purpose: Purpose;
  /** base64url. */
  challenge: string;
}

/** Open questions, in memory: a restart ends them. */
export interface Challenges {
  /** Gives the id to hand back with the answer; `whose` is the account that is asked, or the networks of a stranger, the widest first. */
  open(challenge: Challenge, whose: readonly string[]): string;
  /** Takes one for judging; a second answer finds nothing. */
  take(id: string, kind: Purpose["kind"]): Challenge | null;
  /** Takes one that only this session may answer; without id the last one. */
  takeOwn(id: string | undefined, kind: "register" | "step-up", sessionId: string): Challenge | null;
}

/** Nobody is asked anything. */
export function createChallenges({ clock, ids }: { clock: Clock; ids: Ids }): Challenges {
  const rules = { size: MAX_CHALLENGES, ttlMs: CHALLENGE_MS };
  const waiting = createSharedMap<Challenge>(clock, rules);
  /** Anybody may have these asked, which must push out none of those who proved something already. */
  const strangers = createSharedMap<Challenge>(clock, rules);
  /** The last question of each kind to each session, by both. */
  const last = createSharedMap<string>(clock, rules);
  const keyOf = (kind: string, sessionId: string): string => `${kind} ${sessionId}`;
  return {
    open(challenge, whose) {
      const id = `wch_${ids.token(24)}`;
      const { purpose } = challenge;
      const kept = purpose.kind === "passkey" ? strangers : waiting;
      kept.set(id, challenge, whose);
      if ("session_id" in purpose) last.set(keyOf(purpose.kind, purpose.session_id), id, whose);
      return id;
    },
    take(id, kind) {
      const open = kind === "passkey" ? strangers : waiting;
      return open.get(id)?.purpose.kind === kind ? open.take(id) : null;
    },
    takeOwn(id, kind, sessionId) {
      const asked = id ?? last.get(keyOf(kind, sessionId)) ?? "";
      const purpose = waiting.get(asked)?.purpose;
      const isOwn = purpose?.kind === kind && "session_id" in purpose && purpose.session_id === sessionId;
      return isOwn ? waiting.take(asked) : null;
    },
  };
}
