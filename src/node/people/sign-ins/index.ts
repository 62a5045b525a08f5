/** Sign-ins: what all ways in share once identity is proven — the session, its tokens, cookies and attempt counts. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { type Asker, givingBack, verifyPassword } from "../../../shared/password/index.ts";
import type { IssuedSession, Origin } from "../sessions/index.ts";
import { fail, type SignInMethod } from "./contract.ts";
import { signInMeanings } from "./events.ts";
import { continueSignIn, finishSignIn, giveAttemptBack, type SignIn, takeAttempt } from "./finish.ts";
import type { Needs } from "./needs.ts";

export { fail as signInFail, type SignInEvents } from "./contract.ts";
export { ACCESS_COOKIE, HINT_COOKIE, REFRESH_COOKIE, readAccessToken } from "./credentials.ts";
export {
  clearCookies,
  deliverSession,
  deliverTokens,
  originOf,
  type SignIn,
  takeAttempt,
} from "./finish.ts";

export const signInsFeature = defineFeature({ name: "sign-ins", events: signInMeanings, errors: fail.table });

/** What every way in uses. */
export interface SignIns extends Part {
  /**
   * Counts one try of an address to prove something secret: 5 in 15 minutes, shared by every way to prove one. Throws
   * `too_many_requests`.
   */
  takeAttempt(ip: string): void;
  /** Takes back the count of a try that succeeded. */
  giveAttemptBack(ip: string): void;
  /**
   * Whether a password is the one of `hash`, as a try that was counted for the address: given back where it is not compared at all. Throws
   * `too_many_requests`.
   */
  comparePassword(ip: string, asker: Asker, password: string, hash: string | null): Promise<boolean>;
  /**
   * Starts a session for a user whose identity has been proven in full. `letInBy` is the paired device without which it could not have been
   * proven: the session ends with it. Throws `unauthorized`.
   */
  finish(userId: string, origin: Origin, method: SignInMethod, letInBy: string | null): SignIn;
  /** A new access token for a session that goes on. Throws `unauthorized` when the account is gone or disabled. */
  goOn(issued: IssuedSession): SignIn;
}

export function createSignIns(needs: Needs): SignIns {
  const attempts = createLimiter(needs.clock, 5, minutes(15));
  return {
    feature: signInsFeature,
    takeAttempt: (ip) => takeAttempt(attempts, ip),
    giveAttemptBack: (ip) => giveAttemptBack(attempts, ip),
    comparePassword: (ip, asker, password, hash) =>
      givingBack(verifyPassword(password, hash, asker), () => giveAttemptBack(attempts, ip)),
    finish: (userId, origin, method, letInBy) => finishSignIn(needs, userId, origin, method, letInBy),
    goOn: (issued) => continueSignIn(needs, issued),
  };
}
