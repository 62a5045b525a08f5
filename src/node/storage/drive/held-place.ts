import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { withRelease } from "../../../lib/release.ts";

type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

/** Nobody has begun to read for so long, as where only the headers were asked for: the place is given back. */
const BEGIN_MS = seconds(30);

/**
 * Opens what an answer sends under a place that is taken before the answer begins, so that whoever finds none is told so instead of
 * getting an answer that breaks off. The place is given back with the last byte, when nobody reads on, or when nobody begins; who
 * begins after that needs one anew. Throws what `take` and `open` throw.
 */
export async function openUnderPlace(
  clock: Pick<Clock, "after">,
  take: () => () => void,
  open: () => Promise<Bytes>,
): Promise<Bytes> {
  let give: (() => void) | null = take();
  function letGo(): void {
    give?.();
    give = null;
  }
  const bytes = await open().catch((error: unknown) => {
    letGo();
    throw error;
  });
  const forget = clock.after(BEGIN_MS, letGo);
  async function end(): Promise<void> {
    forget();
    letGo();
    await bytes.return();
  }
  async function* held(): Bytes {
    try {
      forget();
      give ??= take();
      yield* bytes;
    } finally {
      await end();
    }
  }
  return withRelease(held(), end);
}
