import type { Ids } from "../../../lib/ids.ts";
import type { SharedMap } from "../../../lib/shared-map.ts";
import type { RelyingParty } from "../../../shared/webauthn/index.ts";
import { fail } from "./contract.ts";

/** A question put to an authenticator; answered once, within five minutes. */
export interface Challenge extends RelyingParty {
  purpose: "register" | "sign-in";
  /** Who registers; null for a sign-in, where the answer tells. */
  user_id: string | null;
  /** base64url. */
  challenge: string;
}

/** Open challenges by the id that the client hands back. In memory: a restart ends them. */
export type Challenges = SharedMap<Challenge>;

export const MAX_CHALLENGES = 20_000;

/** Opens a challenge of whom `path` leads to, and returns the id to hand back with the answer. */
export function openChallenge(
  { ids, challenges }: { ids: Ids; challenges: Challenges },
  challenge: Challenge,
  path: readonly string[],
): string {
  const id = `wch_${ids.token(24)}`;
  challenges.set(id, challenge, path);
  return id;
}

/** Takes a challenge for judging; a second answer finds nothing. Throws `passkey_challenge_gone`. */
export function takeChallenge(
  { challenges }: { challenges: Challenges },
  id: string,
  purpose: Challenge["purpose"],
  userId: string | null,
): Challenge {
  const challenge = challenges.take(id);
  if (challenge?.purpose !== purpose || challenge.user_id !== userId) throw fail("passkey_challenge_gone");
  return challenge;
}
