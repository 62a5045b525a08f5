import { sha256Hex } from "../../../lib/digest.ts";
import { letGo } from "./chunk-work.ts";
import { CHUNK_SIZES } from "./chunker.ts";
import { EngineFailure } from "./failure.ts";
import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES } from "./keys.ts";
import type { Entry, Target } from "./target.ts";

const MAGIC = "ORP1";
/** Length of the index and the magic word. */
const END_BYTES = 8;
const ID_BYTES = 32;
const ENTRY_BYTES = ID_BYTES + 8;
/** The index of a pack of the smallest chunks stays far below this. */
const MOST_INDEX = 16 * 1024 * 1024;
/** Most indexes are whole in this much of the end, which is one question to a target. */
const TAIL_BYTES = 16 * 1024;
/** What a pack that outgrows its room gets besides what it needs. */
const MORE_ROOM = 1024 * 1024;
const INDEX = "pack index";

/** The longest chunk as it lies there, with whether it is compressed before it. */
const MOST_CLOSED = 1 + CHUNK_SIZES.most + NONCE_BYTES + TAG_BYTES;

/** Where a chunk lies. */
export interface ChunkPlace {
  pack: string;
  at: number;
  length: number;
}

/** A chunk in the index of a pack. */
export interface PackedChunk {
  id: Uint8Array;
  at: number;
  length: number;
}

/** A pack that is being filled. */
export interface PackDraft {
  /** What `close` of a chunk made, which is copied and let go; how many bytes that is. */
  add(id: Uint8Array, pieces: readonly Uint8Array[]): number;
  size(): number;
  /** The whole pack, its name, and what lies in it; nothing can be added any more. */
  finish(secret: Uint8Array): { name: string; bytes: Uint8Array; chunks: readonly PackedChunk[] };
  /** What it was filled into: once the pack is written, another one may be. */
  room(): Uint8Array;
}

/** An empty pack, which takes its room with the first chunk, and grows beyond it where that is too small. */
export function createPackDraft(takeRoom: () => Uint8Array): PackDraft {
  const chunks: PackedChunk[] = [];
  let space: Uint8Array = new Uint8Array(0);
  let size = 0;

  function append(piece: Uint8Array): void {
    if (size + piece.length > space.length) {
      const small = space;
      space = new Uint8Array(size + piece.length + MORE_ROOM);
      space.set(small.subarray(0, size));
      letGo(small);
    }
    space.set(piece, size);
    size += piece.length;
  }

  return {
    add(id, pieces) {
      if (size === 0) space = takeRoom();
      const at = size;
      for (const piece of pieces) {
        append(piece);
        letGo(piece);
      }
      chunks.push({ id, at, length: size - at });
      return size - at;
    },
    size: () => size,
    finish(secret) {
      const table = Buffer.alloc(chunks.length * ENTRY_BYTES);
      for (const [row, { id, at, length }] of chunks.entries()) {
        table.set(id, row * ENTRY_BYTES);
        table.writeUInt32BE(at, row * ENTRY_BYTES + ID_BYTES);
        table.writeUInt32BE(length, row * ENTRY_BYTES + ID_BYTES + 4);
      }
      const index = encrypt(secret, INDEX, table);
      append(index);
      const end = Buffer.alloc(END_BYTES);
      end.writeUInt32BE(index.length, 0);
      end.write(MAGIC, 4, "latin1");
      append(end);
      const bytes = space.subarray(0, size);
      const digest = sha256Hex(bytes);
      return { name: `packs/${digest.slice(0, 2)}/${digest}`, bytes, chunks };
    },
    room: () => space,
  };
}

/** Reads from a pack's end what lies in it. Throws `damaged`. */
export async function readPackIndex(target: Target, { name, size }: Entry, secret: Uint8Array): Promise<PackedChunk[]> {
  const damaged = () => new EngineFailure("damaged", `The end of ${name} is damaged.`);
  if (size < END_BYTES) throw damaged();
  const most = Math.min(size, TAIL_BYTES);
  const read = await target.read(name, { at: size - most, length: most });
  const tail = Buffer.from(read.buffer, read.byteOffset, read.length);
  const end = tail.subarray(most - END_BYTES);
  const length = end.readUInt32BE(0);
  const first = size - END_BYTES - length;
  if (end.toString("latin1", 4) !== MAGIC || first < 0 || length > MOST_INDEX) throw damaged();
  const isWhole = length + END_BYTES <= most;
  const sealed = isWhole
    ? tail.subarray(most - END_BYTES - length, most - END_BYTES)
    : await target.read(name, { at: first, length });
  const table = decrypt(secret, INDEX, sealed);
  letGo(read);
  if (!table || table.length % ENTRY_BYTES !== 0) throw damaged();
  const rows = Buffer.from(table.buffer, table.byteOffset, table.length);
  return Array.from({ length: rows.length / ENTRY_BYTES }, (_, row) => {
    const at = row * ENTRY_BYTES;
    const place = { at: rows.readUInt32BE(at + ID_BYTES), length: rows.readUInt32BE(at + ID_BYTES + 4) };
    if (place.length > MOST_CLOSED || place.at + place.length > first) throw damaged();
    return { id: rows.subarray(at, at + ID_BYTES), ...place };
  });
}
