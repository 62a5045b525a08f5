import * as fs from "node:fs";
import type { BlobRow } from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";

/** What one flipped bit in each place of a byte makes of the sum of that byte. */
const byteSums = Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum >>> 0;
});

/**
 * The byte that a single flipped bit has changed, and what it was, if that alone explains why the CRC-32 of `bytes` is not `crc`. Of longer
 * damage it may be a coincidence: compare another sum before anything is written.
 */
export function findFlippedBit(bytes: Uint8Array, crc: number): { offset: number; value: number } | null {
  const difference = (Bun.hash.crc32(bytes) ^ crc) >>> 0;
  // What a flip of each bit of the last byte changes in the sum; one byte earlier it is that, moved on by a byte.
  const flips = Array.from({ length: 8 }, (_, bit) => byteSums[1 << bit] ?? 0);
  for (let offset = bytes.length - 1; offset >= 0; offset -= 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flip = flips[bit] ?? 0;
      if (flip === difference) return { offset, value: (bytes[offset] ?? 0) ^ (1 << bit) };
      flips[bit] = ((flip >>> 8) ^ (byteSums[flip & 0xff] ?? 0)) >>> 0;
    }
  }
  return null;
}

/** Writes one byte of a blob where it lies, and waits for the disk. */
export function mendByte(layout: Layout, blob: BlobRow, offset: number, value: number): void {
  const path = blob.segment === null ? layout.blob(blob.id) : layout.segment(blob.segment);
  const file = fs.openSync(path, "r+");
  try {
    fs.writeSync(file, Uint8Array.of(value), 0, 1, blob.position + offset);
    fs.fdatasyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
