import { availableParallelism } from "node:os";
import { startThread, type Thread } from "../../kernel/thread.ts";
import { systemClock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import type { Asker } from "../../lib/fair-queue.ts";
import { createHashQueue } from "./hash-queue.ts";
import { ARGON, type HashAnswer, type HashQuestion } from "./messages.ts";

/** Many times what a hash takes on a machine that has a moment to spare. */
const PATIENCE_MS = seconds(1);
/** How long a thread that got no time is left alone afterwards. */
const REST_MS = seconds(10);
/** Between two hashes: whoever waited for the first goes on meanwhile, and what that sets going finds a processor of its own. */
const BREATH_MS = 2;
/** An unused thread holds some megabytes, and is started again in a few milliseconds. */
const UNUSED_MS = seconds(10);

/** How many hashes are computed at a time on a machine with `cores`: two, but one core stays with whoever answers requests. */
export function parallelHashes(cores: number): number {
  return Math.max(1, Math.min(2, cores - 1));
}

/** The runtime's own threads: they compete with everything else, and so cannot be starved. */
async function computeAmongOthers({ password, hash }: HashQuestion): Promise<HashAnswer> {
  if (hash === null) return { hash: await Bun.password.hash(password, ARGON), matches: true };
  return { hash, matches: await Bun.password.verify(password, hash) };
}

/** What comes within `PATIENCE_MS`, otherwise null. */
async function inTime<T>(promise: Promise<T>): Promise<T | null> {
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = systemClock.after(PATIENCE_MS, () => resolve(null));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Computes in a thread that makes room for everything else, and helps itself where that gets no time or no result. */
function createHasher() {
  let thread: Thread<HashQuestion, HashAnswer> | null = null;
  let isFree = true;
  let keep = () => {};

  function end(): void {
    thread?.end();
    thread = null;
  }

  return {
    isFree: () => isFree,
    async compute(question: HashQuestion): Promise<HashAnswer> {
      isFree = false;
      keep();
      thread ??= startThread("shared/password/thread");
      const answer = await inTime(thread.ask(question).catch(() => null));
      if (answer) {
        isFree = true;
        keep = systemClock.after(UNUSED_MS, end);
        return answer;
      }
      // Ended, not left to finish: what nobody waits for any more must not keep a command from ending.
      end();
      systemClock.after(REST_MS, () => {
        isFree = true;
      });
      return await computeAmongOthers(question);
    },
  };
}

// For the whole process: the rest queue.
const hashers = Array.from({ length: parallelHashes(availableParallelism()) }, createHasher);
const queue = createHashQueue(systemClock, hashers.length);

/**
 * Makes a hash, or compares with one, when it is the turn of those for whom it is. Throws `too_many_requests` when too many wait
 * already, and when `hash` is none.
 */
export function computeHash(question: HashQuestion, asker: Asker): Promise<HashAnswer> {
  return new Promise((resolve, reject) => {
    queue(asker, async () => {
      const free = hashers.find((hasher) => hasher.isFree());
      const computing = free ? free.compute(question) : computeAmongOthers(question);
      computing.then(resolve, reject);
      await computing.catch(() => null);
      await systemClock.sleep(BREATH_MS);
    }).catch(reject);
  });
}
