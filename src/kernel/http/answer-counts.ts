/** How a program's own requests went. */
export interface AnswerCounts {
  /** Counts an answer with that HTTP status. */
  note(status: number): void;
  /** All answers since the start, and those of them that nobody meant: status 500. */
  read(): { answers: number; failures: number };
}

/** The status of what no code of ours foresaw. Others, as 503 without a container engine, say what is the matter. */
const UNFORESEEN = 500;

/** Counts that begin at zero. */
export function createAnswerCounts(): AnswerCounts {
  let answers = 0;
  let failures = 0;
  return {
    note(status) {
      answers += 1;
      if (status === UNFORESEEN) failures += 1;
    },
    read: () => ({ answers, failures }),
  };
}
