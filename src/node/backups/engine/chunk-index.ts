/** So much of an id tells it from every other; whoever reads a chunk compares the whole. */
const ID_BYTES = 12;
/** Rows are made so many at a time, so that a large index never has to be copied. */
const BLOCK_ROWS = 64 * 1024;
const FIRST_SLOTS = 1024;
/** Of a place: pack, where it begins, length. */
const FIELDS = 3;

/** Where a chunk lies: the number of its pack, where it begins there, and how long it is. */
export interface IndexedPlace {
  pack: number;
  at: number;
  length: number;
}

/** Where chunks lie: 24 bytes for each, and six to nine to find it, since a terabyte has a million of them. */
export interface ChunkIndex {
  /** Null for one that is not there. */
  get(id: string | Uint8Array): IndexedPlace | null;
  set(id: string | Uint8Array, place: IndexedPlace): void;
  /** How many there are. */
  count(): number;
  /** The number of the chunk whose id begins at `at`, from 0 in the order in which they came; null for one that is not there. */
  numberOf(ids: Uint8Array, at: number): number | null;
  /** Of the chunk of a number: the number of its pack, and how long it is there. */
  packOf(chunk: number): number;
  lengthOf(chunk: number): number;
}

interface Block {
  ids: Uint8Array;
  /** Number of the pack, where it begins there, how long it is. */
  places: Uint32Array;
}

const equals = (left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): boolean => {
  for (let index = 0; index < ID_BYTES; index += 1) if (left[leftAt + index] !== right[rightAt + index]) return false;
  return true;
};

/** What is text is read into here: a terabyte's ids would leave a million of these behind. */
const scratch = Buffer.alloc(32);

function bytesOf(id: string | Uint8Array): Uint8Array {
  if (typeof id !== "string") return id;
  scratch.write(id, "hex");
  return scratch;
}

/** An empty index; ids are 32 bytes, or these in hex, and look random. */
export function createChunkIndex(): ChunkIndex {
  const blocks: Block[] = [];
  /** Numbers of rows, counted from one; 0 is free. */
  let slots = new Uint32Array(FIRST_SLOTS);
  let count = 0;

  const blockOf = (row: number): Block => {
    const found = blocks[Math.floor(row / BLOCK_ROWS)];
    if (!found) throw new Error("the index of chunks has no such row");
    return found;
  };
  const hashAt = (ids: Uint8Array, at: number): number =>
    ((ids[at] ?? 0) | ((ids[at + 1] ?? 0) << 8) | ((ids[at + 2] ?? 0) << 16) | ((ids[at + 3] ?? 0) << 24)) >>> 0;

  /** The slot of the id that begins there, or the free one where it belongs. */
  function slotOf(ids: Uint8Array, at: number): number {
    for (let slot = hashAt(ids, at) % slots.length; ; slot = (slot + 1) % slots.length) {
      const row = (slots[slot] ?? 0) - 1;
      if (row < 0 || equals(blockOf(row).ids, (row % BLOCK_ROWS) * ID_BYTES, ids, at)) return slot;
    }
  }

  function numberOf(ids: Uint8Array, at: number): number | null {
    const row = (slots[slotOf(ids, at)] ?? 0) - 1;
    return row < 0 ? null : row;
  }

  const placeOf = (row: number, field: number): number => blockOf(row).places[(row % BLOCK_ROWS) * FIELDS + field] ?? 0;

  function grow(): void {
    slots = new Uint32Array(Math.ceil(slots.length * 1.5));
    for (let row = 0; row < count; row += 1) {
      let slot = hashAt(blockOf(row).ids, (row % BLOCK_ROWS) * ID_BYTES) % slots.length;
      while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
      slots[slot] = row + 1;
    }
  }

  return {
    get(id) {
      const row = numberOf(bytesOf(id), 0);
      return row === null ? null : { pack: placeOf(row, 0), at: placeOf(row, 1), length: placeOf(row, 2) };
    },
    set(id, { pack, at, length }) {
      const bytes = bytesOf(id);
      let slot = slotOf(bytes, 0);
      if (slots[slot] === 0) {
        // A third stays free, so that the next free one is near.
        if (count * 3 >= slots.length * 2) {
          grow();
          slot = slotOf(bytes, 0);
        }
        if (count % BLOCK_ROWS === 0)
          blocks.push({ ids: new Uint8Array(BLOCK_ROWS * ID_BYTES), places: new Uint32Array(BLOCK_ROWS * FIELDS) });
        blockOf(count).ids.set(bytes.subarray(0, ID_BYTES), (count % BLOCK_ROWS) * ID_BYTES);
        count += 1;
        slots[slot] = count;
      }
      const row = (slots[slot] ?? 0) - 1;
      blockOf(row).places.set([pack, at, length], (row % BLOCK_ROWS) * FIELDS);
    },
    count: () => count,
    numberOf,
    packOf: (chunk) => placeOf(chunk, 0),
    lengthOf: (chunk) => placeOf(chunk, 2),
  };
}
