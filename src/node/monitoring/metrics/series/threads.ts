/** Samples of all threads in one bucket: how many, and for each thread their sum in tenths of a percent. */
export interface ThreadSums {
  n: number;
  sums: Uint32Array;
}

const TENTHS = 10;
const BYTES = 4;

/** The sums with one more sample, percents by thread. A machine that got more or fewer threads begins anew. */
export function addThreads(before: ThreadSums | null, percents: readonly number[]): ThreadSums {
  const one = { n: 1, sums: Uint32Array.from(percents, (percent) => Math.round(percent * TENTHS)) };
  return before === null ? one : joinThreads(before, one);
}

/** Both together. With another number of threads than before, a mean over both would be of neither machine: the later one counts. */
export function joinThreads(before: ThreadSums, after: ThreadSums): ThreadSums {
  if (before.sums.length !== after.sums.length) return after;
  return { n: before.n + after.n, sums: before.sums.map((sum, thread) => sum + (after.sums[thread] ?? 0)) };
}

/** Means in percent, by thread. */
export function threadPercents({ n, sums }: ThreadSums): number[] {
  return Array.from(sums, (sum) => sum / n / TENTHS);
}

/** The sums as they are stored: four bytes each, least significant first. */
export function packSums(sums: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(sums.length * BYTES);
  const view = new DataView(bytes.buffer);
  for (const [thread, sum] of sums.entries()) view.setUint32(thread * BYTES, sum, true);
  return bytes;
}

/** The sums that were stored so. */
export function unpackSums(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, thread) =>
    view.getUint32(thread * BYTES, true),
  );
}
