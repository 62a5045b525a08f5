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
  if (running !== undefined) return { op_id: running.op_id };
  if (own.pulls.size >= PULL_LIMIT) throw fail("pulls_busy", { limit: PULL_LIMIT });
  const op = own.operations.begin({
    kind: "image.pull",
    subject_id: image,
    title: `Pull ${image}`,
    steps: [{ step: STEP, title: "Pull the image" }],
    by,
  });
  const cancel = new AbortController();
  own.pulls.set(image, { op_id: op.id, cancel });
  void work(own, engine, op, { image, cancelled: cancel.signal }).finally(() => own.pulls.delete(image));
  return { op_id: op.id };
}

/** Ends a pull that is under way; what it has of the image is left to Docker. Throws `pull_over`. */
export function cancelPull(own: Own, by: Asker, image: string): void {
  const pull = own.pulls.get(image);
  if (pull === undefined || pull.cancel.signal.aborted) throw fail("pull_over", { image });
  own.db.record(() => own.bus.emit("image.pull_cancelled", { image, user_id: by.user_id, ip: by.ip }));
  pull.cancel.abort();
}

const CANCELLED: Failure = {
  code: "pull_cancelled",
  message: "It was cancelled before the image was here.",
  next_step: "Pull it again when you like.",
};

/** Ends the operation in any case, unless the program stops first. */
async function work(
  own: Own,
  engine: Engine,
  op: OperationHandle,
  { image, cancelled }: { image: string; cancelled: AbortSignal },
): Promise<void> {
  const signal = AbortSignal.any([own.signal, cancelled]);
  const result = await fetchImage({ ...own, signal }, engine, op, STEP, image);
  if (own.signal.aborted) return;
  if (result === null) {
    op.step(STEP, "failed");
    return op.fail(CANCELLED);
  }
  if (typeof result !== "string") return op.fail(result);
  own.db.tx(() => {
    op.done();
    if (op.by) own.bus.emit("image.pulled", { image, user_id: op.by.user_id, ip: op.by.ip });
  });
}

/**
 * Tries each source of an image in turn, as a step of an operation. The reference to make containers of, or why there is none; null
 * when `signal` ends it: where the program stops it is taken for cut off at the next start.
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
