import type { Clock } from "../../../../lib/clock.ts";
import { hours } from "../../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import type { LineBuffer, Position } from "../buffer/line-buffer.ts";
import type { Level } from "../contract.ts";
import type { Sender, SendResult } from "../senders/index.ts";
import type { WaitingLine } from "./followed.ts";
import { MOST_REFUSALS, pauseAfter } from "./retry.ts";

/** What goes at once, at most. The bytes have room for the longest line that there can be. */
const MOST_LINES = 1_000;
const MOST_BYTES = 262_144;
/** Lines that were refused together go again in so many parts. */
const PARTS = 8;
/** Sends, without pause, that may tell the bad lines among refused ones from the good; then what is left of them is given up as it is. */
const MOST_SORTING = 60;
/** Nothing to do: somebody will call. */
const LONG_MS = hours(1);

export interface DrainOptions {
  clock: Clock;
  random: () => number;
  /** Names what is sent, for receivers that tell repetitions. */
  id: string;
  buffer: LineBuffer;
  sender: Sender;
  /** Lines have arrived for certain. */
  onTaken(): void;
  /** They have not; tried again at `again` by the wall clock. */
  onFailed(words: string, again: number): void;
}

/** Sends what waits in one buffer, for as long as it is not stopped. */
export interface Drain {
  /** There is something new to send. */
  wake(): void;
  /** Ends it; what was under way is sent again by the next one. */
  stop(): Promise<void>;
}

interface Batch {
  end: Position;
  lines: number;
  at: number;
}

const LEVELS: ReadonlySet<unknown> = new Set(["debug", "info", "warn", "error"]);
const isLevel = (value: unknown): value is Level => LEVELS.has(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A line as it was written down by the reader. */
export function decodeLine(bytes: Buffer): WaitingLine {
  const read = parseJson(bytes.toString("utf8"));
  const line = isRecord(read) ? read : {};
  const level = isLevel(line["level"]) ? line["level"] : null;
  return { at: textOf(line["at"]), source: textOf(line["source"]), level, text: textOf(line["text"]) };
}

const LOST_WITH_CONNECTION = "It ended the connection right after lines were sent; they are sent again.";

/** Begins to send. Each receiver has a drain of its own, so that one that is slow or gone holds up no other. */
export function startDrain({ clock, random, id, buffer, sender, onTaken, onFailed }: DrainOptions): Drain {
  let cursor = buffer.start();
  /** Sent, but over a connection that may still take them with it. */
  let unsettled: Batch[] = [];
  let failures = 0;
  let refusals = 0;
  let mostLines = MOST_LINES;
  /** What was refused together is sent in ever smaller parts, up to this line: one that is bad takes few others with it. */
  let sorting: { until: number; left: number } | null = null;
  let isStopped = false;
  let isPaused = false;
  let isWoken = false;
  let sleeping = new AbortController();

  async function rest(ms: number): Promise<void> {
    if (isStopped || (isWoken && !isPaused)) return;
    sleeping = new AbortController();
    await clock.sleep(ms, sleeping.signal);
  }

  async function pause(words: string, retryAfterMs: number | null): Promise<void> {
    failures += 1;
    unsettled = [];
    cursor = buffer.start();
    const ms = pauseAfter(failures, retryAfterMs, random);
    if (!isStopped) onFailed(words, clock.now() + ms);
    isPaused = true;
    await rest(ms);
    isPaused = false;
  }

  /** Writes down what has arrived for certain. False when it has to be sent again. */
  async function settle(): Promise<boolean> {
    if (unsettled.length === 0) return true;
    if (!sender.isStanding()) return false;
    const until = clock.monotonic() - sender.settleMs;
    const arrived = unsettled.filter(({ at }) => at <= until);
    const last = arrived.at(-1);
    if (!last) return true;
    unsettled = unsettled.slice(arrived.length);
    await buffer.acknowledge(
      last.end,
      arrived.reduce((sum, { lines }) => sum + lines, 0),
    );
    failures = 0;
    onTaken();
    return true;
  }

  /** After sending up to a place: while refused lines are sorted, each part of them is sent once. */
  function pass(end: Position): void {
    if (sorting && end.line >= sorting.until) sorting = null;
    refusals = sorting ? MOST_REFUSALS - 1 : 0;
  }

  async function sort({ end, lines }: Batch): Promise<void> {
    sorting ??= { until: end.line, left: MOST_SORTING };
    sorting.left -= 1;
    if (lines > 1 && sorting.left > 0) {
      mostLines = Math.ceil(lines / PARTS);
      return;
    }
    if (sorting.left <= 0) mostLines = MOST_LINES;
    await buffer.discard(end, lines);
    cursor = buffer.start();
    pass(end);
  }

  async function judge(result: SendResult, batch: Batch): Promise<void> {
    if (result.status === "taken") {
      pass(batch.end);
      mostLines = Math.min(MOST_LINES, mostLines * 2);
      cursor = batch.end;
      unsettled.push(batch);
      return;
    }
    if (result.status === "too_large" && batch.lines > 1) {
      mostLines = Math.max(1, Math.floor(batch.lines / 2));
      return;
    }
    const isRefused = result.status === "refused" || result.status === "too_large";
    if (isRefused && ++refusals >= MOST_REFUSALS) return sort(batch);
    await pause(result.words, result.retry_after_ms);
  }

  async function step(): Promise<void> {
    if (!(await settle())) return pause(LOST_WITH_CONNECTION, null);
    isWoken = false;
    const least = Math.min(mostLines, sorting ? Math.max(1, sorting.until - cursor.line) : MOST_LINES);
    const { lines, end } = await buffer.read(cursor, { lines: least, bytes: MOST_BYTES });
    if (lines.length === 0) return rest(unsettled.length > 0 ? sender.settleMs : LONG_MS);
    const name = `${id}-${end.line - lines.length}-${lines.length}`;
    const result = await sender.send(lines.map(decodeLine), name);
    await judge(result, { end, lines: lines.length, at: clock.monotonic() });
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      await step().catch((error: unknown) =>
        pause(`Something failed inside: ${error instanceof Error ? error.message : String(error)}.`, null),
      );
    }
    await settle().catch(() => {});
    sender.close();
  }

  const ended = run();
  return {
    wake() {
      isWoken = true;
      if (!isPaused) sleeping.abort();
    },
    async stop() {
      isStopped = true;
      sleeping.abort();
      // A send that is under way ends with its connection.
      sender.close();
      await ended;
    },
  };
}
