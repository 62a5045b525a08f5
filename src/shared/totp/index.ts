/** One-time codes by time (RFC 6238) and recovery codes, whoever keeps them. */
import { createHmac } from "node:crypto";
import { encode } from "uqr";
import type { Ids } from "../../lib/ids.ts";

const STEP_MS = 30_000;
/** Codes one step older or newer count too, for clocks that are a little off. */
const WINDOW = 1;
/** Crockford base 32: no I, L, O or U. */
const RECOVERY_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RECOVERY_LENGTH = 10;

/** How many recovery codes are made at a time. */
export const RECOVERY_CODES = 10;

/** A secret as an authenticator app takes it. */
export interface TotpSecret {
  /** Base 32. */
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
  /** The QR code of the URI: one row a string, `1` is dark; without border. */
  qr: string[];
}

/** Loaded with the first code: the library brings hashes of its own, and most programs never see one. */
function loadLibrary(): typeof import("otpauth") {
  return require("otpauth");
}

/** A new secret for somebody, named as their app is to show it. */
export function makeTotpSecret(label: string, issuer: string): TotpSecret {
  const { Secret, TOTP } = loadLibrary();
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ issuer, label, secret }).toString();
  return { secret: secret.base32, uri, qr: drawQr(uri) };
}

function drawQr(text: string): string[] {
  return encode(text, { border: 0 }).data.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
}

/** The number of the 30-second step that a code belongs to, near `now` (milliseconds); null when it fits none. */
export function findTotpStep(secret: string, code: string, now: number): number | null {
  const { Secret, TOTP } = loadLibrary();
  const options = { token: code.trim(), secret: Secret.fromBase32(secret), window: WINDOW, timestamp: now };
  const delta = TOTP.validate(options);
  return delta === null ? null : Math.floor(now / STEP_MS) + delta;
}

/** The stored form of a recovery code, under a key of the program; spelling variants of what was printed give the same. */
export function hashRecoveryCode(key: Uint8Array, code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return createHmac("sha256", key).update(plain).digest("hex");
}

/** A recovery code as people write it: two groups of five letters and digits, 50 random bits. */
export function makeRecoveryCode(ids: Pick<Ids, "code">): string {
  const text = ids.code(RECOVERY_LENGTH, RECOVERY_ALPHABET);
  return `${text.slice(0, RECOVERY_LENGTH / 2)}-${text.slice(RECOVERY_LENGTH / 2)}`;
}
