/** Lines on one time axis; null is a gap. */
export interface Lines {
  /** Epoch ms, ascending. */
  times: number[];
  values: (number | null)[][];
}

/** More points than these cannot be told apart on any screen. */
const most = 20_000;

/**
 * Puts lists of times and values on one axis. Where more than two and a half steps are missing a gap is put in, so that a time without
 * figures is not drawn as if there were some; `stepMs` is the usual distance, taken from the data when left out.
 */
export function linesOf(
  lists: readonly (readonly (readonly [time: number, value: number])[])[],
  stepMs?: number,
): Lines {
  const known = [...new Set(lists.flatMap((list) => list.map(([time]) => time)))]
    .filter(Number.isFinite)
    .sort(ascending);
  const times = withGaps(known.slice(-most), stepMs ?? usualStep(known));
  const values = lists.map((list) => {
    const byTime = new Map(list);
    return times.map((time) => byTime.get(time) ?? null);
  });
  return { times, values };
}

const ascending = (a: number, b: number): number => a - b;

/** The distance that half of the neighbours do not exceed. */
function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return steps.sort(ascending)[Math.floor(steps.length / 2)] ?? 0;
}

function withGaps(times: readonly number[], step: number): number[] {
  if (step <= 0) return [...times];
  return times.flatMap((time, index) => {
    const next = times[index + 1];
    return next !== undefined && next - time > step * 2.5 ? [time, time + step] : [time];
  });
}
