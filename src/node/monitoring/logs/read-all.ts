import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { compareTimes } from "../../../lib/moment.ts";
import { toLineFilter } from "../../apps/app-logs/index.ts";
import { type AllPage, type AllQuery, type FoundLine, fail, type Line, type SourceState } from "./contract.ts";
import type { Filter, Found } from "./filter.ts";
import type { Own } from "./needs.ts";
import { containerIn, containerSource, SYSTEM, sourcesOf } from "./sources.ts";

/** How one log is read. */
export interface Readers {
  system(filter: Filter, unit: string | null): Promise<Found>;
  container(name: string, filter: Filter): Promise<Found>;
}

type Deps = Pick<Own, "clock" | "containers" | "runtime">;

const DEFAULT_LIMIT = 200;
/** Characters of one answer. */
const MOST_TEXT = 4_194_304;

/** A place in the merged logs: before this moment, and before so many lines of it that were answered already. */
interface Cursor {
  at: string;
  seen: number;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)_(\d{1,5})$/;

function parseCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const [, at, seen] = CURSOR.exec(text) ?? [];
  if (at === undefined || Number.isNaN(Date.parse(at))) throw fail("log_cursor_refused");
  return { at, seen: Number(seen) };
}

/** A line with what its place among all others is decided by. */
interface Placed {
  at: string | null;
  found: FoundLine;
}

function place(source: string, { hits }: Found): Placed[] {
  const named = (line: Line) => ({ from: source, ...line });
  return hits.map(({ line, before, after }) => ({
    at: line.at,
    found: { line: named(line), before: before.map(named), after: after.map(named) },
  }));
}

const sizeOf = ({ line, before, after }: FoundLine): number =>
  [line, ...before, ...after].reduce((sum, { text }) => sum + text.length, 0);

/** The newest that fit into one answer, the newest in any case. */
function takeNewest(placed: readonly Placed[], limit: number): readonly Placed[] {
  let size = 0;
  let first = placed.length;
  while (first > 0 && placed.length - first < limit) {
    const next = placed[first - 1];
    size += next === undefined ? 0 : sizeOf(next.found);
    if (size > MOST_TEXT && first < placed.length) break;
    first -= 1;
  }
  return placed.slice(first);
}

const takeOldest = (placed: readonly Placed[], limit: number): readonly Placed[] =>
  takeNewest(placed.toReversed(), limit).toReversed();

function cursorOf(shown: readonly Placed[], before: Cursor | null): string | null {
  const at = shown[0]?.at ?? null;
  if (at === null) return null;
  const ofMoment = shown.filter((item) => item.at === at).length;
  return `${at}_${ofMoment + (before?.at === at ? before.seen : 0)}`;
}

/** Names of the logs that are wanted, all there are where none is said, and why there are no containers among them. */
async function listSources(
  { containers, runtime }: Deps,
  query: AllQuery,
): Promise<{ names: string[]; missing: SourceState[] }> {
  const asked = sourcesOf(query);
  if (asked.length > 0) return { names: asked, missing: [] };
  try {
    runtime.requireEngine();
    const found = await containers.list();
    return { names: [SYSTEM, ...found.map(({ name }) => containerSource(name))], missing: [] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { names: [SYSTEM], missing: [{ source: "docker", is_readable: false, note: error.message }] };
  }
}

/**
 * What fits in several logs, in the order of time, the newest of it, or what stands next to a line. A log that cannot be read is said and leaves the others as they
 * are. Throws `invalid_request`, `log_pattern_refused`, `log_pattern_too_costly` and `log_cursor_refused`.
 */
export async function readAll(own: Deps, readers: Readers, query: AllQuery): Promise<AllPage> {
  const { limit = DEFAULT_LIMIT, context = 0, unit = null } = query;
  const cursor = parseCursor(query.cursor);
  const startedAt = toIso(own.clock.now());
  const wanted = toLineFilter(query);
  const count = limit + (cursor?.seen ?? 0);
  const after = query.after ?? null;
  if (after !== null && cursor !== null)
    throw kernelFail("invalid_request", { field: "after", reason: "cannot be asked for together with cursor" });
  const filter: Filter = { ...wanted, upTo: cursor?.at ?? null, after, count, context };
  const placed: Placed[] = [];
  const { names, missing } = await listSources(own, query);
  const sources: SourceState[] = [...missing];
  let isMore = false;
  for (const source of names) {
    const name = containerIn(source);
    try {
      const found = await (name === null ? readers.system(filter, unit) : readers.container(name, filter));
      isMore ||= found.hits.length >= count;
      placed.push(...place(source, found));
      sources.push({ source, is_readable: true, note: found.note });
    } catch (error) {
      if (!(error instanceof AppError) || error.code.startsWith("log_pattern")) throw error;
      sources.push({ source, is_readable: false, note: error.message });
    }
  }
  // Stable: lines of one moment stay in the order of their logs, or a cursor would count others.
  placed.sort((one, other) => compareTimes(one.at, other.at));
  const isToEnd = names.length > 1 && wanted.until === null;
  const present = isToEnd ? leaveNewer(placed, startedAt) : placed;
  const older = cursor === null ? present : leaveOut(placed, cursor);
  if (after !== null) return { found: takeOldest(older, limit).map(({ found }) => found), next_cursor: null, sources };
  const shown = takeNewest(older, limit);
  const next_cursor = isMore || shown.length < older.length ? cursorOf(shown, cursor) : null;
  return { found: shown.map(({ found }) => found), next_cursor, sources };
}

/**
 * What was there when reading began. Logs are read one after the other: with newer lines of the last ones, who goes on from the newest
 * line would never see what the first ones wrote meanwhile.
 */
const leaveNewer = (placed: readonly Placed[], startedAt: string): readonly Placed[] =>
  placed.filter(({ at }) => compareTimes(at, startedAt) <= 0);

/** What stands before a cursor. */
function leaveOut(placed: readonly Placed[], { at, seen }: Cursor): Placed[] {
  const until = placed.filter((item) => compareTimes(item.at, at) <= 0);
  const ofMoment = until.filter((item) => item.at === at).length;
  return until.slice(0, until.length - Math.min(seen, ofMoment));
}
