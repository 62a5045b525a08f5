const SUM_BYTES = 32;
const FIRST_PACKS = 1024;
const NAME = /^packs\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** Packs by number, 37 bytes each: a terabyte has 65,536 of them, and their names as text would take as much as where their chunks lie. */
export interface PackTable {
  /** The number that it gets; null for what is no name of a pack. */
  add(name: string, size: number): number | null;
  nameOf(pack: number): string;
  /** In bytes; null for one that was dropped. */
  sizeOf(pack: number): number | null;
  count(): number;
  /** What lies there cannot be read. */
  drop(pack: number): void;
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
    sizeOf: (pack) => (dropped[pack] === 1 ? null : (sizes[pack] ?? null)),
    count: () => count,
    drop(pack) {
      dropped[pack] = 1;
    },
  };
}
