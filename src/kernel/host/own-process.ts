/** Processes that run a part of this very program: what they are given may take their memory, hang or crash them. */
import { systemClock } from "../../lib/clock.ts";
import { readLines } from "../../lib/lines.ts";
import { locateProgram } from "../thread.ts";

/** The word with which the compiled file runs one of its parts; no command. */
const WORD = "part";
/** Bytes of an answer: what is longer comes cut, and cannot be read. */
const LONGEST_ANSWER = 64 * 1024;

/** A process that answers one question after the other. */
export interface OwnProcess<Question, Answer> {
  /** Throws `ProcessEnded` where it ended instead, also because it took longer than `patienceMs` or what it said is no answer. */
  ask(question: Question, patienceMs: number): Promise<Answer>;
  /** Ends it at once. */
  end(): void;
}

/** A process ended before it had answered. */
export class ProcessEnded extends Error {
  /** It had used up its time: on a processor, or until somebody lost patience. */
  readonly isLate: boolean;

  constructor(isLate: boolean) {
    super("the process ended before it answered");
    this.isLate = isLate;
  }
}

/** What a line says; null where nobody can tell. */
function parse<Answer>(line: string): { is: Answer } | null {
  try {
    return { is: JSON.parse(line) };
  } catch {
    return null;
  }
}

/**
 * Starts a process with the program `src/<name>.ts`, which calls `answerAsProcess`; src/build/binary.ts must list it. It has nothing of this
 * one's environment, and is killed when `until` aborts.
 */
export function startProcess<Question, Answer>(name: string, until: AbortSignal): OwnProcess<Question, Answer> {
  const { path, isCompiled } = locateProgram(name);
  // By this path the very file that runs, also where another one has taken its place.
  const child = Bun.spawn(["/proc/self/exe", ...(isCompiled ? [WORD, name] : [path])], {
    stdio: ["pipe", "pipe", "ignore"],
    cwd: "/",
    // Memory is taken from the kernel piece by piece, so that its limit holds.
    env: { MIMALLOC_ARENA_RESERVE: "0" },
    signal: until,
    killSignal: "SIGKILL",
  });
  const lines = readLines(child.stdout, LONGEST_ANSWER)[Symbol.asyncIterator]();
  return {
    async ask(question, patienceMs) {
      let isLate = false;
      const cancel = systemClock.after(patienceMs, () => {
        isLate = true;
        child.kill("SIGKILL");
      });
      try {
        child.stdin.write(`${JSON.stringify(question)}\n`);
        child.stdin.flush();
        const { value, done } = await lines.next();
        const answer = done === true ? null : parse<Answer>(value);
        if (answer !== null) return answer.is;
        child.kill("SIGKILL");
        await child.exited;
        throw new ProcessEnded(isLate || child.signalCode === "SIGXCPU");
      } finally {
        cancel();
      }
    },
    end: () => child.kill("SIGKILL"),
  };
}

/** The other side: what such a program does with each question, until nobody can ask any more. */
export async function answerAsProcess<Question, Answer>(answer: (question: Question) => Answer): Promise<void> {
  for await (const line of readLines(Bun.stdin.stream()))
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}

/** Runs the part that the words of the command line name; false where they name none. Answers when it has ended. */
export async function runPart([word, name]: readonly string[]): Promise<boolean> {
  if (word !== WORD || name === undefined) return false;
  await import(locateProgram(name).path);
  return true;
}
