import { sha256Hex } from "../../../lib/digest.ts";
import { letGo } from "./chunk-work.ts";
import { EngineFailure } from "./failure.ts";
import { decrypt, encrypt } from "./keys.ts";
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
const INDEX = "pack index";

/** Where a chunk lies. */
export interface ChunkPlace {
  pack: string;
  at: number;
  length: number;
}

/** A pack that is being filled. */
export interface PackDraft {
  /** What `close` of a chunk made; how many bytes that is. */
  add(id: string, pieces: readonly Uint8Array[]): number;
  size(): number;
  /** The whole pack, its name, and where its chunks lie; nothing can be added any more. */
  finish(secret: Uint8Array): { name: string; bytes: Uint8Array; places: Map<string, ChunkPlace> };
}

/** An empty pack. */
export function createPackDraft(): PackDraft {
  const blobs: Uint8Array[] = [];
  const entries: { id: string; at: number; length: number }[] = [];
  let size = 0;
  return {
    add(id, pieces) {
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      entries.push({ id, at: size, length });
      blobs.push(...pieces);
      size += length;
      return length;
    },
    size: () => size,
    finish(secret) {
      const table = Buffer.alloc(entries.length * ENTRY_BYTES);
      for (const [row, { id, at, length }] of entries.entries()) {
        table.set(Buffer.from(id, "hex"), row * ENTRY_BYTES);
        table.writeUInt32BE(at, row * ENTRY_BYTES + ID_BYTES);
        table.writeUInt32BE(length, row * ENTRY_BYTES + ID_BYTES + 4);
      }
      const index = encrypt(secret, INDEX, table);
      const end = Buffer.alloc(END_BYTES);
      end.writeUInt32BE(index.length, 0);
      end.write(MAGIC, 4, "latin1");
      const bytes = Buffer.concat([...blobs, index, end]);
      for (const blob of blobs) letGo(blob);
      const digest = sha256Hex(bytes);
      const name = `packs/${digest.slice(0, 2)}/${digest}`;
      return { name, bytes, places: new Map(entries.map(({ id, at, length }) => [id, { pack: name, at, length }])) };
    },
  };
}

/** Reads from a pack's end what lies in it. Throws `damaged`. */
export async function readPackIndex(
  target: Target,
  { name, size }: Entry,
  secret: Uint8Array,
): Promise<[Uint8Array, ChunkPlace][]> {
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
    const place = { pack: name, at: rows.readUInt32BE(at + ID_BYTES), length: rows.readUInt32BE(at + ID_BYTES + 4) };
    if (place.at + place.length > first) throw damaged();
    return [rows.subarray(at, at + ID_BYTES), place];
  });
}
