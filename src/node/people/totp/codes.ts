import { createHmac } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import type { Needs } from "./needs.ts";
import { claimStep, deleteRecoveryCode, findTotp, type TotpRow } from "./store.ts";

export type CodeNeeds = Pick<Needs, "db" | "clock" | "seal">;

const STEP_MS = 30_000;
/** Codes one step older or newer count too, for clocks that are a little off. */
const WINDOW = 1;
const PURPOSE = "totp";
/** Crockford base 32: no I, L, O or U. */
const RECOVERY_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RECOVERY_LENGTH = 10;

/** A new secret, sealed for the database and as an app takes it. */
export function makeSecret({ seal }: Pick<Needs, "seal">, username: string, issuer: string) {
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ issuer, label: username, secret }).toString();
  return { sealed: seal.seal(PURPOSE, secret.base32), secret: secret.base32, uri, qr: drawQr(uri) };
}

/** The QR code of a text: one row a string, `1` is dark; without border. */
function drawQr(text: string): string[] {
  return encode(text, { border: 0 }).data.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
}

/** Accepts a TOTP code of the row's secret at most once, within one step of now. */
export function acceptTotpCode({ db, clock, seal }: CodeNeeds, row: TotpRow, code: string): boolean {
  const secret = Secret.fromBase32(seal.open(PURPOSE, row.secret));
  const now = clock.now();
  const delta = TOTP.validate({ token: code.trim(), secret, window: WINDOW, timestamp: now });
  return delta !== null && claimStep(db, row.user_id, Math.floor(now / STEP_MS) + delta);
}

/** The stored form of a recovery code; spelling variants of what was printed give the same. */
export function hashRecoveryCode({ seal }: Pick<Needs, "seal">, code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return createHmac("sha256", seal.deriveKey("recovery-code")).update(plain).digest("hex");
}

/** A recovery code as people write it: two groups of five letters and digits, 50 random bits. */
export function makeRecoveryCode({ ids }: Pick<Needs, "ids">): string {
  const text = ids.code(RECOVERY_LENGTH, RECOVERY_ALPHABET);
  return `${text.slice(0, RECOVERY_LENGTH / 2)}-${text.slice(RECOVERY_LENGTH / 2)}`;
}

/** Uses up a code of an account that has TOTP on; tells which kind it was, or null when it is not good. */
export function useCode(needs: CodeNeeds, userId: string, code: string): "totp" | "recovery_code" | null {
  const row = findTotp(needs.db, userId);
  if (!row || row.enabled_at === null) return null;
  if (acceptTotpCode(needs, row, code)) return "totp";
  return deleteRecoveryCode(needs.db, userId, hashRecoveryCode(needs, code)) ? "recovery_code" : null;
}
