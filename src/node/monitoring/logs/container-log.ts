import { copyPart } from "../../../lib/cut-text.ts";
import { seconds } from "../../../lib/duration.ts";
import { createMatcher, detectLevel, stripColours } from "../../apps/app-logs/index.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import { fail, type Line, type LogPage } from "./contract.ts";
import type { Filter } from "./filter.ts";
import type { Needs } from "./needs.ts";

const LIMIT_MS = seconds(10);
/** So many of the newest lines are looked at where only some are wanted. */
const LOOK_AT = 50_000;
const TEXT_LIMIT = 4096;

/**
 * The newest lines of any container that fit. Throws `log_source_not_found`, `logs_too_slow`, `logs_unavailable` and
 * `runtime_unavailable`.
 */
export async function readContainerLog(
  { runtime }: { runtime: Pick<Needs["runtime"], "requireEngine"> },
  id: string,
  filter: Filter,
  ended: AbortSignal,
): Promise<LogPage> {
  const isFiltered = [filter.level, filter.text, filter.since, filter.until].some((item) => item !== null);
  const tail = isFiltered ? LOOK_AT : filter.count;
  const late = AbortSignal.timeout(LIMIT_MS);
  const isWanted = createMatcher(filter);
  const lines: Line[] = [];
  let seen = 0;
  try {
    const options = { tail, follow: false, signal: AbortSignal.any([late, ended]) };
    for await (const { at, stream, text } of await runtime.requireEngine().readLogs(id, options)) {
      seen += 1;
      const plain = stripColours(text);
      const line = { at, source: stream, level: detectLevel(plain), text: copyPart(plain, TEXT_LIMIT) };
      if (isWanted(line)) lines.push(line);
      if (lines.length > 2 * filter.count) lines.splice(0, lines.length - filter.count);
    }
  } catch (error) {
    if (late.aborted) throw fail("logs_too_slow", { seconds: LIMIT_MS / 1000 });
    if (!(error instanceof EngineError)) throw error;
    if (error.status === 404) throw fail("log_source_not_found", { id });
    const next_step = "Containers whose log driver keeps nothing here have to be read where it sends their lines.";
    throw fail("logs_unavailable", { message: `The engine could not read this log: ${error.message}.`, next_step });
  }
  const note = isFiltered && seen >= LOOK_AT ? `Only the newest ${LOOK_AT} lines were looked at.` : null;
  return { from: "container", lines: lines.slice(-filter.count), note };
}
