import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** A file of chunks, each sealed so that none can be changed, moved, or taken from another file unnoticed. */

const LENGTH_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Larger chunks are never written. */
const CHUNK_MAX = 4 * 1_048_576;

/** What a chunk is bound to: the recording, its place, and all that came before. */
const bound = (id: string, index: number, chain: string): Buffer => Buffer.from(`${id}.${index}.${chain}`);

const next = (chain: string, sealed: Uint8Array): string =>
  createHash("sha256").update(chain).update(sealed).digest("hex");

/** How far a file has come. */
export interface ChunkState {
  chunks: number;
  chain: string;
  bytes: number;
}

export interface ChunkWriter {
  readonly state: ChunkState;
  /** On disk once it resolves. Throws what the disk says. */
  append(plain: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Begins a file that must not be there. */
export async function createChunks(path: string, id: string, key: Uint8Array): Promise<ChunkWriter> {
  const file: FileHandle = await open(path, "ax", 0o600);
  const state: ChunkState = { chunks: 0, chain: "", bytes: 0 };
  return {
    state,
    async append(plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(bound(id, state.chunks, state.chain));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(sealed.length);
      await file.appendFile(Buffer.concat([length, sealed]));
      await file.datasync();
      state.chain = next(state.chain, sealed);
      state.chunks += 1;
      state.bytes += LENGTH_BYTES + sealed.length;
    },
    close: () => file.close(),
  };
}

/** A chunk that is not what was written. */
export class DamagedChunk extends Error {
  readonly index: number;
  constructor(index: number) {
    super(`chunk ${index} is not what was written`);
    this.index = index;
  }
}

/**
 * The chunks of a file in order. A half one at the end, which a crash leaves, is passed over when at least `written` whole ones were
 * there. Throws DamagedChunk.
 */
export async function* readChunks(
  path: string,
  id: string,
  key: Uint8Array,
  { chunks: written, chain: known }: Pick<ChunkState, "chunks" | "chain">,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path, "r").catch(() => null);
  if (!file) {
    if (written > 0) throw new DamagedChunk(0);
    return;
  }
  let chain = "";
  let at = 0;
  try {
    for (let index = 0; ; index++) {
      if (index === written && written > 0 && chain !== known) throw new DamagedChunk(index - 1);
      const sealed = await readOne(file, at);
      if (sealed === null) {
        if (index < written) throw new DamagedChunk(index);
        return;
      }
      at += LENGTH_BYTES + sealed.length;
      const plain = openChunk(sealed, key, bound(id, index, chain));
      if (plain === null) throw new DamagedChunk(index);
      chain = next(chain, sealed);
      yield plain;
    }
  } finally {
    await file.close();
  }
}

/** The chunk at a place; null for none, or half of one. */
async function readOne(file: FileHandle, at: number): Promise<Buffer | null> {
  const head = Buffer.alloc(LENGTH_BYTES);
  if ((await file.read(head, 0, LENGTH_BYTES, at)).bytesRead < LENGTH_BYTES) return null;
  const length = head.readUInt32BE();
  if (length > CHUNK_MAX) return null;
  const sealed = Buffer.alloc(length);
  return (await file.read(sealed, 0, length, at + LENGTH_BYTES)).bytesRead < length ? null : sealed;
}

function openChunk(sealed: Buffer, key: Uint8Array, aad: Buffer): Uint8Array<ArrayBuffer> | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(aad);
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]));
  } catch {
    return null;
  }
}
