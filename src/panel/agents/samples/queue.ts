import type { Sample } from "./port.ts";

/** One row of the raw tables: number, time, then the figures as whole numbers, null for unknown. */
export type SampleRow = readonly (number | null)[];

const COLUMNS = ["no", "at", "cpu", "memory", "disk", "net_in", "net_out"] as const;

/** Whole numbers take a third of the room of fractions: hundredths of a percent, bytes. */
const SCALE = { no: 1, at: 1, cpu: 100, memory: 100, disk: 100, net_in: 1, net_out: 1 };

/** Samples that wait for the disk, in a fixed room. */
export function createSampleQueue(capacity: number) {
  const column = () => new Float64Array(capacity);
  const columns = {
    ...{ no: column(), at: column() },
    ...{ cpu: column(), memory: column(), disk: column(), net_in: column(), net_out: column() },
  };
  const { no, at } = columns;
  let count = 0;
  let dropped = 0;

  function copy(from: number, to: number): void {
    for (const name of COLUMNS) columns[name][to] = columns[name][from] ?? Number.NaN;
  }

  /** Null also for what no column can hold: one such row would keep all others from the disk, again and again. */
  function whole(name: (typeof COLUMNS)[number], index: number): number | null {
    const value = Math.round((columns[name][index] ?? Number.NaN) * SCALE[name]);
    return Number.isSafeInteger(value) ? value : null;
  }

  /** Keeps the newest sample of every node, and of those at most half the room: the newest. */
  function thin(): void {
    const seen = new Set<number>();
    const kept: number[] = [];
    for (let index = count - 1; index >= 0 && kept.length < capacity / 2; index--) {
      const node = no[index] ?? 0;
      if (seen.has(node)) continue;
      seen.add(node);
      kept.push(index);
    }
    kept.reverse();
    for (const [to, from] of kept.entries()) copy(from, to);
    dropped += count - kept.length;
    count = kept.length;
  }

  return {
    push(sample: Sample): void {
      if (count === capacity) thin();
      for (const name of COLUMNS) columns[name][count] = sample[name];
      count += 1;
    },
    size: () => count,
    pressure: () => count / capacity,
    /** How many were thinned out since the last call. */
    takeDropped(): number {
      const told = dropped;
      dropped = 0;
      return told;
    },
    /** Takes the oldest `max` samples out, ordered by node and time. */
    drain(max: number): SampleRow[] {
      const size = Math.min(max, count);
      const order = Array.from({ length: size }, (_, index) => index);
      order.sort((a, b) => (no[a] ?? 0) - (no[b] ?? 0) || (at[a] ?? 0) - (at[b] ?? 0));
      const rows = order.map((index) => COLUMNS.map((name) => whole(name, index)));
      for (let index = size; index < count; index++) copy(index, index - size);
      count -= size;
      return rows;
    },
  };
}
