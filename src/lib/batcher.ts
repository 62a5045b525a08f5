import { onNobodysErrand } from "./standing.ts";

interface Waiting<T> {
  item: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Writes items with `write`, one batch at a time: those that come while others are being written share the next batch, of
 * at most `max`. The function it gives resolves once its item is written. A batch that fails is tried again item by item,
 * so that only the item that cannot be written fails.
 */
export function createBatcher<T>(write: (items: readonly T[]) => Promise<void>, max: number) {
  let waiting: Waiting<T>[] = [];
  let isWriting = false;

  /** Writes a batch; a failure is told to those who wait only when it is `final`. */
  async function settle(batch: readonly Waiting<T>[], final: boolean): Promise<boolean> {
    try {
      await write(batch.map(({ item }) => item));
    } catch (error) {
      if (final) for (const { failed } of batch) failed(error);
      return false;
    }
    for (const { done } of batch) done();
    return true;
  }

  async function run(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      if (await settle(batch, batch.length === 1)) continue;
      if (batch.length > 1) for (const each of batch) await settle([each], true);
    }
    isWriting = false;
  }

  return (item: T): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isWriting) void onNobodysErrand(run);
    });
}
