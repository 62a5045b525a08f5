/** The thread that computes password hashes, with the time that nothing else on the machine has a use for. */
import { dlopen } from "bun:ffi";
import { setPriority } from "node:os";
import { answerQuestions } from "../../kernel/thread.ts";
import { ARGON, type HashAnswer, type HashQuestion } from "./messages.ts";

const SCHED_IDLE = 5;
const CALLING_THREAD = 0;
const NICEST = 19;

/** Makes this thread one of Linux's idle class; false where that cannot be done. */
function becomeIdleClass(): boolean {
  try {
    const libc = dlopen("libc.so.6", { sched_setscheduler: { args: ["int", "int", "ptr"], returns: "int" } });
    const result = libc.symbols.sched_setscheduler(CALLING_THREAD, SCHED_IDLE, new Int32Array(1));
    libc.close();
    return result === 0;
  } catch {
    return false;
  }
}

// Only next to best: a thread that is merely nice finishes its turn of some milliseconds before one that has just woken
// up to answer a request; one of the idle class makes room at once.
if (!becomeIdleClass()) setPriority(CALLING_THREAD, NICEST);

answerQuestions(({ password, hash }: HashQuestion): HashAnswer => {
  if (hash === null) return { hash: Bun.password.hashSync(password, ARGON), matches: true };
  return { hash, matches: Bun.password.verifySync(password, hash) };
});
