/** The program of the thread that writes a store. */
import { answerQuestions } from "../../../kernel/thread.ts";
import type { Answer, Question } from "./operations.ts";
import { openWriter, type Writer } from "./writer.ts";

let writer: Writer | null = null;

answerQuestions<Question, Answer>((question) => {
  const nothing = { outcomes: [], rows: [], more: false, problems: [] };
  if (question.do === "open") {
    writer = openWriter(question);
    return { ...nothing, problems: [...writer.problems] };
  }
  if (writer === null) throw new Error("the store is not open");
  if (question.do === "write") return { ...nothing, ...writer.write(question.operations) };
  if (question.do === "tidy") return { ...nothing, more: writer.tidy(question.mayGrow, question.garbage) };
  writer.close();
  writer = null;
  return nothing;
});
