import type { Clock } from "./clock.ts";

/** How long a part of something may become: pieces, and milliseconds after which no further piece begins. */
export interface PartBounds {
  most: number;
  ms: number;
}

/**
 * Does `work` to the items in order until the part is full by number or by time, whatever each of them costs; gives those that are left.
 * One is always done, so that the next part goes on behind it.
 */
export async function doPart<Item>(
  clock: Pick<Clock, "monotonic">,
  { most, ms }: PartBounds,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<readonly Item[]> {
  const end = clock.monotonic() + ms;
  for (const [done, item] of items.entries()) {
    if (done > 0 && (done >= most || clock.monotonic() >= end)) return items.slice(done);
    await work(item);
  }
  return [];
}
