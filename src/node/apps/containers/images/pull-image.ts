import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { explainPull, listSources, pullSource } from "../../apps/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import { fail } from "../contract.ts";
import type { Own } from "../needs.ts";

/** More pulls at a time only share the same line, and each unpacks on the same disk. */
const PULL_LIMIT = 3;
const STEP = "pull";

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
  void pull(own, engine, op, image).finally(() => own.pulls.delete(image));
  return { op_id: op.id };
}

/** Tries each source in turn; ends the operation in any case, unless the program stops first. */
async function pull(own: Own, engine: Engine, op: OperationHandle, image: string): Promise<void> {
  const { clock, signal, db, bus } = own;
  let failure = explainPull(image, "no source");
  op.step(STEP, "running");
  for (const { reference, login } of listSources(own, image)) {
    try {
      await pullSource({ clock, engine, op, signal }, STEP, reference, login);
      op.step(STEP, "done");
      db.tx(() => {
        op.done();
        if (op.by) bus.emit("image.pulled", { image, user_id: op.by.user_id, ip: op.by.ip });
      });
      return;
    } catch (error) {
      // Taken for cut off at the next start, which it was.
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message.trim() : String(error);
      if (!(error instanceof EngineError)) own.log.error("pull failed", { image, error });
      failure = explainPull(image, reason);
      op.log(`${reference}: ${reason}`);
    }
  }
  op.step(STEP, "failed");
  op.fail({ code: failure.code, message: failure.cause, next_step: failure.next_step });
}
