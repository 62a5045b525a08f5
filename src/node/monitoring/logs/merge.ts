import { compareTimes } from "../../../lib/moment.ts";

interface Offer<Item> {
  item: Item;
  taken(): void;
}

/**
 * Brings several streams of items into one, which is read as slowly as one likes: each stream offers one item and goes on when that
 * has been taken, so nothing gathers here. Of those on offer the earliest is next.
 */
export function createMerge<Item extends { at: string | null }>(signal: AbortSignal) {
  const offers: Offer<Item>[] = [];
  let wake = () => {};
  /** Given to the reader, who has not come back for more. */
  let given: Offer<Item> | undefined;
  const onAbort = (): void => {
    given?.taken();
    for (const { taken } of offers.splice(0)) taken();
    wake();
  };
  signal.addEventListener("abort", onAbort, { once: true });

  function takeEarliest(): Offer<Item> | undefined {
    let best = 0;
    for (let index = 1; index < offers.length; index += 1) {
      if (compareTimes(offers[index]?.item.at ?? null, offers[best]?.item.at ?? null) < 0) best = index;
    }
    return offers.splice(best, 1)[0];
  }

  return {
    /** Lets a stream take part until it ends. Throws what it throws. */
    async add(stream: AsyncIterable<Item>): Promise<void> {
      for await (const item of stream) {
        if (signal.aborted) return;
        await new Promise<void>((taken) => {
          offers.push({ item, taken });
          wake();
        });
      }
    },
    /** What all of them bring, until `signal` aborts. */
    async *items(): AsyncIterable<Item> {
      while (!signal.aborted) {
        given = takeEarliest();
        if (given === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        yield given.item;
        given.taken();
      }
    },
  };
}
