/** The SHA-256 of a file on its way, as far as its chunks came in their order. */
export interface RunningSum {
  /** SHA-256 of each chunk that it has taken, from the first on. */
  readonly taken: readonly string[];
  readonly hasher: Bun.CryptoHasher;
}

/** Sums of files on their way, so that what came in order is not read again at its end. */
export interface RunningSums {
  /** A sum that goes on with chunk `number`; null where that is not the next. */
  before(uploadId: string, number: number): RunningSum | null;
  /** A copy of the sum of exactly the first of these chunks, and how many they are. */
  upTo(uploadId: string, chunks: readonly string[]): RunningSum;
  save(uploadId: string, sum: RunningSum): void;
  forget(uploadId: string): void;
}

const empty = (): RunningSum => ({ taken: [], hasher: new Bun.CryptoHasher("sha256") });
const copy = ({ taken, hasher }: RunningSum): RunningSum => ({ taken, hasher: hasher.copy() });

/** Sums in memory; what a restart loses of them is read again. */
export function createRunningSums(): RunningSums {
  const sums = new Map<string, RunningSum>();
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
    forget: (uploadId) => void sums.delete(uploadId),
  };
}
