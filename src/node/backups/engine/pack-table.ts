/** Of a pack's name: the sum of what it holds. */
export const SUM_BYTES = 32;
const FIRST_PACKS = 1024;
const NAME = /^packs\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;
const DIGITS = Buffer.from("0123456789abcdef");
/** `packs/ab/` */
const PREFIX = Buffer.from("packs/");
const SUM_AT = PREFIX.length + 3;
const NAME_BYTES = SUM_AT + SUM_BYTES * 2;
const SLASH = 0x2f;

/** Packs by number, 37 bytes each: a terabyte has 65,536 of them, and their names as text would take as much as where their chunks lie. */
export interface PackTable {
  /** The number that it gets; null for what is no name of a pack. */
  add(name: string, size: number): number | null;
  nameOf(pack: number): string;
  /** Writes its name as text there; how many bytes that takes. */
  writeName(pack: number, into: Uint8Array, at: number): number;
  /** What finds the number of a pack of those that are there now, by its name as text; null where there is none. */
  finder(): (name: Uint8Array) => number | null;
  /** In bytes; null for one that was dropped. */
  sizeOf(pack: number): number | null;
  count(): number;
  /** What lies there cannot be read. */
  drop(pack: number): void;
}

/** The number that a digit of hex is; 16 for what is none. */
const digitOf = (code: number): number =>
  code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : 16;

/** Reads the sum of a pack's name; false for what is none. */
function readSum(name: Uint8Array, sum: Uint8Array): boolean {
  if (name.length !== NAME_BYTES) return false;
  for (let index = 0; index < SUM_BYTES; index += 1) {
    const high = digitOf(name[SUM_AT + index * 2] ?? 0);
    const low = digitOf(name[SUM_AT + index * 2 + 1] ?? 0);
    if (high === 16 || low === 16) return false;
    sum[index] = high * 16 + low;
  }
  return true;
}

/** An empty table. */
export function createPackTable(): PackTable {
  let sums = new Uint8Array(FIRST_PACKS * SUM_BYTES);
  let sizes = new Uint32Array(FIRST_PACKS);
  let dropped = new Uint8Array(FIRST_PACKS);
  let count = 0;

  function grow(): void {
    const [smallSums, smallSizes, smallDropped] = [sums, sizes, dropped];
    sums = new Uint8Array(smallSums.length * 2);
    sizes = new Uint32Array(smallSizes.length * 2);
    dropped = new Uint8Array(smallDropped.length * 2);
    sums.set(smallSums);
    sizes.set(smallSizes);
    dropped.set(smallDropped);
  }

  /** Compares the sum of a pack with another one that begins at `at`, as they would be sorted. */
  function compare(pack: number, other: Uint8Array, at: number): number {
    for (let index = 0; index < SUM_BYTES; index += 1) {
      const difference = (sums[pack * SUM_BYTES + index] ?? 0) - (other[at + index] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  return {
    add(name, size) {
      const sum = NAME.exec(name)?.[2];
      if (sum === undefined) return null;
      if (count === sizes.length) grow();
      sums.set(Buffer.from(sum, "hex"), count * SUM_BYTES);
      sizes[count] = size;
      count += 1;
      return count - 1;
    },
    nameOf(pack) {
      const sum = Buffer.from(sums.buffer, pack * SUM_BYTES, SUM_BYTES).toString("hex");
      return `packs/${sum.slice(0, 2)}/${sum}`;
    },
    writeName(pack, into, at) {
      into.set(PREFIX, at);
      for (let index = 0; index < SUM_BYTES; index += 1) {
        const byte = sums[pack * SUM_BYTES + index] ?? 0;
        into[at + SUM_AT + index * 2] = DIGITS[byte >> 4] ?? 0;
        into[at + SUM_AT + index * 2 + 1] = DIGITS[byte & 15] ?? 0;
      }
      into.copyWithin(at + PREFIX.length, at + SUM_AT, at + SUM_AT + 2);
      into[at + SUM_AT - 1] = SLASH;
      return NAME_BYTES;
    },
    finder() {
      const sum = new Uint8Array(SUM_BYTES);
      const sorted = Uint32Array.from({ length: count }, (_, pack) => pack);
      sorted.sort((left, right) => compare(left, sums, right * SUM_BYTES));
      return (name) => {
        if (!readSum(name, sum)) return null;
        let [from, to] = [0, sorted.length];
        while (from < to) {
          const middle = (from + to) >> 1;
          const order = compare(sorted[middle] ?? 0, sum, 0);
          if (order === 0) return sorted[middle] ?? null;
          if (order < 0) from = middle + 1;
          else to = middle;
        }
        return null;
      };
    },
    sizeOf: (pack) => (dropped[pack] === 1 ? null : (sizes[pack] ?? null)),
    count: () => count,
    drop(pack) {
      dropped[pack] = 1;
    },
  };
}
