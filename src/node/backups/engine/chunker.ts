import { createHmac } from "node:crypto";

/** Sizes of chunks in bytes; the average is where most of them end. */
export interface ChunkSizes {
  least: number;
  average: number;
  most: number;
}

export const CHUNK_SIZES: ChunkSizes = { least: 512 * 1024, average: 1024 * 1024, most: 8 * 1024 * 1024 };

/** Cuts a stream where its content says so, so that what is put in or taken out changes only the chunks around it. */
export interface Chunker {
  /** The chunks that these bytes complete. They are copies. */
  push(bytes: Uint8Array): Uint8Array[];
  /** What is left over; null when there is nothing. */
  end(): Uint8Array | null;
  /** How many bytes have come since the last chunk ended. */
  held(): number;
  /** Forgets them, as if they had not come; how many they were. */
  drop(): number;
}

/** Numbers that bytes are mixed with. They are keyed: else the sizes of chunks would tell which known files somebody has. */
export function makeGear(key: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) =>
    createHmac("sha256", key).update(Uint8Array.of(byte)).digest().readUInt32BE(0),
  );
}

/** The `bits` highest bits: they depend on the most bytes. Signed, as all of this: other numbers are slow where each byte counts. */
const highBits = (bits: number): number => (bits <= 0 ? 0 : 0xffffffff << (32 - bits));

/**
 * So many bytes are looked at in one call. The runtime compiles a short function by its calls; one that spends its time in a single long
 * loop it now and then left uncompiled for good, and a first backup took four times as long.
 */
const WINDOW_BYTES = 4096;

/** FastCDC with normalised sizes: harder to cut before the average, easier after it. */
export function createChunker(numbers: Uint32Array, { least, average, most }: ChunkSizes = CHUNK_SIZES): Chunker {
  const gear = Int32Array.from(numbers, (number) => number | 0);
  const bits = Math.round(Math.log2(average));
  const strict = highBits(bits + 2);
  const loose = highBits(bits - 2);
  const buffer = new Uint8Array(most);
  let filled = 0;
  let looked = 0;
  let hash = 0;

  /** Mixes the bytes up to `to` into the hash until one ends a chunk, and says whether one does. */
  function look(to: number, mask: number): boolean {
    let mixed = hash;
    for (let at = looked; at < to; at += 1) {
      mixed = ((mixed << 1) + (gear[buffer[at] ?? 0] ?? 0)) | 0;
      if ((mixed & mask) !== 0) continue;
      looked = at + 1;
      hash = mixed;
      return true;
    }
    looked = to;
    hash = mixed;
    return false;
  }

  /** Looks at what has come; the length of the chunk, or 0 while its end has not come. */
  function findCut(): number {
    if (looked < least) looked = Math.min(least, filled);
    while (looked < filled) {
      const isEarly = looked < average - 1;
      const end = Math.min(filled, looked + WINDOW_BYTES, isEarly ? average - 1 : filled);
      if (look(end, isEarly ? strict : loose) || looked === most) return looked;
    }
    return 0;
  }

  function drop(): number {
    const dropped = filled;
    filled = 0;
    looked = 0;
    hash = 0;
    return dropped;
  }

  return {
    push(bytes) {
      const chunks: Uint8Array[] = [];
      let taken = 0;
      while (taken < bytes.length) {
        const piece = bytes.subarray(taken, taken + most - filled);
        buffer.set(piece, filled);
        filled += piece.length;
        taken += piece.length;
        for (let cut = findCut(); cut > 0; cut = findCut()) {
          chunks.push(buffer.slice(0, cut));
          buffer.copyWithin(0, cut, filled);
          filled -= cut;
          looked = 0;
          hash = 0;
        }
      }
      return chunks;
    },
    end() {
      const rest = filled === 0 ? null : buffer.slice(0, filled);
      drop();
      return rest;
    },
    held: () => filled,
    drop,
  };
}
