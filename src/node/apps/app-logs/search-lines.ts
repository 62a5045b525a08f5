import { createBreaks } from "../../../lib/breaks.ts";
import { copyPart, copyText } from "../../../lib/cut-text.ts";
import { seconds } from "../../../lib/duration.ts";
import { EngineError } from "../runtime/index.ts";
import { fail, type LogHit, type LogLevel, type SearchPage } from "./contract.ts";
import { createMatcher, type LineFilter } from "./filter.ts";
import type { Needs } from "./needs.ts";
import { byTime, containerOf, servicesOf, toLogLine } from "./read-lines.ts";

/** What is looked for. */
export interface Search {
  filter: LineFilter;
  service: string | undefined;
  /** Lines of the same service before and after each hit. */
  context: number;
  /** The newest so many hits. */
  limit: number;
}

const LIMIT_MS = seconds(10);
/** So many of the newest lines of each service are looked at. */
const LOOK_AT = 50_000;
const TEXT_LIMIT = 4096;

interface AnyLine {
  at: string | null;
  level: LogLevel | null;
  text: string;
}

/** A line that is found, with those around it. */
export interface Hit<Line> {
  line: Line;
  before: Line[];
  after: Line[];
}

/**
 * A line that is not too long to be shown, with the place where `text` stands in it. Its text is a copy: what was read around it
 * would stay in memory with it.
 */
function shorten<Line extends AnyLine>(line: Line, text: string | null): Line {
  if (line.text.length <= TEXT_LIMIT) return { ...line, text: copyText(line.text) };
  const at = text === null ? 0 : line.text.toLowerCase().indexOf(text.toLowerCase());
  const start = Math.max(0, at - TEXT_LIMIT / 2);
  return { ...line, text: `${start > 0 ? "…" : ""}${copyPart(line.text, TEXT_LIMIT, start)}…` };
}

/** The newest hits among lines that come in their order; where those after a line are wanted the oldest, and no more is read than they need. */
export async function findHits<Line extends AnyLine>(
  lines: AsyncIterable<Line> | Iterable<Line>,
  { filter, context, limit }: Omit<Search, "service">,
): Promise<{ hits: Hit<Line>[]; searched: number }> {
  const isWanted = createMatcher(filter);
  const hits: Hit<Line>[] = [];
  /** Hits that still wait for lines after them. */
  let open: Hit<Line>[] = [];
  let before: Line[] = [];
  let searched = 0;
  const takeBreak = createBreaks();
  for await (const line of lines) {
    // What a pattern costs is bounded for a line, and many of them come at once.
    await takeBreak();
    searched += 1;
    const neighbour = context === 0 ? line : shorten(line, null);
    if (open.length > 0) {
      for (const hit of open) hit.after.push(neighbour);
      open = open.filter(({ after }) => after.length < context);
    }
    const isFull = filter.after !== null && hits.length >= limit;
    if (isFull && open.length === 0) break;
    if (!isFull && isWanted(line)) {
      const hit: Hit<Line> = { line: shorten(line, filter.isPattern ? null : filter.text), before, after: [] };
      hits.push(hit);
      if (context > 0) open.push(hit);
      if (hits.length > 2 * limit) hits.splice(0, hits.length - limit);
    }
    if (context > 0) before = [...before, neighbour].slice(-context);
  }
  return { hits: hits.slice(-limit), searched };
}

async function* linesOf(deps: Pick<Needs, "apps" | "runtime">, appId: string, service: string, signal: AbortSignal) {
  const container = containerOf(deps, appId, service);
  if (container === null) return;
  const options = { tail: LOOK_AT, follow: false, signal };
  for await (const line of await deps.runtime.requireEngine().readLogs(container, options))
    yield toLogLine(service, line);
}

/**
 * Looks through what the containers of an app wrote. Throws `app_not_found`, `runtime_unavailable` and, after ten seconds or when
 * the engine cannot read, `log_search_ended`.
 */
export async function searchLines(
  deps: Pick<Needs, "apps" | "runtime">,
  appId: string,
  search: Search,
  left: AbortSignal,
): Promise<SearchPage> {
  const names = servicesOf(deps, appId, search.service);
  const late = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([late, left]);
  const hits: LogHit[] = [];
  let searched = 0;
  let isComplete = true;
  try {
    // One service after the other: a search shares the program with everything else.
    for (const name of names) {
      const found = await findHits(linesOf(deps, appId, name, signal), search);
      hits.push(...found.hits);
      searched += found.searched;
      isComplete &&= found.searched < LOOK_AT;
    }
  } catch (error) {
    const reason = late.aborted ? `it took longer than ${LIMIT_MS / 1000} seconds` : null;
    if (reason === null && !(error instanceof EngineError)) throw error;
    throw fail("log_search_ended", { reason: reason ?? "the engine could not read the log" });
  }
  hits.sort((one, other) => byTime(one.line, other.line));
  return { hits: hits.slice(-search.limit), searched, is_complete: isComplete };
}
