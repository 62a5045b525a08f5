/** Ten buckets for each doubling: a percentile is off by 7 % at most. */
const STEPS = 10;
const SMALLEST_MS = 0.01;
const BUCKETS = 300;

/** Counts how long things took, in little room whatever their number. Times are milliseconds. */
export function createHistogram() {
  const counts = new Float64Array(BUCKETS);
  let total = 0;
  let longest = 0;
  return {
    add(ms: number): void {
      const bucket = Math.ceil(Math.log2(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) * STEPS);
      const index = Math.min(bucket, BUCKETS - 1);
      counts[index] = (counts[index] ?? 0) + 1;
      total += 1;
      longest = Math.max(longest, ms);
    },
    count: () => total,
    longest: () => longest,
    /** The time that `percent` of them do not exceed; 0 when there are none. */
    percentile(percent: number): number {
      const wanted = Math.ceil((percent / 100) * total);
      let seen = 0;
      for (const [bucket, count] of counts.entries()) {
        seen += count;
        if (count > 0 && seen >= wanted) return Math.min(SMALLEST_MS * 2 ** (bucket / STEPS), longest);
      }
      return 0;
    },
  };
}

export type Histogram = ReturnType<typeof createHistogram>;
