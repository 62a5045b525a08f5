import { seconds } from "../../../lib/duration.ts";
import { findHits, toSince } from "../../apps/app-logs/index.ts";
import { EngineError, type OutputLine } from "../../apps/runtime/index.ts";
import { fail, type Line } from "./contract.ts";
import { type Filter, type Found, toSearch } from "./filter.ts";
import { toLine } from "./follow-container.ts";
import type { Needs } from "./needs.ts";

type Deps = { runtime: Pick<Needs["runtime"], "requireEngine"> };

const LIMIT_MS = seconds(10);
/** Where only some lines are wanted, so many of the newest are looked at, and more only while too few of them fit. */
const STEPS = [5000, 50_000, 1_000_000];

/** How many of the newest lines are looked at, in turn. What stands after a line is read from there on. */
function stepsOf(filter: Filter): readonly (number | "all")[] {
  if (filter.after !== null) return ["all"];
  const isFiltered = [filter.level, filter.text, filter.since, filter.until, filter.upTo].some((item) => item !== null);
  return isFiltered ? STEPS : [filter.count];
}

/** The engine knows no time before 1970, and no line is older. */
const sinceOf = ({ after }: Filter): { since?: string } =>
  after === null || Date.parse(after) < 0 ? {} : { since: toSince(after) };

async function* linesOf(output: AsyncIterable<OutputLine>): AsyncIterable<Line> {
  for await (const written of output) {
    const { at, source, level, text } = toLine("", written);
    yield { at, source, level, text };
  }
}

/** What went wrong, in the words of the routes. */
function explain(error: unknown, id: string, isLate: boolean): unknown {
  if (isLate) return fail("logs_too_slow", { seconds: LIMIT_MS / 1000 });
  if (!(error instanceof EngineError)) return error;
  if (error.status === 404) return fail("log_source_not_found", { id });
  const next_step = "Containers whose log driver keeps nothing here have to be read where it sends their lines.";
  return fail("logs_unavailable", { message: `The engine could not read this log: ${error.message}.`, next_step });
}

/**
 * The newest lines of any container that fit, or the next ones after a line; where time runs out, those that were found until then. Throws `log_source_not_found`,
 * `logs_too_slow`, `logs_unavailable` and `runtime_unavailable`.
 */
export async function readContainerLog(
  { runtime }: Deps,
  id: string,
  filter: Filter,
  ended: AbortSignal,
): Promise<Found> {
  const late = AbortSignal.timeout(LIMIT_MS);
  // What stands after a line is read until there is enough of it.
  const enough = new AbortController();
  const signal = AbortSignal.any([late, ended, enough.signal]);
  let best: Found | null = null;
  for (const tail of stepsOf(filter)) {
    try {
      const output = await runtime.requireEngine().readLogs(id, { tail, follow: false, ...sinceOf(filter), signal });
      const { hits, searched } = await findHits(linesOf(output), toSearch(filter));
      const isWhole = tail === "all" || searched < tail;
      best = { from: "container", hits, note: isWhole ? null : `Only the newest ${tail} lines were looked at.` };
      if (isWhole || hits.length >= filter.count) {
        enough.abort();
        return { ...best, note: hits.length >= filter.count ? null : best.note };
      }
    } catch (error) {
      if (best !== null && late.aborted) return best;
      throw explain(error, id, late.aborted);
    }
  }
  return best ?? { from: "container", hits: [], note: null };
}
