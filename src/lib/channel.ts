/** A bounded queue between a producer that must not wait and one async reader. */
export interface Channel<T> extends AsyncIterable<T> {
  /** Adds an item; when full the oldest is dropped. */
  push(item: T): void;
  /** Ends the iteration once the queue is empty. */
  close(): void;
}

/** What items cost, where their number bounds nothing, and the most that all that wait may cost. */
interface Cost<T> {
  of(item: T): number;
  most: number;
}

/** A channel of at most `capacity` waiting items, or of as many as `cost` has room for, that also ends when `signal` aborts. */
export function createChannel<T>(capacity: number, signal?: AbortSignal, cost?: Cost<T>): Channel<T> {
  const queue: { item: T }[] = [];
  let held = 0;
  let closed = signal?.aborted ?? false;
  let wake: (() => void) | null = null;
  const close = () => {
    closed = true;
    signal?.removeEventListener("abort", close);
    wake?.();
  };
  signal?.addEventListener("abort", close, { once: true });

  function take(): { item: T } | undefined {
    const first = queue.shift();
    if (first && cost) held -= cost.of(first.item);
    return first;
  }

  return {
    push(item) {
      if (closed) return;
      held += cost?.of(item) ?? 0;
      while (queue.length > 0 && (queue.length >= capacity || (cost && held > cost.most))) take();
      queue.push({ item });
      wake?.();
    },
    close,
    async *[Symbol.asyncIterator]() {
      while (true) {
        if (signal?.aborted) return;
        const next = take();
        if (next) {
          yield next.item;
          continue;
        }
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
      }
    },
  };
}
