import { AppError } from "../../../kernel/http/errors.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { createBreaks } from "../../../lib/breaks.ts";
import { compareTimes } from "../../../lib/moment.ts";
import { createMatcher, toLineFilter } from "../../apps/app-logs/index.ts";
import type { LineBatch, LogLine, StreamQuery } from "./contract.ts";
import { follow } from "./follow.ts";
import type { Own } from "./needs.ts";
import { sourcesOf } from "./sources.ts";

/** What waits for a reader; of more the oldest is left out and counted. */
const WAITING_LINES = 5000;
const WAITING_TEXT = 1_048_576;
const BATCH_LINES = 1000;
const BATCH_TEXT = 262_144;
/** So long lines are gathered: a page draws once for all of them. */
const GATHER_MS = 100;

/** Lines that wait for a reader. */
export function createBacklog() {
  let lines: LogLine[] = [];
  let first = 0;
  let size = 0;
  let dropped = 0;

  function shift(): LogLine | undefined {
    const line = lines[first];
    if (line === undefined) return undefined;
    first += 1;
    size -= line.text.length;
    if (first * 2 > lines.length) {
      lines = lines.slice(first);
      first = 0;
    }
    return line;
  }

  return {
    push(line: LogLine): void {
      lines.push(line);
      size += line.text.length;
      while (lines.length - first > WAITING_LINES || (size > WAITING_TEXT && lines.length - first > 1)) {
        shift();
        dropped += 1;
      }
    },
    count: () => lines.length - first,
    take(): LineBatch {
      const batch: LogLine[] = [];
      for (let text = 0; batch.length < BATCH_LINES && text < BATCH_TEXT; ) {
        const line = shift();
        if (line === undefined) break;
        batch.push(line);
        text += line.text.length;
      }
      const left = dropped;
      dropped = 0;
      return { lines: batch, dropped: left };
    },
  };
}

/** Which lines of the followed logs a query wants. Throws `log_pattern_refused`. */
export function createChooser(query: StreamQuery, after: string | null): (line: LogLine) => boolean {
  const isWanted = createMatcher(toLineFilter(query));
  return (line) =>
    (after === null || line.at === null || compareTimes(line.at, after) > 0) &&
    (query.unit === undefined || line.source === query.unit) &&
    isWanted(line);
}

interface StreamOptions {
  query: StreamQuery;
  /** Where the reader has come to; null for what is written from now on. */
  after: string | null;
  isChosen: (line: LogLine) => boolean;
  onEnd: () => void;
}

/**
 * Lines as they are written, gathered into events `lines`. The reader decides when the next one comes; what it is too slow for is left
 * out, and the next event says how much. Each event's id is the time of its last line, to go on from.
 */
export async function* streamLines(
  own: Own,
  { query, after, isChosen, onEnd }: StreamOptions,
  signal: AbortSignal,
): AsyncIterable<ServerEvent> {
  const left = new AbortController();
  const until = AbortSignal.any([signal, left.signal]);
  const backlog = createBacklog();
  let broken: unknown = null;
  let wake = () => {};

  async function fill(): Promise<void> {
    try {
      const takeBreak = createBreaks();
      for await (const line of follow(own, sourcesOf(query), { since: after, signal: until })) {
        await takeBreak();
        if (!isChosen(line)) continue;
        backlog.push(line);
        wake();
      }
    } catch (error) {
      broken = error;
    }
    wake();
  }

  void fill();
  until.addEventListener("abort", () => wake());
  try {
    while (!until.aborted) {
      if (broken !== null) {
        if (!(broken instanceof AppError)) throw broken;
        yield { event: "error", data: { code: broken.code, message: broken.message } };
        return;
      }
      if (backlog.count() === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (backlog.count() < BATCH_LINES) await own.clock.sleep(GATHER_MS, until);
      const data = backlog.take();
      const id = data.lines.findLast(({ at }) => at !== null)?.at;
      yield { event: "lines", data, ...(id === undefined || id === null ? {} : { id }) };
    }
  } finally {
    left.abort();
    onEnd();
  }
}
