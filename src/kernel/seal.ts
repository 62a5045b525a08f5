import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Seals secrets for storage: AES-256-GCM, the purpose bound in as additional data so that rows cannot be swapped. */
export interface Seal {
  /** Returns `v1.` + base64url of nonce, tag and cipher text. */
  seal(purpose: string, plain: string): string;
  /** Throws when the text was not sealed for `purpose` under this key, or is not to the letter what `seal` returned. */
  open(purpose: string, sealed: string): string;
  /** A stable 32-byte key for one purpose of the program, for example signing tokens. Shared: not to be changed. */
  deriveKey(purpose: string): Uint8Array;
}

const OTHER_KEY =
  "a secret in the database was sealed under another key than the one in this data folder; bring back the key file that belongs to this database";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A seal under a 32-byte master key. */
export function createSeal(key: Uint8Array): Seal {
  const derived = new Map<string, Uint8Array>();
  return {
    seal(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(purpose),
      );
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(purpose, sealed) {
      if (!sealed.startsWith("v1.")) throw new Error("unknown seal version");
      const text = sealed.slice(3);
      const raw = Buffer.from(text, "base64url");
      // Decoding passes over what is no base64url, and the same bytes can be written in several ways.
      if (raw.toString("base64url") !== text) throw new Error("the sealed text is not as it was given out");
      // A shorter tag would be a weaker proof, so its length is not left to the sealed text.
      if (raw.length < NONCE_BYTES + TAG_BYTES) throw new Error("the sealed text is cut short");
      const decipher = createDecipheriv("aes-256-gcm", key, raw.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      }).setAAD(Buffer.from(purpose));
      decipher.setAuthTag(raw.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const plain = decipher.update(raw.subarray(NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new Error(OTHER_KEY, { cause });
      }
    },
    deriveKey(purpose) {
      const known = derived.get(purpose);
      if (known) return known;
      const made = new Bun.CryptoHasher("sha256", key).update(`orrery:${purpose}`).digest();
      derived.set(purpose, made);
      return made;
    },
  };
}

/** A seal of the secrets in one kind of rows, each of which opens what was sealed for itself alone. */
export interface RowSeal {
  seal(id: string, plain: string): string;
  /** Throws as the seal does. What was sealed for the kind alone, before rows were told apart, opens until it is written anew. */
  open(id: string, sealed: string): string;
}

/** Seals the rows of a kind, `purpose`, by their ids. */
export function sealRows(seal: Seal, purpose: string): RowSeal {
  const of = (id: string): string => `${purpose}.${id}`;
  return {
    seal: (id, plain) => seal.seal(of(id), plain),
    open(id, sealed) {
      try {
        return seal.open(of(id), sealed);
      } catch {
        return seal.open(purpose, sealed);
      }
    },
  };
}

/**
 * Reads the key file. When there is none it is made (mode 0600) if `mayCreate`. Throws when it is damaged, or missing
 * beside data that was sealed under it: a new key would lose that data without a word.
 */
export function loadSealKey(path: string, mayCreate: boolean): Uint8Array {
  if (!existsSync(path) && !mayCreate) {
    throw new Error(`${path} is missing, and the data beside it is sealed under it; restore it from the recovery kit`);
  }
  if (!existsSync(path)) writeKeyFile(path, `${randomBytes(32).toString("base64")}\n`);
  chmodSync(path, 0o600);
  return parseSealKey(readFileSync(path, "utf8"), path);
}

/** The key in what a key file holds; `path` names it. Throws when there is none. */
export function parseSealKey(content: string, path: string): Uint8Array {
  const text = content.trim();
  const key = Buffer.from(text, "base64");
  if (key.length !== 32 || key.toString("base64") !== text) {
    throw new Error(`${path} does not hold a 32-byte key; restore it from the recovery kit`);
  }
  return key;
}

/** Puts the file there whole and on disk, or not at all: secrets sealed under a key that a power cut took are lost. */
function writeKeyFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, "w", 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(fresh, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}
