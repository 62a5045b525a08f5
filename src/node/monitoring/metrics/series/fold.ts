import { figuresOf, type Kind } from "./columns.ts";
import type { StoredRow } from "./series-store.ts";

/** Figures of one entity at one moment, by name; null or left out is unknown. */
export type Values = Readonly<Record<string, number | null>>;

/** Samples of one bucket, as they add up in memory. */
export interface Fold {
  kind: Kind;
  n: number;
  counts: number[];
  sums: number[];
  maxima: (number | null)[];
}

export function emptyFold(kind: Kind): Fold {
  const size = figuresOf(kind).length;
  return { kind, n: 0, counts: Array(size).fill(0), sums: Array(size).fill(0), maxima: Array(size).fill(null) };
}

/** Adds one sample. */
export function foldValues(fold: Fold, values: Values): void {
  fold.n += 1;
  for (const [index, [name, scale]] of figuresOf(fold.kind).entries()) {
    const value = values[name] ?? null;
    if (value === null || !Number.isFinite(value)) continue;
    const stored = value * scale;
    fold.counts[index] = (fold.counts[index] ?? 0) + 1;
    fold.sums[index] = (fold.sums[index] ?? 0) + stored;
    fold.maxima[index] = Math.max(fold.maxima[index] ?? Number.NEGATIVE_INFINITY, Math.round(stored));
  }
}

/** The row of a bucket. */
export function foldedRow(fold: Fold, bucket: number): StoredRow {
  const avg = fold.sums.map((sum, index) => {
    const count = fold.counts[index] ?? 0;
    return count === 0 ? null : Math.round(sum / count);
  });
  return { bucket, n: fold.n, avg, max: [...fold.maxima] };
}

const larger = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b > a) ? b : a);

function weightedMean(rows: readonly StoredRow[], index: number): number | null {
  let sum = 0;
  let weight = 0;
  for (const { n, avg } of rows) {
    const value = avg[index] ?? null;
    if (value === null) continue;
    sum += value * n;
    weight += n;
  }
  return weight === 0 ? null : Math.round(sum / weight);
}

/** Joins rows into buckets `size` times as long: what roll-up does in SQL, for buckets that are still open. */
export function joinRows(rows: readonly StoredRow[], size: number): StoredRow[] {
  const groups = Map.groupBy(rows, ({ bucket }) => Math.floor(bucket / size));
  return [...groups].map(([bucket, members]) => ({
    bucket,
    n: members.reduce((sum, { n }) => sum + n, 0),
    avg: members[0]?.avg.map((_, index) => weightedMean(members, index)) ?? [],
    max: members.reduce<(number | null)[]>(
      (most, { max }) => max.map((value, index) => larger(most[index] ?? null, value)),
      [],
    ),
  }));
}
