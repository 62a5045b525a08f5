/** Lets others have their turn. */
export type Pause = () => Promise<void>;

/** So many judgings or messages take a few milliseconds at most. */
const SLICE = 20;

/** Works through a list in slices, with a pause between two of them. */
export async function inSlices<T>(
  list: readonly T[],
  pause: Pause,
  work: (slice: readonly T[]) => void,
): Promise<void> {
  for (let start = 0; start < list.length; start += SLICE) {
    if (start > 0) await pause();
    work(list.slice(start, start + SLICE));
  }
}
