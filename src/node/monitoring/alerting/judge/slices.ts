import type { Own } from "../needs.ts";

/** Lets others have their turn. */
export type Pause = () => Promise<void>;

const FIRST_SLICE = 4;
const LARGEST_SLICE = 20;
/** How long a slice shall keep others waiting. */
const SLICE_MS = 5;

/** Works through a list in slices of a few milliseconds, by how long the one before took, with a pause between two. */
export async function inSlices<T>(
  { host }: Pick<Own, "host">,
  list: readonly T[],
  pause: Pause,
  work: (slice: readonly T[]) => void,
): Promise<void> {
  let size = FIRST_SLICE;
  for (let start = 0; start < list.length; ) {
    if (start > 0) await pause();
    const began = host.clock.monotonic();
    work(list.slice(start, start + size));
    start += size;
    const each = (host.clock.monotonic() - began) / size;
    size = Math.max(1, Math.min(LARGEST_SLICE, Math.floor(SLICE_MS / Math.max(each, 0.01))));
  }
}
