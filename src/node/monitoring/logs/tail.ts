import { createBreaks } from "../../../lib/breaks.ts";
import { compareTimes } from "../../../lib/moment.ts";
import { createMatcher, toLineFilter } from "../../apps/app-logs/index.ts";
import type { Level, LogLine } from "./contract.ts";
import type { Filter, Found } from "./filter.ts";
import { follow } from "./follow.ts";
import type { Own } from "./needs.ts";
import type { LogReaders } from "./readers.ts";
import { containerIn, SYSTEM } from "./sources.ts";

/** What of some logs is wanted. */
export interface TailQuery {
  /** `system`, and `docker:` with the name of a container. */
  sources: readonly string[];
  /** Only what these units wrote; all do where there are none. */
  units: readonly string[];
  /** The newest so many. */
  lines: number;
  level: Level | null;
  /** A regular expression; capitals do not matter. */
  pattern: string | null;
  /** ISO 8601. */
  since: string | null;
  isFollowed: boolean;
}

/** Batches of lines, oldest first. */
export type Tail = AsyncIterable<LogLine[]>;

type Deps = Pick<Own, "clock" | "signal" | "containers" | "runtime" | "system">;

const BATCH_LINES = 250;
/** Characters: as bytes of JSON a batch stays below what a frame of a stream may have, whatever they are. */
const BATCH_TEXT = 12_000;
/** Lines are gathered for so long, and no more than a batch of them: who is slow makes the log wait. */
const GATHER_MS = 50;

/** Lines as batches; one that is longer than a batch may be is one of its own. */
function* batches(lines: readonly LogLine[]): Iterable<LogLine[]> {
  let batch: LogLine[] = [];
  let size = 0;
  for (const line of lines) {
    if (batch.length > 0 && (batch.length >= BATCH_LINES || size + line.text.length > BATCH_TEXT)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(line);
    size += line.text.length;
  }
  if (batch.length > 0) yield batch;
}

const later = (one: string, other: string): string => (compareTimes(one, other) > 0 ? one : other);

/**
 * The newest lines that fit, then, where they are followed, each one that is written, until `left` aborts. Nothing is read further ahead
 * than one batch. Throws `log_pattern_refused`, `log_pattern_too_costly`, and what reading a log throws.
 */
export async function* tail(own: Deps, readers: LogReaders, query: TailQuery, left: AbortSignal): Tail {
  // Without a name, following would mean every log.
  if (query.sources.length === 0) return;
  const { level, pattern, since } = query;
  const fields = { ...(level && { level }), ...(pattern !== null && { q: pattern, regex: true }) };
  const wanted = toLineFilter({ ...fields, ...(since !== null && { since }) });
  const startedAt = new Date(own.clock.now()).toISOString().replace("Z", "000000Z");
  const filter: Filter = { ...wanted, count: query.lines, context: 0 };
  const known: LogLine[] = [];
  const begins: Record<string, string> = {};
  for (const source of query.lines > 0 ? query.sources : []) {
    const { hits } = await read(readers, source, filter, query.units, left);
    known.push(...hits.map(({ line }) => ({ from: source, ...line })));
    // What was written before and does not stand here does not fit.
    begins[source] = later(hits.findLast(({ line }) => line.at !== null)?.line.at ?? startedAt, startedAt);
  }
  // Stable: lines of one moment stay in the order of their logs.
  known.sort((one, other) => compareTimes(one.at, other.at));
  // The last none of a list would be all of it.
  if (query.lines > 0) yield* batches(known.slice(-query.lines));
  if (!query.isFollowed) return;
  const isWanted = createMatcher({ ...wanted, since: null });
  const isChosen = (line: LogLine): boolean =>
    (line.at === null || compareTimes(line.at, begins[line.from] ?? startedAt) > 0) &&
    (query.units.length === 0 || query.units.includes(line.source ?? "")) &&
    isWanted(line);
  yield* gather(
    own,
    follow(own, query.sources, { since: query.lines > 0 ? begins : startedAt, signal: left }),
    isChosen,
    left,
  );
}

function read(
  readers: LogReaders,
  source: string,
  filter: Filter,
  units: readonly string[],
  left: AbortSignal,
): Promise<Found> {
  const container = containerIn(source);
  if (container !== null) return readers.container(container, filter, left);
  return source === SYSTEM && units.length === 0 ? readers.system(filter, left) : readers.journal(filter, units, left);
}

/** A place to wait at until somebody calls. */
function createBell() {
  let ring = () => {};
  return {
    ring: () => ring(),
    wait: () =>
      new Promise<void>((resolve) => {
        ring = resolve;
      }),
  };
}

/** Lines of a moment together; while they wait to be taken, no more than a batch of them is asked for. */
async function* gather(
  { clock }: Pick<Deps, "clock">,
  lines: AsyncIterable<LogLine>,
  isChosen: (line: LogLine) => boolean,
  left: AbortSignal,
): Tail {
  const ended = new AbortController();
  const until = AbortSignal.any([left, ended.signal]);
  const [reader, source] = [createBell(), createBell()];
  let waiting: LogLine[] = [];
  let size = 0;
  let isOver = false;
  let broken: unknown = null;
  const isFull = (): boolean => waiting.length >= BATCH_LINES || size >= BATCH_TEXT;

  async function fill(): Promise<void> {
    try {
      const takeBreak = createBreaks();
      for await (const line of lines) {
        await takeBreak();
        if (!isChosen(line)) continue;
        waiting.push(line);
        size += line.text.length;
        reader.ring();
        while (isFull() && !until.aborted) await source.wait();
        if (until.aborted) return;
      }
    } catch (error) {
      broken = error;
    } finally {
      isOver = true;
      reader.ring();
    }
  }

  until.addEventListener("abort", () => {
    reader.ring();
    source.ring();
  });
  void fill();
  try {
    while (!until.aborted) {
      if (waiting.length === 0) {
        if (broken !== null) throw broken;
        if (isOver) return;
        await reader.wait();
        continue;
      }
      if (!isFull() && !isOver) await clock.sleep(GATHER_MS, until);
      const taken = waiting;
      waiting = [];
      size = 0;
      source.ring();
      yield* batches(taken);
    }
  } finally {
    ended.abort();
  }
}
