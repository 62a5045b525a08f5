import { watchRight } from "./right-to-read.ts";

/**
 * The body of the answer to `request`, which is read piece by piece: one is asked for when the one before has left, so that a slow reader
 * costs no memory, and it breaks off once its reader may have no more of it. `end` is called once nothing more is read, whether all of it
 * left, something failed or the reader went. `ahead` pieces are read before they are asked for.
 */
export function pulledBody(
  request: Request,
  bytes: AsyncIterable<Uint8Array>,
  end: () => void,
  ahead = 1,
): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  const requireRight = watchRight(request);
  // What it is read from goes at once, and with it what is still to come.
  async function giveUp(): Promise<void> {
    end();
    await Promise.resolve(source.return?.()).catch(() => "it has ended by itself");
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next();
          if (next.done !== true) {
            requireRight();
            return controller.enqueue(next.value);
          }
          controller.close();
          end();
        } catch (error) {
          controller.error(error);
          await giveUp();
        }
      },
      cancel: giveUp,
    },
    { highWaterMark: ahead },
  );
}
