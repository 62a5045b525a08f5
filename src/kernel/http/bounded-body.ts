import { kernelFail } from "./errors.ts";

/** The bytes of a body, of which there may be at most so many. Throws `payload_too_large`. */
export async function* atMost(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit) throw kernelFail("payload_too_large", { limit_bytes: limit });
    yield piece;
  }
}
