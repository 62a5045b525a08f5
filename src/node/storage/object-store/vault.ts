import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/**
 * How bytes lie when they are encrypted: a head, then frames of AES-256-GCM one after the other, each with its tag. The head names the
 * key that it takes and holds a salt of 256 random bits; the frames are encrypted under a key that is made of both, which nothing else
 * ever has. So the number of a frame can be its nonce, and no nonce comes twice with a key, whatever a crash or an old copy brings back.
 */
const FRAME_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SALT_BYTES = 32;
const KEY_ID_BYTES = 8;
const STORED_FRAME = FRAME_BYTES + TAG_BYTES;
const CIPHER = "aes-256-gcm";

/** How long the head is that stands before the frames. */
export const VAULT_HEAD_BYTES = KEY_ID_BYTES + SALT_BYTES;

const framesOf = (size: number): number => Math.max(1, Math.ceil(size / FRAME_BYTES));

/** How many bytes are written for that many. */
export const sealedSize = (size: number): number => VAULT_HEAD_BYTES + size + framesOf(size) * TAG_BYTES;

/** How many bytes that many written ones stand for. */
export function plainSize(written: number): number {
  const body = written - VAULT_HEAD_BYTES;
  return body - Math.ceil(body / STORED_FRAME) * TAG_BYTES;
}

/** Frames of encrypted bytes, from `first` on, `count` of them, and where they lie after the beginning of the head. */
export interface Frames {
  first: number;
  count: number;
  offset: number;
  bytes: number;
}

/** Which of the frames of `size` bytes hold some from `start` on, at most `length` of them. */
export function framesAt(size: number, start: number, length: number): Frames {
  const first = Math.floor(start / FRAME_BYTES);
  const last = Math.max(first, Math.ceil((start + length) / FRAME_BYTES) - 1);
  const offset = VAULT_HEAD_BYTES + first * STORED_FRAME;
  const end = Math.min(sealedSize(size), VAULT_HEAD_BYTES + (last + 1) * STORED_FRAME);
  return { first, count: last - first + 1, offset, bytes: end - offset };
}

/** Where the first byte of a frame stands among those that are encrypted. */
export const startOfFrame = (index: number): number => index * FRAME_BYTES;

/** Encrypts bytes as they come. */
export interface Sealer {
  /** What can be written by now. */
  add(bytes: Uint8Array): Uint8Array[];
  /** The rest; there is nothing to add after it. */
  end(): Uint8Array[];
}

/** Reads frames of something encrypted, in any order. */
export interface Opener {
  /** Bytes of whole frames, decrypted. Null where one is not what was written; with `isTrusting` they are told as they are. */
  open(frames: Frames, stored: Uint8Array, isTrusting?: boolean): Buffer | null;
}

/** Encrypts what is stored. `about` is what the bytes are, and is bound in: they open under the same words alone. */
export interface Vault {
  /** Names its key and says nothing of it. */
  id: string;
  seal(about: string, bytes: Uint8Array): Buffer;
  /** Null for what is not whole, or not what was written under these words. */
  open(about: string, stored: Uint8Array): Buffer | null;
  sealer(about: string): Sealer;
  /** For bytes of that size with this head. Null where the head names another key. */
  opener(about: string, size: number, head: Uint8Array): Opener | null;
}

/** The number of the frame, and whether it is the last: what is cut off at a frame does not pass for the whole. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 0);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** A vault with a key of 32 bytes. */
export function createVault(key: Uint8Array): Vault {
  const made = (words: string | Uint8Array) => new Bun.CryptoHasher("sha256", key).update(words).digest();
  const id = made("orrery:object-store:id").subarray(0, KEY_ID_BYTES);

  function begin(about: string) {
    const salt = randomBytes(SALT_BYTES);
    return { head: Buffer.concat([id, salt]), key: made(salt), about: Buffer.from(about) };
  }

  function sealFrame(of: ReturnType<typeof begin>, index: number, isLast: boolean, parts: Uint8Array[]): Uint8Array[] {
    const cipher = createCipheriv(CIPHER, of.key, nonceOf(index, isLast), { authTagLength: TAG_BYTES }).setAAD(
      of.about,
    );
    const written: Uint8Array[] = parts.map((part) => cipher.update(part));
    cipher.final();
    written.push(cipher.getAuthTag());
    return written;
  }

  function sealer(about: string): Sealer {
    const of = begin(about);
    let out: Uint8Array[] = [of.head];
    let held: Uint8Array[] = [];
    let heldBytes = 0;
    let index = 0;

    function take(): Uint8Array[] {
      const made = out;
      out = [];
      return made;
    }

    return {
      add(bytes) {
        let rest = bytes;
        // The last frame is told apart, so the last whole one waits until more comes.
        while (heldBytes + rest.length > FRAME_BYTES) {
          const missing = FRAME_BYTES - heldBytes;
          held.push(rest.subarray(0, missing));
          rest = rest.subarray(missing);
          out.push(...sealFrame(of, index, false, held));
          index += 1;
          held = [];
          heldBytes = 0;
        }
        held.push(rest);
        heldBytes += rest.length;
        return take();
      },
      end() {
        out.push(...sealFrame(of, index, true, held));
        return take();
      },
    };
  }

  function opener(about: string, size: number, head: Uint8Array): Opener | null {
    if (head.length < VAULT_HEAD_BYTES || !id.equals(head.subarray(0, KEY_ID_BYTES))) return null;
    const own = made(head.subarray(KEY_ID_BYTES, VAULT_HEAD_BYTES));
    const words = Buffer.from(about);
    const last = framesOf(size) - 1;
    return {
      open({ first, count, bytes }, stored, isTrusting = false) {
        if (stored.length < bytes) return null;
        const parts: Buffer[] = [];
        for (let step = 0; step < count; step += 1) {
          const end = Math.min(bytes, (step + 1) * STORED_FRAME) - TAG_BYTES;
          const isLast = first + step === last;
          const cipher = createDecipheriv(CIPHER, own, nonceOf(first + step, isLast), { authTagLength: TAG_BYTES });
          cipher.setAAD(words).setAuthTag(stored.subarray(end, end + TAG_BYTES));
          parts.push(cipher.update(stored.subarray(step * STORED_FRAME, end)));
          if (isTrusting) continue;
          try {
            cipher.final();
          } catch {
            return null;
          }
        }
        return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      },
    };
  }

  return {
    id: id.toString("hex"),
    seal(about, bytes) {
      const all = sealer(about);
      return Buffer.concat([...all.add(bytes), ...all.end()]);
    },
    open(about, stored) {
      const size = plainSize(stored.length);
      if (size < 0 || sealedSize(size) !== stored.length) return null;
      const found = opener(about, size, stored);
      return found?.open(framesAt(size, 0, size), stored.subarray(VAULT_HEAD_BYTES)) ?? null;
    },
    sealer,
    opener,
  };
}
