/** The program of the thread that sums up large objects as they come. */
import { answerQuestions } from "../../../kernel/thread.ts";
import { createSum, type Sum } from "./checksums.ts";
import type { SumsAnswer, SumsQuestion } from "./coming-sums.ts";

/** Of each object on its way, by its number. */
const coming = new Map<number, Sum[]>();

answerQuestions<SumsQuestion, SumsAnswer>(({ id, algorithms, bytes }) => {
  const sums = coming.get(id) ?? algorithms.map(createSum);
  if (bytes !== null) {
    coming.set(id, sums);
    for (const sum of sums) sum.add(bytes);
    return [];
  }
  coming.delete(id);
  return sums.map((sum) => new Uint8Array(sum.digest()));
});
