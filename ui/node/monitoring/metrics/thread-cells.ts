/** Tones of the heat map beside the ground; each is a fifth of a whole thread. */
export const tones = 5;

/** The tone of a share in percent, 0 for next to nothing. */
export function toneOf(percent: number): number {
  return percent < 2 ? 0 : Math.min(tones, 1 + Math.floor(percent / (100 / tones)));
}

/** The busiest thread at a place and the mean of all; null where nothing was measured. */
export function threadsAt(
  threads: readonly (readonly (number | null)[])[],
  place: number,
): { busiest: number; percent: number; mean: number } | null {
  let busiest = -1;
  let [percent, sum, count] = [0, 0, 0];
  for (const [thread, values] of threads.entries()) {
    const value = values[place] ?? null;
    if (value === null) continue;
    if (busiest < 0 || value > percent) [busiest, percent] = [thread, value];
    sum += value;
    count += 1;
  }
  return busiest < 0 ? null : { busiest, percent, mean: sum / count };
}

/** The place to tell of where nothing is pointed at: the newest that was measured; -1 without any. */
export function newestPlace(threads: readonly (readonly (number | null)[])[], length: number): number {
  for (let place = length - 1; place >= 0; place--) if (threadsAt(threads, place) !== null) return place;
  return -1;
}

/** Pixels of the height that a thread has: a few threads are broad, many are still seen. */
export function rowHeight(threads: number): number {
  return Math.max(2, Math.min(16, Math.floor(144 / Math.max(1, threads))));
}
