import { startThread, type Thread } from "../../../kernel/thread.ts";
import { systemClock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createSum, type Summed } from "./checksums.ts";

/** What the thread is asked: to add bytes of an object to its sums, or, without bytes, what they are and to forget it. */
export interface SumsQuestion {
  id: number;
  algorithms: readonly Summed[];
  bytes: Uint8Array | null;
}

/** The sums, in the order of their algorithms; none while more is to come. */
export type SumsAnswer = Uint8Array[];

/** Sums of bytes as they come. */
export interface ComingSums {
  /** Takes the next bytes, which nobody may change afterwards. Waits where too many are on their way to be summed up. */
  add(bytes: Uint8Array): Promise<void>;
  /** The sums, in the order of their algorithms. */
  end(): Promise<Uint8Array[]>;
  /** Forgets them. */
  drop(): void;
}

/** What is summed up at once, and goes to the thread in one go; what has no more than that is summed up here. */
const PIECE_BYTES = 256 * 1024;
/** Pieces of one object that may be on their way. */
const AHEAD = 4;
/** An unused thread holds some megabytes, and is started again in a few milliseconds. */
const UNUSED_MS = seconds(10);

// One thread for the whole process: MD5 takes as long as all else that is done to a large object, and nobody else shall wait for it.
let thread: Thread<SumsQuestion, SumsAnswer> | null = null;
let last = 0;
let inUse = 0;
let keep = () => {};

/** The thread, for as long as `leave` has not been called. */
function useThread(): { thread: Thread<SumsQuestion, SumsAnswer>; leave(isBroken: boolean): void } {
  keep();
  inUse += 1;
  if (thread === null || thread.isOver()) thread = startThread("node/storage/objects/sums-thread");
  const used = thread;
  const end = (): void => {
    used.end();
    if (thread === used) thread = null;
  };
  return {
    thread: used,
    leave(isBroken) {
      inUse -= 1;
      if (isBroken) end();
      else if (inUse === 0) keep = systemClock.after(UNUSED_MS, end);
    },
  };
}

/** An object whose sums the thread works out. */
function sumAside(algorithms: readonly Summed[]) {
  last += 1;
  const id = last;
  const use = useThread();
  const asked: Promise<SumsAnswer>[] = [];
  let isOver = false;

  function leave(isBroken: boolean): void {
    if (isOver) return;
    isOver = true;
    use.leave(isBroken);
  }

  async function heed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      leave(true);
      throw error;
    }
  }

  return {
    async add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      const answer = use.thread.ask({ id, algorithms, bytes }, [bytes.buffer]);
      // It is heard of when its turn comes.
      answer.catch(() => {});
      asked.push(answer);
      const first = asked.length > AHEAD ? asked.shift() : undefined;
      if (first) await heed(first);
    },
    async end(): Promise<Uint8Array[]> {
      const sums = await heed(use.thread.ask({ id, algorithms, bytes: null }));
      leave(false);
      return sums;
    },
    drop(): void {
      if (isOver) return;
      use.thread.ask({ id, algorithms, bytes: null }).catch(() => {});
      leave(false);
    },
  };
}

/** Begins to sum up an object: a small one here, a large one in a thread of its own. Throws Error where that thread died. */
export function createComingSums(algorithms: readonly Summed[]): ComingSums {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let aside: ReturnType<typeof sumAside> | null = null;

  async function send(): Promise<void> {
    const piece = new Uint8Array(heldBytes);
    let at = 0;
    for (const bytes of held) {
      piece.set(bytes, at);
      at += bytes.length;
    }
    held = [];
    heldBytes = 0;
    aside ??= sumAside(algorithms);
    await aside.add(piece);
  }

  return {
    async add(bytes) {
      if (heldBytes + bytes.length > PIECE_BYTES && heldBytes > 0) await send();
      held.push(bytes);
      heldBytes += bytes.length;
    },
    async end() {
      if (aside !== null) {
        if (heldBytes > 0) await send();
        return await aside.end();
      }
      return algorithms.map((algorithm) => {
        const sum = createSum(algorithm);
        for (const bytes of held) sum.add(bytes);
        return sum.digest();
      });
    },
    drop: () => aside?.drop(),
  };
}
