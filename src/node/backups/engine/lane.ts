/** What is worked on at a time: enough for every processor and for what waits for a disk, little enough to be held in memory. */
const AT_ONCE = 4;

/** Work that goes on side by side and whose results are taken in the order in which it began. */
export interface Lane<Result> {
  /** Adds some; waits while too much is on its way. Throws what earlier work threw. */
  add(work: Promise<Result>): Promise<void>;
  /** Waits for the rest. */
  end(): Promise<void>;
}

/** An empty lane. */
export function createLane<Result>(take: (result: Result) => Promise<void> | void): Lane<Result> {
  const onTheWay: Promise<Result>[] = [];
  const leave = async (most: number): Promise<void> => {
    while (onTheWay.length > most) {
      const first = onTheWay.shift();
      if (first) await take(await first);
    }
  };
  return {
    async add(work) {
      // It is heard of when its turn comes; until then it is no failure that nobody heeds.
      work.catch(() => {});
      onTheWay.push(work);
      await leave(AT_ONCE - 1);
    },
    end: () => leave(0),
  };
}

/** What `work` makes of each of them, in their order, while the next ones are worked on. */
export async function* ahead<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const ready: Result[] = [];
  const lane = createLane<Result>((result) => void ready.push(result));
  for await (const item of items) {
    await lane.add(work(item));
    yield* ready.splice(0);
  }
  await lane.end();
  yield* ready;
}
