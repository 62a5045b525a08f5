/** What is wrong with one place of a Compose file, in words for the person who wrote it. */
export interface ComposeProblem {
  readonly file: string;
  /** From 1; 0 when the whole file is meant. */
  readonly line: number;
  /** From 1, in the line; 0 where nothing narrower than the line is known. */
  readonly column: number;
  /** Path of keys, such as `services.web.image`; empty for the whole file. */
  readonly key: string;
  readonly message: string;
  readonly next_step: string;
}

/** More of them are corrected by nobody at once. */
const MOST_PROBLEMS = 100;
/** Of what a problem quotes, this much is enough to find it again. */
const MOST_QUOTED = 300;

const shorten = (text: string): string =>
  text.length <= MOST_QUOTED ? text : `${text.slice(0, 150)} … ${text.slice(-100)}`;

/** The first problems, with as much of what they quote as can be read. */
export const boundProblems = (problems: readonly ComposeProblem[]): ComposeProblem[] =>
  problems.slice(0, MOST_PROBLEMS).map((problem) => ({
    ...problem,
    key: shorten(problem.key),
    message: shorten(problem.message),
    next_step: shorten(problem.next_step),
  }));

/** True where what else is found would not be told. */
export const isFull = (problems: readonly ComposeProblem[]): boolean => problems.length >= MOST_PROBLEMS;

/** A Compose file that cannot be used; carries every problem found, in the order of the file. */
export class ComposeError extends Error {
  readonly problems: readonly ComposeProblem[];

  constructor(problems: readonly ComposeProblem[]) {
    super(problems.map(describeProblem).join("\n"));
    this.name = "ComposeError";
    this.problems = problems;
  }
}

/** One line of text: `compose.yaml:12: services.web.image: no image. Write which image to run.` */
export function describeProblem(problem: ComposeProblem): string {
  const place = problem.line > 0 ? `${problem.file}:${problem.line}` : problem.file;
  const key = problem.key === "" ? "" : ` ${problem.key}:`;
  return `${place}:${key} ${problem.message}. ${problem.next_step}.`;
}
