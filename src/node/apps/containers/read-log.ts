import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { seconds } from "../../../lib/duration.ts";
import { detectLevel, readNewestOf, stripColours, toSince } from "../app-logs/index.ts";
import type { OutputLine } from "../runtime/index.ts";
import { type ContainerLine, type ContainerLog, fail } from "./contract.ts";
import { requireContainer } from "./list-containers.ts";
import type { Own } from "./needs.ts";
import { orRefused } from "./refusals.ts";

type Deps = Pick<Own, "runtime" | "clock" | "signal">;

/** Time before a stopped container is looked at again. */
const REOPEN_MS = seconds(1);
/** As many lines as are read again after a pause at most. */
const MISSED_LINES = 5000;

function presentLine({ at, stream, text }: OutputLine): ContainerLine {
  const plain = stripColours(text);
  return { at, stream, level: detectLevel(plain), text: plain };
}

/** The last `count` lines of a container. Throws `container_not_found`, `engine_refused`, `runtime_unavailable`. */
export async function readLog(deps: Deps, id: string, count: number): Promise<ContainerLog> {
  const { Id } = await requireContainer(deps, id);
  const lines = await orRefused(readNewestOf(deps.runtime.requireEngine(), Id, count, deps.signal));
  if (lines === null) throw fail("container_not_found", { id });
  return { lines: lines.map(presentLine) };
}

/**
 * The last `count` lines (or, with `after`, those since that time), then new ones as they come, through stops and starts, until
 * the container is removed or `signal` aborts. Each event's id is the line's time, to go on from.
 */
export async function* followLog(
  deps: Deps,
  id: string,
  { count, after }: { count: number; after: string | null },
  signal: AbortSignal,
): AsyncIterable<ServerEvent> {
  let last = after;
  let tail = after === null ? count : MISSED_LINES;
  while (!signal.aborted) {
    const engine = deps.runtime.requireEngine();
    const since = last === null ? {} : { since: toSince(last) };
    for await (const line of await engine.readLogs(id, { tail, follow: true, ...since, signal })) {
      if (last !== null && line.at <= last) continue;
      last = line.at;
      yield { event: "line", id: line.at, data: presentLine(line) };
    }
    tail = MISSED_LINES;
    // A log that had nothing yet begins with what comes now.
    last ??= new Date(deps.clock.now()).toISOString().replace("Z", "000000Z");
    await deps.clock.sleep(REOPEN_MS, signal);
    if (!signal.aborted && (await engine.inspectContainer(id)) === null) return;
  }
}
