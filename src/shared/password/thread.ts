/** The thread that computes password hashes, after everything else that has work to do. */
import { setPriority } from "node:os";
import { answerQuestions } from "../../kernel/thread.ts";
import { ARGON, type HashAnswer, type HashQuestion } from "./messages.ts";

const CALLING_THREAD = 0;
const NICEST = 19;

// Not the idle class: who wakes up counts a processor with such work as free, waits there, and at times for a whole tick.
setPriority(CALLING_THREAD, NICEST);

answerQuestions(({ password, hash }: HashQuestion): HashAnswer => {
  if (hash === null) return { hash: Bun.password.hashSync(password, ARGON), matches: true };
  return { hash, matches: Bun.password.verifySync(password, hash) };
});
