const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** How many bytes say how much a frame holds, by the two first bits after the magic number. */
const SIZE_BYTES = [0, 2, 4, 8];
const DICTIONARY_BYTES = [0, 1, 2, 4];
const BLOCK_HEADER = 3;
const REPEATED = 1;

/** Where the frame ends whose blocks begin at `at`; null where it does not. */
function endOf(packed: Uint8Array, at: number, hasSum: boolean): number | null {
  for (let next = at; next + BLOCK_HEADER <= packed.length; ) {
    const [first = 0, second = 0, third = 0] = packed.subarray(next, next + BLOCK_HEADER);
    const header = first + second * 256 + third * 65_536;
    const isRepeated = ((header >> 1) & 3) === REPEATED;
    next += BLOCK_HEADER + (isRepeated ? 1 : header >> 3);
    if ((header & 1) !== 0) return next + (hasSum ? 4 : 0);
  }
  return null;
}

/**
 * How many bytes one frame of zstd says that it holds; null where it does not say, or is none, or more follows it. Whoever unpacks it gets no
 * more than that, so a repository that somebody else wrote cannot ask for any amount of memory.
 */
export function unpackedSize(packed: Uint8Array): number | null {
  if (MAGIC.some((byte, at) => packed[at] !== byte)) return null;
  const [, , , , flags = 0] = packed;
  const isSingle = (flags & 0x20) !== 0;
  const code = flags >> 6;
  const length = code === 0 && isSingle ? 1 : (SIZE_BYTES[code] ?? 0);
  const at = 5 + (isSingle ? 0 : 1) + (DICTIONARY_BYTES[flags & 3] ?? 0);
  if (length === 0 || endOf(packed, at + length, (flags & 4) !== 0) !== packed.length) return null;
  const size = packed.subarray(at, at + length).reduceRight((sum, byte) => sum * 256 + byte, 0);
  return length === 2 ? size + 256 : size;
}

/** Whether it says that it holds no more than `most` bytes. */
export function holdsAtMost(packed: Uint8Array, most: number): boolean {
  const size = unpackedSize(packed);
  return size !== null && size <= most;
}
