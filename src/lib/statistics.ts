/** The value in the middle; of an even number of values the mean of the two in the middle. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Makes the median distance of normally distributed values their standard deviation. */
const NORMAL_FROM_MAD = 1.4826;

/**
 * A standard deviation that single wild values cannot move: the median distance from the median, scaled to that of a normal
 * distribution. NaN of nothing.
 */
export function robustDeviation(values: readonly number[]): number {
  const center = median(values);
  return NORMAL_FROM_MAD * median(values.map((value) => Math.abs(value - center)));
}

/** The value below which `share` (0 to 1) of the values lie, by nearest rank. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.min(sorted.length, Math.max(1, Math.ceil(share * sorted.length)));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The plain mean. NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Kept of what a tail is like before there is anything of it to see: between a normal one and one without a variance. */
const USUAL_TAIL = 0.3;
const USUAL_TAIL_COUNTS = 8;

/**
 * How far values go that come once in `every` of them: the far end of what was seen, carried on as a power law (Hill's
 * estimator above `from`, drawn towards a usual tail where little was seen). Values are distances in one direction, those in
 * the other 0; `from` is never below the tail's beginning.
 */
export function returnLevel(values: readonly number[], every: number, from: number, tailShare: number): number {
  const start = Math.max(from, quantile(values, 1 - tailShare));
  const tail = values.filter((value) => value > start);
  const logs = tail.reduce((sum, value) => sum + Math.log(value / start), 0);
  const weight = (logs + USUAL_TAIL * USUAL_TAIL_COUNTS) / (tail.length + USUAL_TAIL_COUNTS);
  return start * Math.max(1, (tail.length / values.length) * every) ** weight;
}
