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
