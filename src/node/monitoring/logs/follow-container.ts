import { copyPart } from "../../../lib/cut-text.ts";
import { seconds } from "../../../lib/duration.ts";
import { detectLevel, stripColours, toSince } from "../../apps/app-logs/index.ts";
import type { OutputLine } from "../../apps/runtime/index.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import type { LogLine } from "./contract.ts";
import type { Own } from "./needs.ts";

/** So much of each line is kept. */
export const TEXT_LIMIT = 4096;
/** The engine looks through a whole log for a moment; who begins with what comes now needs no more than its end. */
const RECENT_LINES = 5000;
const REOPEN_MS = seconds(1);

/** Where following begins; `isNow` where what was written before means nothing to the reader. */
export interface Beginning {
  at: string;
  isNow: boolean;
}

/** A line as all logs have it: without colours, cut where it is long. */
export function toLine(from: string, { at, stream, text }: OutputLine): LogLine {
  const plain = stripColours(text);
  return { from, at, source: stream, level: detectLevel(plain), text: copyPart(plain, TEXT_LIMIT) };
}

/** Leaves out what has been read before: lines before the last one, and as many of its own moment as there were. */
export function createResume(since: string) {
  let last = since;
  let atLast = 0;
  let toSkip = 0;
  return {
    last: () => last,
    /** Tells that reading begins once more from the last moment. */
    again(): void {
      toSkip = atLast;
    },
    isNew(at: string): boolean {
      if (at < last) return false;
      if (at > last) {
        last = at;
        atLast = 1;
        toSkip = 0;
        return true;
      }
      if (toSkip > 0) {
        toSkip -= 1;
        return false;
      }
      atLast += 1;
      return true;
    },
  };
}

/** Follows a container from a moment on, through stops and starts, until it is removed or `signal` aborts. */
export async function* followContainer(
  { runtime, containers, clock }: Pick<Own, "runtime" | "containers" | "clock">,
  { id, source, since }: { id: string; source: string; since: Beginning },
  signal: AbortSignal,
): AsyncIterable<LogLine> {
  const resume = createResume(since.at);
  while (!signal.aborted) {
    const seen = containers.version(id);
    const engine = runtime.engine();
    try {
      if (engine) {
        const tail = since.isNow ? RECENT_LINES : "all";
        const options = { tail, follow: true, since: toSince(resume.last()), signal } as const;
        for await (const line of await engine.readLogs(id, options)) {
          if (resume.isNew(line.at)) yield toLine(source, line);
        }
      }
    } catch (error) {
      if (error instanceof EngineError && error.status === 404) return;
    }
    resume.again();
    // A log that has ended goes on when the container starts again, which the engine tells.
    await containers.untilChanged(seen, signal, id);
    await clock.sleep(REOPEN_MS, signal);
  }
}
