import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { explainPull, listSources, pullSource } from "../../apps/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import { fail } from "../contract.ts";
import type { Own } from "../needs.ts";

/** More pulls at a time only share the same line, and each unpacks on the same disk. */
const PULL_LIMIT = 3;
const STEP = "pull";

/** Why an operation ended badly, in the words of its last event. */
type Failure = Parameters<OperationHandle["fail"]>[0];

/** Begins to pull an image, or tells of the pull that is under way. Throws `pulls_busy`, `runtime_unavailable`. */
export function pullImage(own: Own, by: Asker, image: string): { op_id: string } {
  const engine = own.runtime.requireEngine();
  const running = own.pulls.get(image);
  if (running !== undefined) return { op_id: running };
  if (own.pulls.size >= PULL_LIMIT) throw fail("pulls_busy", { limit: PULL_LIMIT });
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

/**
 * Tries each source of an image in turn, as a step of an operation. The reference to make containers of, or why there is none; null
 * when the program stops first, which is taken for cut off at the next start.
 */
export async function fetchImage(
  own: Pick<Own, "clock" | "signal" | "log" | "settings" | "registries">,
  engine: Engine,
  op: OperationHandle,
  step: string,
  image: string,
): Promise<string | Failure | null> {
  const { clock, signal } = own;
  let failure = explainPull(image, "no source");
  op.step(step, "running");
  for (const { reference, login } of listSources(own, image)) {
    try {
      await pullSource({ clock, engine, op, signal }, step, reference, login);
      op.step(step, "done");
      return reference;
    } catch (error) {
      if (signal.aborted) return null;
      const reason = error instanceof Error ? error.message.trim() : String(error);
      if (!(error instanceof EngineError)) own.log.error("pull failed", { image, error });
      failure = explainPull(image, reason);
      op.log(`${reference}: ${reason}`);
    }
  }
  op.step(step, "failed");
  return { code: failure.code, message: failure.cause, next_step: failure.next_step };
}
