/**
 * The body of an answer that is read piece by piece: one is asked for when the one before has left, so that a slow reader costs no
 * memory. `end` is called once nothing more is read, whether all of it left, something failed or the reader went.
 */
export function pulledBody(bytes: AsyncIterable<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next();
          if (next.done !== true) return controller.enqueue(next.value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel() {
        // What it is read from goes at once, and with it what is still to come.
        end();
        void Promise.resolve(source.return?.()).catch(() => "it has ended by itself");
      },
    },
    { highWaterMark: 1 },
  );
}
