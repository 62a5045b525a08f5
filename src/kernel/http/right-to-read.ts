import { seconds } from "../../lib/duration.ts";

/** So late at most is noticed what ends without a word, by its time or by another process at work on the data. */
const ASK_EACH_MS = seconds(5);

/** What lets somebody read the answer to their request. */
interface Right {
  /** Grows when anybody's may have ended. */
  epoch(): number;
  monotonic(): number;
  /** The epoch in which they were let in. */
  since: number;
  /** Throws the refusal where theirs has ended. */
  ask(): void;
}

const rights = new WeakMap<Request, Right>();

/** Takes note of what lets somebody read the answer to a request. */
export const noteRight = (request: Request, right: Right): unknown => rights.set(request, right);

/**
 * Has `ask` throw too, where what the rule of the route knows nothing of has ended: a link, the key of a place. To be called before the
 * answer is made.
 */
export function alsoAsk(request: Request, ask: () => void): void {
  const right = rights.get(request);
  if (!right) return;
  noteRight(request, {
    ...right,
    ask() {
      right.ask();
      ask();
    },
  });
}

/**
 * What is called before each piece of an answer that takes its time, and throws once its reader may have no more of it. They are asked
 * about after each change and every few seconds; nobody is where nothing is read.
 */
export function watchRight(request: Request): () => void {
  const right = rights.get(request);
  if (!right) return () => {};
  let epoch = right.since;
  let at = right.monotonic();
  return () => {
    const now = { epoch: right.epoch(), at: right.monotonic() };
    if (now.epoch === epoch && now.at - at < ASK_EACH_MS) return;
    ({ epoch, at } = now);
    right.ask();
  };
}
