/** The program of the thread that judges answers of SAML: one that is made for it takes the better part of a second. */
import { answerQuestions } from "../../../../kernel/thread.ts";
import type { JudgeAnswer, JudgeQuestion } from "./judge-messages.ts";
import { receive } from "./receive.ts";

answerQuestions(async ({ encoded, trust }: JudgeQuestion): Promise<JudgeAnswer> => {
  const before = process.threadCpuUsage();
  const { refused, ...received } = await receive(encoded, trust);
  const { user, system } = process.threadCpuUsage(before);
  const judged = { ...received, took_ms: (user + system) / 1000 };
  if (refused === null) return { ...judged, refused };
  const { refusal, message, advice } = refused;
  return { ...judged, refused: { refusal, message, advice } };
});
