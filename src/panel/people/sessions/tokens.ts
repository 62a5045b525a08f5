import { jwtVerify, SignJWT } from "jose";
import type { Seal } from "../../../kernel/seal.ts";
import type { Clock } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { minutes } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
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

/** A token whose signature is ours. */
interface Checked {
  claims: Claims;
  /** Seconds since 1970. */
  expires: number;
}

const ACCESS_TOKEN_MS = minutes(15);
/** Tokens in use at the same time whose signatures are not checked again; each takes half a kilobyte. */
const REMEMBERED = 20_000;

/** Signs and checks the panel's tokens: JWT, HS256, 15 minutes, renewable for 14 days. */
export interface Tokens {
  /** `isWsl` marks a session that the workspace's own sign-in began. */
  sign(claims: Claims, isWsl: boolean): Promise<string>;
  /** Null for anything that was not a token of ours in its time at `at` (milliseconds); with `whileExpired` its time is the refresh window. */
  verify(token: string, whileExpired: boolean, at: number): Promise<Claims | null>;
}

/**
 * Tokens under a key derived from the panel's own. That a signature is right is remembered, and nothing else: whether its session, its
 * member and its time are still good is looked at in every call.
 */
export function createTokens({ seal, clock }: { seal: Seal; clock: Clock }): Tokens {
  const key = seal.deriveKey("panel-token");
  const remembered = createExpiringMap<Checked>(clock, REMEMBERED);

  async function check(token: string): Promise<Checked | null> {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], currentDate: new Date(0) });
      const claims = readClaims(payload);
      return claims && payload.exp !== undefined ? { claims, expires: payload.exp } : null;
    } catch {
      return null;
    }
  }

  return {
    sign(claims, isWsl) {
      const issued = Math.floor(clock.now() / 1000);
      return new SignJWT({ ...claims, ...(isWsl ? { wsl: true } : {}) })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt(issued)
        .setExpirationTime(issued + ACCESS_TOKEN_MS / 1000)
        .sign(key);
    },
    async verify(token, whileExpired, at) {
      const name = sha256Hex(token);
      const known = remembered.get(name);
      const checked = known ?? (await check(token));
      if (!checked) return null;
      const tolerance = whileExpired ? (REFRESH_WINDOW_MS - ACCESS_TOKEN_MS) / 1000 : 0;
      if (checked.expires <= Math.floor(at / 1000) - tolerance) return null;
      if (!known) remembered.set(name, checked, ACCESS_TOKEN_MS);
      return checked.claims;
    },
  };
}

function readClaims(payload: unknown): Claims | null {
  if (!isRecord(payload)) return null;
  const { uid, tid, aid, role, sid } = payload;
  const isText = [uid, tid, aid, role, sid].every((value) => typeof value === "string");
  return isText ? { uid: String(uid), tid: String(tid), aid: String(aid), role: String(role), sid: String(sid) } : null;
}
