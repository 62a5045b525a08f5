import type { Clock } from "./clock.ts";

/** Asked after each piece of work: a promise when others have to go before the next one, else nothing to wait for. */
export type Pace = (work?: number) => Promise<void> | undefined;

/** So many pieces, of some microseconds each, are done at one go: a few milliseconds. */
const STRIDE = 1_000;

/** Counts pieces of work, 1 each unless said otherwise, and lets others go once they are many. */
export function createPace(othersFirst: () => Promise<void>, stride = STRIDE): Pace {
  let done = 0;
  return (work = 1) => {
    done += work;
    if (done < stride) return undefined;
    done = 0;
    return othersFirst();
  };
}

/** So long is worked at one go. */
const STRETCH_MS = 4;

/** Lets others go once work has lasted for a few milliseconds. It is asked between pieces that are short themselves. */
export function createTimedPace(
  clock: Pick<Clock, "monotonic">,
  othersFirst: () => Promise<void>,
): () => Promise<void> | undefined {
  let begun = clock.monotonic();
  return () => {
    if (clock.monotonic() - begun < STRETCH_MS) return undefined;
    return othersFirst().then(() => {
      begun = clock.monotonic();
    });
  };
}

/** The items in order, as `toSorted` gives them, with others going between the parts of it. */
export async function sortAtPace<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pace: Pace,
  run = STRIDE,
): Promise<Item[]> {
  let sorted: Item[] = [];
  for (let start = 0; start < items.length; start += run) {
    sorted.push(...items.slice(start, start + run).sort(compare));
    await pace(run);
  }
  for (let width = run; width < items.length; width *= 2) {
    const merged: Item[] = [];
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const middle = Math.min(start + width, sorted.length);
      const end = Math.min(start + 2 * width, sorted.length);
      let [left, right] = [start, middle];
      while (left < middle || right < end) {
        const [one, other] = [sorted[left] as Item, sorted[right] as Item];
        const isLeft = right >= end || (left < middle && compare(one, other) <= 0);
        merged.push(isLeft ? one : other);
        if (isLeft) left += 1;
        else right += 1;
        const turn = pace();
        if (turn) await turn;
      }
    }
    sorted = merged;
  }
  return sorted;
}
