import { availableParallelism } from "node:os";
import { startThread, type Thread } from "../../kernel/thread.ts";
import { systemClock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { createGate } from "../../lib/gate.ts";
import { withPatience } from "../../lib/patience.ts";
import { ARGON, type HashAnswer, type HashQuestion } from "./messages.ts";

/** Many times what a hash takes on a machine that has a moment to spare. */
const PATIENCE_MS = seconds(0.5);

/** How many hashes are computed at a time on a machine with `cores`: two, but one core stays with whoever answers requests. */
export function parallelHashes(cores: number): number {
  return Math.max(1, Math.min(2, cores - 1));
}

/** The runtime's own threads: they compete with everything else, and so cannot be starved. */
async function computeAmongOthers({ password, hash }: HashQuestion): Promise<HashAnswer> {
  if (hash === null) return { hash: await Bun.password.hash(password, ARGON), matches: true };
  return { hash, matches: await Bun.password.verify(password, hash) };
}

/** Computes in a thread that makes room for everything else; on a machine with no time to spare, not in that one. */
function createHasher() {
  let thread: Thread<HashQuestion, HashAnswer> | null = null;
  let isBusy = false;
  return {
    isFree: () => !isBusy,
    async compute(question: HashQuestion): Promise<HashAnswer> {
      thread ??= startThread("shared/password/thread");
      isBusy = true;
      const answer = thread.ask(question).finally(() => {
        isBusy = false;
      });
      return await withPatience(systemClock, PATIENCE_MS, answer).catch(() => computeAmongOthers(question));
    },
  };
}

// For the whole process: the rest queue.
const hashers = Array.from({ length: parallelHashes(availableParallelism()) }, createHasher);
const gate = createGate(hashers.length);

/** Makes a hash, or compares with one, when it is its turn. Throws when `hash` is none. */
export function computeHash(question: HashQuestion): Promise<HashAnswer> {
  return gate(() => {
    const free = hashers.find((hasher) => hasher.isFree());
    return free ? free.compute(question) : computeAmongOthers(question);
  });
}
