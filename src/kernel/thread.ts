import { existsSync } from "node:fs";
import { join } from "node:path";

/** A thread of its own that answers one question after the other. It keeps the process alive only while one is open. */
export interface Thread<Question, Answer> {
  /**
   * Throws what answering threw, as a plain Error with its code, and for everything once the thread has died. What is in `given` goes
   * over to the thread, so that it is not copied, and is gone here.
   */
  ask(question: Question, given?: ArrayBuffer[]): Promise<Answer>;
  /** Whether it has died or was stopped. */
  isOver(): boolean;
  /** Aborts when it has died or was stopped. */
  readonly over: AbortSignal;
  /** Stops it at once; what is asked of it afterwards is refused. */
  end(): void;
}

interface Asked<Question> {
  id: number;
  question: Question;
}

type Answered<Answer> = { id: number } & ({ answer: Answer } | { error: string; code: string | null });

/**
 * The file of the program of a thread or a process, `name` as in `shared/password/thread`: compiled files carry it under its path in the
 * checkout.
 */
export function locateProgram(name: string): { path: string; isCompiled: boolean } {
  const bundled = join(import.meta.dir, "src", `${name}.js`);
  return existsSync(bundled)
    ? { path: bundled, isCompiled: true }
    : { path: join(import.meta.dir, "..", `${name}.ts`), isCompiled: false };
}

/**
 * Starts a thread with the program `src/<name>.ts`, which calls `answerQuestions`; src/build/binary.ts must list it. It is stopped when one
 * of `until` aborts, which know nothing of it any more once it is over.
 */
export function startThread<Question, Answer>(
  name: string,
  until: readonly AbortSignal[] = [],
): Thread<Question, Answer> {
  const over = new AbortController();
  const worker = new Worker(locateProgram(name).path, { ref: false });
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let last = 0;
  let broken: Error | null = null;

  function breakOff(error: Error): void {
    broken ??= error;
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
    worker.unref();
    over.abort();
  }

  function end(): void {
    breakOff(new Error(`the thread ${name} was stopped`));
    worker.terminate();
  }

  worker.onmessage = ({ data }: MessageEvent<Answered<Answer>>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if (waiting.size === 0) worker.unref();
    if ("error" in data)
      asker?.reject(Object.assign(new Error(data.error), data.code === null ? {} : { code: data.code }));
    else asker?.resolve(data.answer);
  };
  worker.onerror = ({ message }) => breakOff(new Error(`the thread ${name} ended: ${message}`));
  // One that is killed has no error to tell of.
  worker.addEventListener("close", () => breakOff(new Error(`the thread ${name} ended`)));

  for (const signal of until) {
    signal.addEventListener("abort", end, { once: true, signal: over.signal });
    if (signal.aborted) end();
  }
  return {
    async ask(question, given = []) {
      if (broken) throw broken;
      const id = ++last;
      worker.ref();
      return await new Promise<Answer>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, question } satisfies Asked<Question>, given);
      });
    },
    isOver: () => broken !== null,
    over: over.signal,
    end,
  };
}

declare const self: {
  onmessage: ((event: MessageEvent<Asked<never>>) => void) | null;
  postMessage(answered: Answered<unknown>): void;
};

/** The other side: what a thread's program does with each question. What `answer` throws reaches whoever asked. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  self.onmessage = async ({ data }) => {
    try {
      self.postMessage({ id: data.id, answer: await answer(data.question) });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : null;
      self.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error), code });
    }
  };
}
