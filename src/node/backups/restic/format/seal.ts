import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { poly1305 } from "@noble/ciphers/_poly1305.js";
import { damaged, overLimit } from "./failure.ts";

const IV_BYTES = 16;
const MAC_BYTES = 16;
/** What encryption adds to a text. */
export const SEAL_BYTES = IV_BYTES + MAC_BYTES;
/** Nothing in a repository is read that is larger, packed or unpacked, but packs, of which pieces are read. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** A key of a repository or of a password. */
export interface ResticKey {
  /** 32 bytes, of AES-256. */
  encrypt: Uint8Array;
  /** 16 bytes each: the key of AES that makes the second half of a one-time key out of an IV, and the first half. */
  macK: Uint8Array;
  macR: Uint8Array;
}

/** Poly1305-AES: AES makes the second half of a one-time key out of the IV. */
function macOf({ macK, macR }: ResticKey, iv: Uint8Array, text: Uint8Array): Uint8Array {
  const cipher = createCipheriv("aes-128-ecb", macK, null).setAutoPadding(false);
  return poly1305(text, Buffer.concat([macR, cipher.update(iv), cipher.final()]));
}

/** Opens what restic sealed: IV, text, MAC. Null for anything else. */
export function openSealed(key: ResticKey, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < SEAL_BYTES) return null;
  const iv = sealed.subarray(0, IV_BYTES);
  const text = sealed.subarray(IV_BYTES, sealed.length - MAC_BYTES);
  if (!timingSafeEqual(macOf(key, iv, text), sealed.subarray(sealed.length - MAC_BYTES))) return null;
  return createDecipheriv("aes-256-ctr", key.encrypt, iv).update(text);
}

export const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** Unpacks zstd, up to `most` bytes. */
export function unpack(packed: Uint8Array, most: number, name: string): Uint8Array {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: most });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw overLimit(`${name} is larger than ${most} bytes when it is unpacked`);
    throw damaged(`${name} cannot be unpacked`);
  }
}

const BRACE = 0x7b;
const BRACKET = 0x5b;
const IS_PACKED = 2;

/** What a file of a repository, that is no pack, holds. Its name is the sum of its bytes. Throws `restic_damaged` and `restic_limit`. */
export function openFile(key: ResticKey, name: string, bytes: Uint8Array, most = MOST_BYTES): Uint8Array {
  if (sha256(bytes).toString("hex") !== name.slice(name.lastIndexOf("/") + 1))
    throw damaged(`${name} has another sum than its name says`);
  return openNamed(key, name, bytes, most);
}

/** The same of a file whose name is a word. */
export function openNamed(key: ResticKey, name: string, bytes: Uint8Array, most = MOST_BYTES): Uint8Array {
  const plain = openSealed(key, bytes);
  if (plain === null) throw damaged(`${name} is not as it was written`);
  const [first] = plain;
  if (first === undefined || first === BRACE || first === BRACKET) return plain;
  if (first !== IS_PACKED) throw damaged(`${name} is packed in an unknown way`);
  return unpack(plain.subarray(1), most, name);
}
