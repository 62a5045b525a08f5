import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { AppFailure, type Apps, explainPull } from "../../apps/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import { fail } from "../contract.ts";
import type { Own } from "../needs.ts";

const STEP = "pull";

/** Why an operation ended badly, in the words of its last event. */
type Failure = Parameters<OperationHandle["fail"]>[0];

/** Begins to pull an image, or tells of the pull that is under way. Throws `pulls_busy`, `runtime_unavailable`. */
export function pullImage(own: Own, by: Asker, image: string): { op_id: string } {
  const engine = own.runtime.requireEngine();
  const running = own.pulls.get(image);
  if (running !== undefined) return { op_id: running };
  own.apps.pulls.assertPlace();
  const op = own.operations.begin({
    kind: "image.pull",
    subject_id: image,
    title: `Pull ${image}`,
    steps: [{ step: STEP, title: "Pull the image" }],
    by,
  });
  own.pulls.set(image, op.id);
  void work(own, engine, op, image).finally(() => own.pulls.delete(image));
  return { op_id: op.id };
}

/** Ends all pulls of an image, whatever for; what is there of it is left to Docker. Throws `pull_over`. */
export async function cancelPull(own: Own, by: Asker, image: string): Promise<void> {
  if (!own.apps.pulls.has(image)) throw fail("pull_over", { image });
  own.db.record(() => own.bus.emit("image.pull_cancelled", { image, user_id: by.user_id, ip: by.ip }));
  await own.apps.pulls.cancel(image);
}

/** Ends the operation in any case, unless the program stops first. */
async function work(own: Own, engine: Engine, op: OperationHandle, image: string): Promise<void> {
  const result = await fetchImage(own, engine, op, STEP, image);
  if (result === null) return;
  if (typeof result !== "string") return op.fail(result);
  own.db.tx(() => {
    op.done();
    if (op.by) own.bus.emit("image.pulled", { image, user_id: op.by.user_id, ip: op.by.ip });
  });
}

interface Fetching extends Pick<Own, "signal" | "log"> {
  apps: Pick<Apps, "pullImage">;
}

/**
 * Pulls an image once there is a place for it, as a step of an operation. The reference to make containers of, or why there is none; null
 * when the program stops: that is taken for cut off at the next start.
 */
export async function fetchImage(
  own: Fetching,
  engine: Engine,
  op: OperationHandle,
  step: string,
  image: string,
): Promise<string | Failure | null> {
  try {
    const reference = await own.apps.pullImage({ engine, op, signal: own.signal }, step, image);
    op.step(step, "done");
    return reference;
  } catch (error) {
    if (own.signal.aborted) return null;
    op.step(step, "failed");
    const { code, cause, next_step } = error instanceof AppFailure ? error.failure : explainLoss(own, image, error);
    return { code, message: cause, next_step };
  }
}

/** Why an image was not pulled where no registry said so: the engine is gone, or there is a fault here. */
function explainLoss({ log }: Pick<Own, "log">, image: string, error: unknown) {
  if (!(error instanceof EngineError)) log.error("pull failed", { image, error });
  return explainPull(image, error instanceof Error ? error.message.trim() : String(error));
}
