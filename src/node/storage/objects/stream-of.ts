/** A piece is read when the one before has left, so that a slow reader costs no memory. */
export function streamOf(bytes: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await bytes.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          controller.error(error);
        }
      },
      async cancel() {
        await bytes.return();
      },
    },
    { highWaterMark: 0 },
  );
}
