/** A bounded queue between a producer that must not wait and one async reader. */
export interface Channel<T> extends AsyncIterable<T> {
  /** Adds an item; when full the oldest is dropped. */
  push(item: T): void;
  /** Ends the iteration once the queue is empty. */
  close(): void;
}

/** A channel of at most `capacity` waiting items that also ends when `signal` aborts. */
export function createChannel<T>(capacity: number, signal?: AbortSignal): Channel<T> {
  const queue: { item: T }[] = [];
  let closed = signal?.aborted ?? false;
  let wake: (() => void) | null = null;
  const close = () => {
    closed = true;
    signal?.removeEventListener("abort", close);
    wake?.();
  };
  signal?.addEventListener("abort", close, { once: true });

  return {
    push(item) {
      if (closed) return;
      if (queue.length >= capacity) queue.shift();
      queue.push({ item });
      wake?.();
    },
    close,
    async *[Symbol.asyncIterator]() {
      while (true) {
        if (signal?.aborted) return;
        const next = queue.shift();
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
