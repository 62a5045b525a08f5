import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from "node:crypto";
import { EngineFailure } from "./failure.ts";

/** Bytes before and after what is encrypted. */
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const KIT_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const KIT_BYTES = 20;

/** The keys of a repository that its random key leads to. */
export interface Keys {
  /** Names chunks. */
  id: Uint8Array;
  /** Encrypts everything. */
  secret: Uint8Array;
  /** Says where chunks end. */
  gear: Uint8Array;
}

/** The repository's key under another one, as `config.json` has it; binary values are base64. */
export type WrappedKey =
  | { kind: "passphrase"; n: number; r: number; p: number; salt: string; wrapped: string }
  | { kind: "kit"; salt: string; wrapped: string };

/** Encrypts pieces of a text, one after the other, as `encrypt` does the whole; what it makes is in pieces, too. */
export function encryptPieces(
  key: Uint8Array,
  boundTo: Uint8Array | string,
  plain: readonly Uint8Array[],
): Uint8Array[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  const text = plain.map((piece) => cipher.update(piece));
  return [nonce, ...text, cipher.final(), cipher.getAuthTag()];
}

/** Encrypts with AES-256-GCM: nonce, text, tag. What it is bound to must be said again to open it. */
export const encrypt = (key: Uint8Array, boundTo: Uint8Array | string, plain: Uint8Array): Uint8Array =>
  Buffer.concat(encryptPieces(key, boundTo, [plain]));

/** Opens what `encrypt` made; null for anything else. */
export function decrypt(key: Uint8Array, boundTo: Uint8Array | string, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(end));
  try {
    const plain = decipher.update(sealed.subarray(NONCE_BYTES, end));
    // Adds nothing, in this mode, and throws where the tag is another one.
    decipher.final();
    return plain;
  } catch {
    return null;
  }
}

/** The keys that are made of a repository's own. */
export function deriveKeys(key: Uint8Array): Keys {
  const derive = (purpose: string) =>
    new Uint8Array(createHmac("sha256", key).update(`orrery-backup ${purpose}`).digest());
  return { id: derive("chunk id"), secret: derive("encryption"), gear: derive("gear") };
}

/** A key for the recovery kit, as it is printed: 32 letters and digits in groups of four. */
export function makeKitKey(): string {
  const letters = Array.from(randomBytes(32), (byte) => KIT_ALPHABET.charAt(byte % 32));
  return letters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** What was typed or scanned, without the hyphens that help to read it. */
const plainKit = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

const kitKey = (typed: string, salt: Uint8Array): Uint8Array =>
  createHmac("sha256", salt)
    .update(`orrery-backup kit ${plainKit(typed)}`)
    .digest();

const passphraseKey = (passphrase: string, salt: Uint8Array, { N, r, p }: { N: number; r: number; p: number }) =>
  scryptSync(passphrase.normalize("NFC"), salt, 32, { N, r, p, maxmem: SCRYPT.maxmem });

/** Puts a repository's key under a kit's and, where there is one, under a passphrase. */
export function wrapKey(key: Uint8Array, repository: string, kit: string, passphrase: string | null): WrappedKey[] {
  const seal = (wrapping: Uint8Array, kind: string) =>
    Buffer.from(encrypt(wrapping, `${repository} ${kind}`, key)).toString("base64");
  const salt = randomBytes(KIT_BYTES);
  const wrapped: WrappedKey[] = [
    { kind: "kit", salt: salt.toString("base64"), wrapped: seal(kitKey(kit, salt), "kit") },
  ];
  if (passphrase !== null) {
    const own = randomBytes(KIT_BYTES);
    const { N: n, r, p } = SCRYPT;
    const text = seal(passphraseKey(passphrase, own, SCRYPT), "passphrase");
    wrapped.push({ kind: "passphrase", n, r, p, salt: own.toString("base64"), wrapped: text });
  }
  return wrapped;
}

/** Opens a repository's key with what somebody typed: the kit's key or the passphrase. Throws `key_wrong`. */
export function unwrapKey(repository: string, wrapped: readonly WrappedKey[], typed: string): Uint8Array {
  for (const one of wrapped) {
    const salt = Buffer.from(one.salt, "base64");
    // A repository that somebody else wrote could ask for any amount of memory.
    if (one.kind === "passphrase" && (one.n !== SCRYPT.N || one.r !== SCRYPT.r || one.p !== SCRYPT.p)) continue;
    const wrapping = one.kind === "kit" ? kitKey(typed, salt) : passphraseKey(typed, salt, SCRYPT);
    const key = decrypt(wrapping, `${repository} ${one.kind}`, Buffer.from(one.wrapped, "base64"));
    if (key?.length === 32) return key;
  }
  throw new EngineFailure("key_wrong", "This is neither the passphrase nor the recovery key of this repository.");
}
