/** So much of an id tells it from every other; whoever reads a chunk compares the whole. */
const ID_BYTES = 12;
/** Rows are made so many at a time, so that a large index never has to be copied. */
const BLOCK_ROWS = 64 * 1024;
const FIRST_SLOTS = 1024;

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
}

interface Block {
  ids: Uint8Array;
  /** Number of the pack, where it begins there, how long it is. */
  places: Uint32Array;
}

const equals = (left: Uint8Array, at: number, right: Uint8Array): boolean => {
  for (let index = 0; index < ID_BYTES; index += 1) if (left[at + index] !== right[index]) return false;
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

  /** The slot of an id, or the free one where it belongs. */
  function slotOf(id: Uint8Array): number {
    for (let slot = hashAt(id, 0) % slots.length; ; slot = (slot + 1) % slots.length) {
      const row = (slots[slot] ?? 0) - 1;
      if (row < 0 || equals(blockOf(row).ids, (row % BLOCK_ROWS) * ID_BYTES, id)) return slot;
    }
  }

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
      const row = (slots[slotOf(bytesOf(id))] ?? 0) - 1;
      if (row < 0) return null;
      const { places } = blockOf(row);
      const from = (row % BLOCK_ROWS) * 3;
      return { pack: places[from] ?? 0, at: places[from + 1] ?? 0, length: places[from + 2] ?? 0 };
    },
    set(id, { pack, at, length }) {
      const bytes = bytesOf(id);
      let slot = slotOf(bytes);
      if (slots[slot] === 0) {
        // A third stays free, so that the next free one is near.
        if (count * 3 >= slots.length * 2) {
          grow();
          slot = slotOf(bytes);
        }
        if (count % BLOCK_ROWS === 0)
          blocks.push({ ids: new Uint8Array(BLOCK_ROWS * ID_BYTES), places: new Uint32Array(BLOCK_ROWS * 3) });
        blockOf(count).ids.set(bytes.subarray(0, ID_BYTES), (count % BLOCK_ROWS) * ID_BYTES);
        count += 1;
        slots[slot] = count;
      }
      const row = (slots[slot] ?? 0) - 1;
      blockOf(row).places.set([pack, at, length], (row % BLOCK_ROWS) * 3);
    },
  };
}
