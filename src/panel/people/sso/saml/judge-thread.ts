/** The program of the thread that judges answers of SAML: one that is made for it takes the better part of a second. */
import { answerQuestions } from "../../../../kernel/thread.ts";
import type { JudgeAnswer, JudgeQuestion } from "./judge-messages.ts";
import { receive } from "./receive.ts";

answerQuestions(async ({ encoded, trust }: JudgeQuestion): Promise<JudgeAnswer> => {
  const { refused, ...received } = await receive(encoded, trust);
  if (refused === null) return { ...received, refused };
  const { refusal, message, advice } = refused;
  return { ...received, refused: { refusal, message, advice } };
});
