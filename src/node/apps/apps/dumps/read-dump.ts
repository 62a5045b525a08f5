import { hours, minutes, seconds } from "../../../../lib/duration.ts";
import type { NodeBase } from "../../../base.ts";
import { type Engine, EngineError, tellMarked } from "../../runtime/index.ts";
import { type Database, dumpCommand, dumpName } from "./databases.ts";

/** Whoever says nothing for so long hangs: it may wait for a lock that nobody gives back. */
const SILENT_MS = minutes(10);
/** How long a database is waited for in all; what its dump is written to may take longer. */
const LONGEST_MS = hours(2);
/** Ending a program takes no longer. */
const END_MS = seconds(10);
/** By this variable the programs of a dump are found again. */
const MARK = "ORRERY_DUMP";

/** Why a database could not be dumped, in words that go on a sentence. */
export class DumpFault extends Error {}

/** How many bytes a dump may have, and what is said of one that has more. */
export interface MostOfDump {
  bytes: number;
  why: string;
}

interface Deps extends Pick<NodeBase, "clock"> {
  engine: Pick<Engine, "openExec" | "execInside">;
  /** Ends the dump. */
  signal: AbortSignal;
}

/** Waits for what comes next, and no longer than that. Throws DumpFault, and why `signal` aborts. */
async function waitFor<Value>({ clock, signal }: Deps, next: Promise<Value>, ms: number, why: string): Promise<Value> {
  // It is not always waited for until its end.
  next.catch(() => {});
  const late = Promise.withResolvers<never>();
  const end = () => late.reject(signal.reason);
  const cancel = clock.after(ms, () => late.reject(new DumpFault(why)));
  signal.addEventListener("abort", end);
  try {
    signal.throwIfAborted();
    return await Promise.race([next, late.promise]);
  } finally {
    cancel();
    signal.removeEventListener("abort", end);
  }
}

async function* withinLimits(deps: Deps, source: AsyncIterable<Uint8Array>, most: MostOfDump) {
  const pieces = source[Symbol.asyncIterator]();
  let size = 0;
  let waited = 0;
  for (;;) {
    const began = deps.clock.monotonic();
    const left = LONGEST_MS - waited;
    const [ms, why] =
      left > SILENT_MS ? [SILENT_MS, "it wrote nothing for 10 minutes"] : [left, "it took longer than 2 hours"];
    const next = await waitFor(deps, pieces.next(), ms, why);
    if (next.done === true) return;
    waited += deps.clock.monotonic() - began;
    size += next.value.length;
    if (size > most.bytes) throw new DumpFault(most.why);
    yield next.value;
  }
}

/** Ends what a dump that nobody reads any more still runs in its container. */
async function endDump({ engine }: Deps, container: string, mark: string): Promise<void> {
  try {
    await engine.execInside(container, tellMarked(mark, "KILL"), END_MS);
  } catch (error) {
    // A container that is gone, or stands still, has nothing more to end.
    if (!(error instanceof EngineError)) throw error;
  }
}

/**
 * Lets a database in a container write all it has, and hands it to `use` as it comes: no more than `most`, and only as long as it goes on.
 * Throws DumpFault when it does not end well, EngineError, and what `use` throws.
 */
export async function readDump<Result>(
  deps: Deps,
  container: string,
  database: Database,
  most: MostOfDump,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const mark = `${MARK}=${dumpName(database)}`;
  const over = new AbortController();
  const limit = AbortSignal.any([deps.signal, over.signal]);
  const stream = await deps.engine.openExec(container, dumpCommand(database), limit, [mark]);
  let isRead = false;
  try {
    const result = await use(withinLimits(deps, stream.bytes, most));
    isRead = true;
    const { exit_code, output } = await stream.end();
    if (exit_code !== 0)
      throw new DumpFault(output.split("\n").at(-1)?.trim().slice(0, 200) || `exit code ${exit_code}`);
    return result;
  } finally {
    over.abort();
    if (!isRead) await endDump(deps, container, mark);
  }
}
