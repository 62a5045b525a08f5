import { createHmac, randomBytes } from "node:crypto";
import { CHUNK_SIZES } from "./chunker.ts";
import { decrypt, encryptPieces, type Keys, NONCE_BYTES, TAG_BYTES } from "./keys.ts";
import { holdsAtMost } from "./unpacked-size.ts";

const RAW = 0;
const ZSTD = 1;
const LEVEL = 3;

/** What is done to whole chunks. */
export interface ChunkWork {
  /** What a chunk is known by. */
  idOf(chunk: Uint8Array): Promise<Buffer>;
  /** As it lies in a pack, small and encrypted, in pieces. */
  close(id: Uint8Array, chunk: Uint8Array): Promise<Uint8Array[]>;
  /** The other way round; null for what `close` did not make. */
  open(id: Uint8Array, closed: Uint8Array): Promise<Uint8Array | null>;
}

const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : new Uint8Array(bytes);

/** Gives memory back at once that nobody reads any more: it lies beside the heap, where the runtime does not hurry to collect it. */
export function letGo(bytes: Uint8Array): void {
  // A small one may share its memory with others; ciphers take a few bytes more than they fill.
  const beside = bytes.buffer.byteLength - bytes.length;
  if (bytes.buffer instanceof ArrayBuffer && beside <= Math.min(TAG_BYTES, bytes.length >> 12))
    bytes.buffer.transfer(0);
}

/** What is encrypted of a chunk: whether it is compressed, and its bytes. */
function join(small: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const isSmaller = small.length < chunk.length;
  const plain = Buffer.concat([Uint8Array.of(isSmaller ? ZSTD : RAW), isSmaller ? small : chunk]);
  letGo(small);
  return own(plain);
}

/**
 * The work under a repository's keys on the calling thread and no other. The runtime's own threads are as urgent as whoever answers
 * requests, and work for them, too: nothing that nobody waits for belongs there.
 */
export function prepareChunkWorkAside(keys: Keys): ChunkWork {
  return {
    idOf: async (chunk) => createHmac("sha256", keys.id).update(chunk).digest(),
    async close(id, chunk) {
      const small = Bun.zstdCompressSync(chunk, { level: LEVEL });
      const isSmaller = small.length < chunk.length;
      const plain = [Uint8Array.of(isSmaller ? ZSTD : RAW), isSmaller ? small : chunk];
      const closed = encryptPieces(keys.secret, id, plain);
      letGo(small);
      return closed;
    },
    async open(id, closed) {
      const plain = decrypt(keys.secret, id, closed);
      if (plain === null) return null;
      if (plain[0] !== ZSTD) return plain.subarray(1);
      const small = plain.subarray(1);
      const chunk = holdsAtMost(small, CHUNK_SIZES.most) ? Bun.zstdDecompressSync(small) : null;
      letGo(plain);
      return chunk;
    },
  };
}

/** The work under a repository's keys, each on a processor that is free: several chunks are worked on while the next one comes. */
export async function prepareChunkWork(keys: Keys): Promise<ChunkWork> {
  const idKey = await crypto.subtle.importKey("raw", own(keys.id), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const secret = await crypto.subtle.importKey("raw", own(keys.secret), "AES-GCM", false, ["encrypt", "decrypt"]);
  const cipher = (nonce: Uint8Array, id: Uint8Array) => ({
    name: "AES-GCM",
    iv: own(nonce),
    additionalData: own(id),
    tagLength: TAG_BYTES * 8,
  });
  return {
    idOf: async (chunk) => Buffer.from(await crypto.subtle.sign("HMAC", idKey, own(chunk))),
    async close(id, chunk) {
      const plain = join(await Bun.zstdCompress(chunk, { level: LEVEL }), chunk);
      const nonce = randomBytes(NONCE_BYTES);
      const closed = await crypto.subtle.encrypt(cipher(nonce, id), secret, plain);
      letGo(plain);
      return [nonce, new Uint8Array(closed)];
    },
    async open(id, closed) {
      if (closed.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = closed.subarray(0, NONCE_BYTES);
      const opened = await crypto.subtle
        .decrypt(cipher(nonce, id), secret, own(closed.subarray(NONCE_BYTES)))
        .catch(() => null);
      if (opened === null) return null;
      const plain = new Uint8Array(opened);
      if (plain[0] !== ZSTD) return plain.subarray(1);
      const small = plain.subarray(1);
      return holdsAtMost(small, CHUNK_SIZES.most) ? await Bun.zstdDecompress(small) : null;
    },
  };
}
