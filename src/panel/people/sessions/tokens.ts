import { jwtVerify, SignJWT } from "jose";
import type { Seal } from "../../../kernel/seal.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { isRecord } from "../../../lib/json.ts";
import { REFRESH_WINDOW_MS } from "./renewal-cookie.ts";

/** What a token says. */
export interface Claims {
  /** Membership, workspace, account. */
  uid: string;
  tid: string;
  aid: string;
  role: string;
  sid: string;
}

const ACCESS_TOKEN_MS = minutes(15);

/** Signs and checks the panel's tokens: JWT, HS256, 15 minutes, renewable for 14 days. */
export interface Tokens {
  /** `isWsl` marks a session that the workspace's own sign-in began. */
  sign(claims: Claims, isWsl: boolean): Promise<string>;
  /** Null for anything that is not a token of ours in its time; with `whileExpired` its time is the refresh window. */
  verify(token: string, whileExpired: boolean): Promise<Claims | null>;
}

/** Tokens under a key derived from the panel's own. */
export function createTokens({ seal, clock }: { seal: Seal; clock: Clock }): Tokens {
  const key = seal.deriveKey("panel-token");
  return {
    sign(claims, isWsl) {
      const issued = Math.floor(clock.now() / 1000);
      return new SignJWT({ ...claims, ...(isWsl ? { wsl: true } : {}) })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt(issued)
        .setExpirationTime(issued + ACCESS_TOKEN_MS / 1000)
        .sign(key);
    },
    async verify(token, whileExpired) {
      const tolerance = whileExpired ? (REFRESH_WINDOW_MS - ACCESS_TOKEN_MS) / 1000 : 0;
      try {
        const options = { algorithms: ["HS256"], currentDate: new Date(clock.now()), clockTolerance: tolerance };
        return readClaims((await jwtVerify(token, key, options)).payload);
      } catch {
        return null;
      }
    },
  };
}

function readClaims(payload: unknown): Claims | null {
  if (!isRecord(payload)) return null;
  const { uid, tid, aid, role, sid } = payload;
  const isText = [uid, tid, aid, role, sid].every((value) => typeof value === "string");
  return isText ? { uid: String(uid), tid: String(tid), aid: String(aid), role: String(role), sid: String(sid) } : null;
}
