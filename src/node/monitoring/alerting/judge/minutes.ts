import type { Condition, Sample } from "./step.ts";

export const MINUTE_MS = 60_000;
/** Samples a whole minute has. */
const FULL = 6;

/** One value a minute. */
export interface MinuteValue {
  /** Start of the minute, ms UTC. */
  t: number;
  /** Samples in it. */
  n: number;
  value: number | null;
}

/** A stretch of minutes that answers for any window inside it in constant time. */
export interface Minutes {
  /** Value of the minute that ends at `at`. */
  value(at: number): number | null;
  /** Average of the minutes that end in (at − span, at], and the share of their samples that is there. */
  window(at: number, spanMs: number): { mean: number | null; coverage: number };
  /** End of the last minute at or before `at` that has a value. */
  lastSeen(at: number): number | null;
}

/** Builds a stretch from `from` (a whole minute) to `to`; minutes that are not in `rows` have no data. */
export function createMinutes(rows: readonly MinuteValue[], from: number, to: number): Minutes {
  const size = Math.max(0, Math.ceil((to - from) / MINUTE_MS));
  const values = new Float64Array(size).fill(Number.NaN);
  // Sums of everything before an index: a window is a difference of two.
  const sums = new Float64Array(size + 1);
  const counts = new Float64Array(size + 1);
  const samples = new Float64Array(size + 1);
  const share = new Float64Array(size);
  for (const { t, n, value } of rows) {
    const index = Math.floor((t - from) / MINUTE_MS);
    if (value === null || index < 0 || index >= size) continue;
    values[index] = value;
    share[index] = Math.min(1, n / FULL);
  }
  const seen = new Int32Array(size);
  let last = -1;
  for (let index = 0; index < size; index++) {
    const value = values[index] ?? Number.NaN;
    const has = !Number.isNaN(value);
    if (has) last = index;
    seen[index] = last;
    sums[index + 1] = (sums[index] ?? 0) + (has ? value : 0);
    counts[index + 1] = (counts[index] ?? 0) + (has ? 1 : 0);
    samples[index + 1] = (samples[index] ?? 0) + (share[index] ?? 0);
  }
  const indexOf = (at: number): number => Math.round((at - from) / MINUTE_MS) - 1;

  return {
    value(at) {
      const value = values[indexOf(at)] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    },
    window(at, spanMs) {
      const length = Math.max(1, Math.ceil(spanMs / MINUTE_MS));
      const end = Math.min(size, Math.max(0, indexOf(at) + 1));
      const start = Math.max(0, end - length);
      const count = (counts[end] ?? 0) - (counts[start] ?? 0);
      const sum = (sums[end] ?? 0) - (sums[start] ?? 0);
      return {
        mean: count === 0 ? null : sum / count,
        coverage: ((samples[end] ?? 0) - (samples[start] ?? 0)) / length,
      };
    },
    lastSeen(at) {
      const index = seen[Math.min(size - 1, indexOf(at))] ?? -1;
      return index < 0 ? null : from + (index + 1) * MINUTE_MS;
    },
  };
}

/** How a rule makes its value out of the minutes. */
export type Reading = "value" | "change" | "silence";

/**
 * What the minute that ends at `at` says to a condition. `change` is the difference to `spanMs` before; `silence` the
 * seconds without any data, counted from `knownFrom` at the earliest.
 */
export function readSample(
  minutes: Minutes,
  reading: Reading,
  at: number,
  rule: Condition,
  { spanMs, knownFrom, settling }: { spanMs: number; knownFrom: number; settling: boolean },
): Sample {
  const clear = minutes.window(at, rule.clear_for_ms);
  if (reading === "silence") {
    const value = (at - Math.max(minutes.lastSeen(at) ?? knownFrom, knownFrom)) / 1000;
    return { value: Math.max(0, value), mean: value, coverage: 1, clear_coverage: 1, span_ms: 0, settling };
  }
  if (reading === "change") {
    const now = minutes.value(at);
    const before = minutes.value(at - spanMs);
    const { coverage } = minutes.window(at, spanMs);
    const value = now === null || before === null || coverage < 0.8 ? null : now - before;
    return { value, mean: value, coverage, clear_coverage: clear.coverage, span_ms: MINUTE_MS, settling };
  }
  const { mean, coverage } = minutes.window(at, rule.for_ms);
  return {
    value: minutes.value(at),
    mean,
    coverage,
    clear_coverage: clear.coverage,
    span_ms: MINUTE_MS,
    settling,
  };
}
