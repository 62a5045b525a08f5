import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { AppFailure, type Apps, explainPull, listSources, pullSource, WAITS } from "../../apps/index.ts";
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

interface Fetching extends Pick<Own, "clock" | "signal" | "log" | "settings" | "registries"> {
  apps: Pick<Apps, "pulls">;
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
  const onWait = () => op.step(step, "running", { text: WAITS, image });
  try {
    return await own.apps.pulls.run({ image, by: op.by, signal: own.signal, onWait }, async (place) => {
      op.step(step, "running", { image });
      const reference = await tryInTurn(own, { clock: own.clock, engine, op, ...place }, step, image);
      op.step(step, "done");
      return reference;
    });
  } catch (error) {
    if (own.signal.aborted) return null;
    if (!(error instanceof AppFailure)) throw error;
    op.step(step, "failed");
    const { code, cause, next_step } = error.failure;
    return { code, message: cause, next_step };
  }
}

/** Tries each source of an image in turn; the reference that worked. Throws AppFailure. */
async function tryInTurn(
  own: Fetching,
  deps: Parameters<typeof pullSource>[0] & { op: OperationHandle },
  step: string,
  image: string,
): Promise<string> {
  let failure = explainPull(image, "no source");
  for (const { reference, login } of listSources(own, image)) {
    try {
      await pullSource(deps, step, reference, login);
      return reference;
    } catch (error) {
      deps.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message.trim() : String(error);
      if (!(error instanceof EngineError)) own.log.error("pull failed", { image, error });
      failure = explainPull(image, reason);
      deps.op.log(`${reference}: ${reason}`);
    }
  }
  throw new AppFailure(failure);
}
