/** Texts that are sorted at one go, a few milliseconds. */
const RUN = 12_288;
/** Texts that are merged at one go. */
const STRIDE = 32_768;

/**
 * The texts in plain order, in steps: a generator that yields whenever it has worked for a few milliseconds, so that the
 * caller can let others go first. Draining it at once gives the same.
 */
export function* sortInSteps(texts: readonly string[]): Generator<void, string[]> {
  let runs: string[][] = [];
  for (let start = 0; start < texts.length; start += RUN) {
    // Without a comparison function strings sort several times as fast.
    runs.push(texts.slice(start, start + RUN).sort());
    yield;
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [first = [], second] = runs.slice(index, index + 2);
      longer.push(second ? yield* merge(first, second) : first);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merge(first: readonly string[], second: readonly string[]): Generator<void, string[]> {
  const merged: string[] = [];
  let left = 0;
  let right = 0;
  while (left < first.length || right < second.length) {
    const [a, b] = [first[left], second[right]];
    if (b === undefined || (a !== undefined && a <= b)) {
      merged.push(a ?? "");
      left++;
    } else {
      merged.push(b);
      right++;
    }
    if (merged.length % STRIDE === 0) yield;
  }
  return merged;
}

/** The result of work in steps, all at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  while (true) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The result of work in steps, with `pause` after each; where it gives nothing to wait for, the next one follows at once. */
export async function inSteps<T>(steps: Generator<void, T>, pause: () => Promise<unknown> | undefined): Promise<T> {
  while (true) {
    const step = steps.next();
    if (step.done) return step.value;
    const others = pause();
    if (others) await others;
  }
}
