/** The SHA-256 of a file on its way, as far as its chunks came in their order. */
export interface RunningSum {
  /** SHA-256 of each chunk that it has taken, from the first on. */
  readonly taken: readonly string[];
  readonly hasher: Bun.CryptoHasher;
}

/** The sums of a chunk of which only the beginning is here. */
export interface TailSum {
  readonly number: number;
  /** SHA-256 of that beginning. */
  readonly sha256: string;
  readonly hasher: Bun.CryptoHasher;
  /** The sum of the file up to there; null where its chunks did not come in their order. */
  readonly whole: RunningSum | null;
}

/** Sums of files on their way, so that what came in order is not read again at its end. */
export interface RunningSums {
  /** A sum that goes on with chunk `number`; null where that is not the next. */
  before(uploadId: string, number: number): RunningSum | null;
  /** A copy of the sum of exactly the first of these chunks, and how many they are. */
  upTo(uploadId: string, chunks: readonly string[]): RunningSum;
  save(uploadId: string, sum: RunningSum): void;
  /** A copy of what is known of the chunk that is on its way; null where nothing is. */
  tail(uploadId: string): TailSum | null;
  /** Takes note of the chunk that is on its way; null where all of it is here. */
  saveTail(uploadId: string, tail: TailSum | null): void;
  forget(uploadId: string): void;
}

const empty = (): RunningSum => ({ taken: [], hasher: new Bun.CryptoHasher("sha256") });
const copy = ({ taken, hasher }: RunningSum): RunningSum => ({ taken, hasher: hasher.copy() });

/** Sums in memory; what a restart loses of them is read again. */
export function createRunningSums(): RunningSums {
  const sums = new Map<string, RunningSum>();
  const tails = new Map<string, TailSum>();
  return {
    before(uploadId, number) {
      const sum = sums.get(uploadId);
      if (number === (sum?.taken.length ?? 0) + 1) return copy(sum ?? empty());
      // The first chunk once more begins anew.
      return number === 1 ? empty() : null;
    },
    upTo(uploadId, chunks) {
      const sum = sums.get(uploadId);
      // A chunk that was sent again with other bytes is not in the sum.
      return sum?.taken.every((sha256, index) => sha256 === chunks[index]) === true ? copy(sum) : empty();
    },
    save: (uploadId, sum) => void sums.set(uploadId, sum),
    tail(uploadId) {
      const tail = tails.get(uploadId);
      if (tail === undefined) return null;
      return { ...tail, hasher: tail.hasher.copy(), whole: tail.whole && copy(tail.whole) };
    },
    saveTail(uploadId, tail) {
      if (tail === null) tails.delete(uploadId);
      else tails.set(uploadId, tail);
    },
    forget(uploadId) {
      sums.delete(uploadId);
      tails.delete(uploadId);
    },
  };
}
