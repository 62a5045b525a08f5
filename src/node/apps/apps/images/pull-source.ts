import { seconds } from "../../../../lib/duration.ts";
import type { NodeBase } from "../../../base.ts";
import type { OperationHandle } from "../../../platform/operations/index.ts";
import { type Engine, EngineError, type RegistryLogin } from "../../runtime/index.ts";
import { createPullProgress } from "./pull-progress.ts";

/** Time between two progress events of a pull. */
const REPORT_MS = 250;
/** A pull that says nothing for so long is given up: the engine repeats its figures several times a second. */
const SILENCE_MS = seconds(180);

interface Deps extends Pick<NodeBase, "clock"> {
  engine: Pick<Engine, "pullImage">;
  op: Pick<OperationHandle, "progress">;
  signal: AbortSignal;
}

/** Pulls from one source, whose progress `op` tells. Throws EngineError; also when the registry falls silent. */
export async function pullSource(
  { clock, engine, op, signal }: Deps,
  step: string,
  source: string,
  login: RegistryLogin | null,
): Promise<void> {
  const progress = createPullProgress();
  const silence = new AbortController();
  let cancelWatch = () => {};
  let reportedAt = Number.NEGATIVE_INFINITY;
  const watch = () => {
    cancelWatch();
    cancelWatch = clock.after(SILENCE_MS, () => silence.abort());
  };
  watch();
  try {
    await engine.pullImage(source, {
      login,
      signal: AbortSignal.any([signal, silence.signal]),
      onLine(line) {
        watch();
        const now = progress.add(line);
        if (clock.monotonic() - reportedAt < REPORT_MS && now.percent !== 100) return;
        reportedAt = clock.monotonic();
        op.progress(step, now);
      },
    });
  } catch (error) {
    if (silence.signal.aborted) throw new EngineError(504, "timeout: the registry fell silent");
    throw error;
  } finally {
    cancelWatch();
  }
}
