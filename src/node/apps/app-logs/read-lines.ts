import { kernelFail } from "../../../kernel/http/errors.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { seconds } from "../../../lib/duration.ts";
import { type Engine, EngineError, type OutputLine } from "../runtime/index.ts";
import type { LogLine, LogPage } from "./contract.ts";
import { detectLevel, stripColours } from "./level.ts";
import type { Needs } from "./needs.ts";
import { readNewest } from "./newest-lines.ts";
import { createWaitingLines, WAITING_LINES } from "./waiting-lines.ts";

type Deps = Pick<Needs, "apps" | "operations" | "runtime" | "clock" | "signal">;

/** Time before a stopped container is looked at again. */
const REOPEN_MS = seconds(1);
const READ_MS = seconds(15);

/** A line without colours, with the level that it claims. */
export function toLogLine(service: string, { at, stream, text }: OutputLine): LogLine {
  const plain = stripColours(text);
  return { at, service, stream, level: detectLevel(plain), text: plain };
}

/**
 * Names of the services to read, none while the app has no containers. Throws `app_not_found`, and `invalid_request` for an unknown
 * service.
 */
export function servicesOf({ apps }: Pick<Deps, "apps">, appId: string, service: string | undefined): string[] {
  apps.get(appId);
  const names = apps.listServices(appId).map(({ name }) => name);
  if (service === undefined || names.length === 0) return names;
  if (names.includes(service)) return [service];
  throw kernelFail("invalid_request", { field: "service", reason: `must be one of ${names.join(", ")}` });
}

/** The container that a service has now; null while it has none. */
export function containerOf({ apps }: Pick<Deps, "apps">, appId: string, service: string): string | null {
  return apps.listServices(appId).find(({ name }) => name === service)?.container_id ?? null;
}

/** The last `tail` lines of a container; null for one that is gone, or on its way out. Throws EngineError. */
export async function readNewestOf(
  engine: Pick<Engine, "readLogs">,
  container: string,
  tail: number,
  ended: AbortSignal,
): Promise<OutputLine[] | null> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(READ_MS)]);
  try {
    return await readNewest(await engine.readLogs(container, { tail, follow: false, signal }));
  } catch (error) {
    if (error instanceof EngineError && (error.status === 404 || error.status === 409)) return null;
    throw error;
  }
}

async function readTail(deps: Deps, appId: string, service: string, tail: number): Promise<LogLine[]> {
  const container = containerOf(deps, appId, service);
  if (container === null) return [];
  const lines = await readNewestOf(deps.runtime.requireEngine(), container, tail, deps.signal);
  return (lines ?? []).map((line) => toLogLine(service, line));
}

/** Times have nanoseconds, so that text order is time order. */
export const byTime = (left: LogLine, right: LogLine): number => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0);

/** What containers that a failed operation removed had written: its log keeps their last lines as "service: text". */
function lastWords(deps: Deps, appId: string, count: number, service: string | undefined): LogLine[] {
  const lines = deps.operations.lastWords(appId).flatMap(({ at, text }) => {
    const [, name, line] = /^([\w.-]+): (.*)$/s.exec(text) ?? [];
    if (name === undefined || line === undefined || name !== (service ?? name)) return [];
    return [toLogLine(name, { at, stream: "stdout", text: line })];
  });
  return count === 0 ? [] : lines.slice(-count);
}

async function readMerged(deps: Deps, appId: string, count: number, service: string | undefined): Promise<LogLine[]> {
  const names = servicesOf(deps, appId, service);
  if (names.every((name) => containerOf(deps, appId, name) === null)) return lastWords(deps, appId, count, service);
  const parts = await Promise.all(names.map((name) => readTail(deps, appId, name, count)));
  return parts.flat().sort(byTime).slice(-count);
}

/** The last `count` lines of an app, all services merged by time. Throws `app_not_found`, `runtime_unavailable`. */
export async function readLastLines(
  deps: Deps,
  appId: string,
  count: number,
  service: string | undefined,
): Promise<LogPage> {
  return { lines: await readMerged(deps, appId, count, service) };
}

/** Seconds with nanoseconds, as the engine's `since` wants them: exact to the line. */
export function toSince(at: string): string {
  const whole = Math.floor(Date.parse(`${at.slice(0, 19)}Z`) / 1000);
  return `${whole}.${(at.slice(20).replace(/\D+$/, "") || "0").padEnd(9, "0")}`;
}

/** Follows one service through stops, restarts and new containers, from the line after `after`. */
async function followService(
  deps: Deps,
  appId: string,
  service: string,
  after: string,
  signal: AbortSignal,
  push: (line: LogLine) => void,
): Promise<void> {
  let last = after;
  while (!signal.aborted) {
    const container = containerOf(deps, appId, service);
    const engine = deps.runtime.engine();
    try {
      if (container !== null && engine) {
        const options = { tail: WAITING_LINES, follow: true, since: toSince(last), signal };
        for await (const line of await engine.readLogs(container, options)) {
          if (line.at <= last) continue;
          last = line.at;
          push(toLogLine(service, line));
        }
      }
    } catch {
      // The container or the engine went away; both may come back.
    }
    await deps.clock.sleep(REOPEN_MS, signal);
  }
}

/**
 * The last `count` lines (or, with `after`, all lines since that time), then new ones as they come, until `signal`
 * aborts. Each event's id is the line's time, to go on from. Throws `app_not_found`, `runtime_unavailable`.
 */
export async function* followLines(
  deps: Deps,
  appId: string,
  options: { count: number; service: string | undefined; after: string | null },
  signal: AbortSignal,
): AsyncIterable<ServerEvent> {
  const names = servicesOf(deps, appId, options.service);
  const begin = new Date(deps.clock.now()).toISOString().replace("Z", "000000Z");
  const first = options.after === null ? await readMerged(deps, appId, options.count, options.service) : [];
  for (const line of first) yield { event: "line", id: line.at, data: line };
  const waiting = createWaitingLines(signal);
  for (const name of names) {
    const seen = first.findLast(({ service }) => service === name)?.at;
    const start = options.after ?? seen ?? (first.length < options.count ? "1970-01-01T00:00:00.000000000Z" : begin);
    void followService(deps, appId, name, start, signal, waiting.push);
  }
  for await (const line of waiting.lines) yield { event: "line", id: line.at, data: line };
}
