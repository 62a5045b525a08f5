import { createHmac } from "node:crypto";
import { jwtVerify } from "jose";
import { minutes } from "../../../lib/duration.ts";
import type { Needs } from "./needs.ts";

/** What an access token says. */
export interface AccessClaims {
  user_id: string;
  session_id: string | null;
  /** Milliseconds since 1970. */
  expires_at: number;
}

const ACCESS_TOKEN_MS = minutes(15);
/** How far ahead of the clock a token may end beyond its lifetime: clocks are put right by little all the time. */
const LEEWAY_MS = minutes(1);
const CACHE_SIZE = 2_000;
const HEADER = Buffer.from('{"alg":"HS256"}').toString("base64url");

/** Signs and checks access tokens (JWT, HS256, 15 minutes). */
export interface AccessTokens {
  sign(userId: string, sessionId: string): string;
  /** Null for anything that is not a valid, unexpired token of ours. */
  verify(token: string): Promise<AccessClaims | null>;
  /** What `verify` gives for a token whose signature was checked before; null for every other one, good or not. */
  recall(token: string): AccessClaims | null;
  /** The session of a token of ours, run out or not: for who wants to end it. */
  sessionOf(token: string): Promise<string | null>;
}

/** Access tokens under a key derived from the node's own; checked signatures are remembered for their lifetime. */
export function createAccessTokens({ seal, clock }: Pick<Needs, "seal" | "clock">): AccessTokens {
  const key = seal.deriveKey("access-token");
  const checked = new Map<string, AccessClaims>();

  /** Over is also what was signed while the clock was wrong and would outlive its fifteen minutes. */
  function isOver({ expires_at }: AccessClaims): boolean {
    const left = expires_at - clock.now();
    return left <= 0 || left > ACCESS_TOKEN_MS + LEEWAY_MS;
  }

  async function check(token: string, now: number): Promise<AccessClaims | null> {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], currentDate: new Date(now) });
      const { sub, sid, exp } = payload;
      if (sub === undefined || exp === undefined) return null;
      return { user_id: sub, session_id: typeof sid === "string" ? sid : null, expires_at: exp * 1000 };
    } catch {
      return null;
    }
  }

  return {
    sign(userId, sessionId) {
      const iat = Math.floor(clock.now() / 1000);
      const claims = { sid: sessionId, sub: userId, iat, exp: iat + ACCESS_TOKEN_MS / 1000 };
      const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      // By hand: the library would hand each of these few bytes to another thread and take them back.
      return `${content}.${createHmac("sha256", key).update(content).digest("base64url")}`;
    },
    recall(token) {
      const known = checked.get(token);
      return known !== undefined && !isOver(known) ? known : null;
    },
    sessionOf: async (token) => (await check(token, 0))?.session_id ?? null,
    async verify(token) {
      const known = checked.get(token);
      const claims = known ?? (await check(token, clock.now()));
      if (!claims || isOver(claims)) {
        checked.delete(token);
        return null;
      }
      if (!known) {
        const oldest = checked.keys().next();
        if (checked.size >= CACHE_SIZE && !oldest.done) checked.delete(oldest.value);
        checked.set(token, claims);
      }
      return claims;
    },
  };
}
