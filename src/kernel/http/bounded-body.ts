import type { Take } from "./body-budget.ts";
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

/** The bytes of a body, of which `take` is told before each piece is passed on. */
export async function* counting(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: Take,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of body) {
    take(piece.length);
    yield piece;
  }
}
