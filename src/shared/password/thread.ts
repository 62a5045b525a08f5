/** The thread that computes password hashes, after everything else that has work to do. */
import { stepAside } from "../../kernel/host/step-aside.ts";
import { answerQuestions } from "../../kernel/thread.ts";
import { ARGON, type HashAnswer, type HashQuestion } from "./messages.ts";

stepAside();

answerQuestions(({ password, hash }: HashQuestion): HashAnswer => {
  if (hash === null) return { hash: Bun.password.hashSync(password, ARGON), matches: true };
  return { hash, matches: Bun.password.verifySync(password, hash) };
});
