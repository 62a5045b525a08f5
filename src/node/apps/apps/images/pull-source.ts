import { hours, minutes } from "../../../../lib/duration.ts";
import type { NodeBase } from "../../../base.ts";
import type { OperationHandle } from "../../../platform/operations/index.ts";
import { type Engine, EngineError, type RegistryLogin } from "../../runtime/index.ts";
import { createPullProgress } from "./pull-progress.ts";

/** Time between two progress events of a pull. */
const REPORT_MS = 250;
/** A pull that gets on by less than that in such a time is given up: a registry that sends a byte now and then would hold it for ever. */
const STALL_MS = minutes(3);
const LEAST_KB = 128;
/** An engine loads a few layers at a time for all pulls together. Nobody waits longer than that for a turn. */
const LONGEST_WAIT_MS = hours(1);

interface Deps extends Pick<NodeBase, "clock"> {
  engine: Pick<Engine, "pullImage">;
  op: Pick<OperationHandle, "progress">;
  signal: AbortSignal;
  /** Whether other images are pulled meanwhile, which layers may wait for. */
  isShared(): boolean;
}

/** Pulls from one source, whose progress `op` tells. Throws EngineError; also when the registry sends next to nothing. */
export async function pullSource(
  { clock, engine, op, signal, isShared }: Deps,
  step: string,
  source: string,
  login: RegistryLogin | null,
): Promise<void> {
  const progress = createPullProgress();
  const stall = new AbortController();
  const isWaiting = () => progress.isWaiting(isShared());
  let cancelWatch = () => {};
  let waitedSince: number | null = null;
  let bytesSeen = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const watch = () => {
    cancelWatch();
    cancelWatch = clock.after(STALL_MS, () => {
      if (!isWaiting()) return stall.abort(`the registry sent less than ${LEAST_KB} KB in 3 minutes`);
      waitedSince ??= clock.monotonic() - STALL_MS;
      if (clock.monotonic() - waitedSince >= LONGEST_WAIT_MS)
        return stall.abort("other downloads went before it for 60 minutes");
      watch();
    });
  };
  watch();
  try {
    await engine.pullImage(source, {
      login,
      signal: AbortSignal.any([signal, stall.signal]),
      onLine(line) {
        const waited = isWaiting();
        const now = progress.add(line);
        // Unpacking is the engine's own work, on whatever disk it has.
        if (line.status === "Extracting" || now.bytes_done - bytesSeen >= LEAST_KB * 1024) {
          bytesSeen = now.bytes_done;
          waitedSince = null;
          watch();
        } else if (waited && !isWaiting()) watch();
        if (clock.monotonic() - reportedAt < REPORT_MS && now.percent !== 100) return;
        reportedAt = clock.monotonic();
        op.progress(step, now);
      },
    });
  } catch (error) {
    if (stall.signal.aborted) throw new EngineError(504, String(stall.signal.reason));
    throw error;
  } finally {
    cancelWatch();
  }
}
