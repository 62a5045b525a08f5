import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import { type CheckResult, checkImagesNow } from "./check-images.ts";
import { shortName } from "./image-name.ts";

const STEP = "ask";

/** Begins to ask for newer images, or tells of the check that is under way. Throws `runtime_unavailable`. */
export function beginImageCheck(own: Own, by: Asker): { op_id: string } {
  const engine = own.runtime.requireEngine();
  const { asked } = own.imageChecks;
  if (asked !== null) return { op_id: asked };
  const op = own.operations.begin({
    kind: "image.check",
    subject_id: "images",
    title: "Look for newer images",
    steps: [{ step: STEP, title: "Ask the registries" }],
    by,
  });
  own.imageChecks.asked = op.id;
  void work(own, engine, op).finally(() => {
    own.imageChecks.asked = null;
  });
  return { op_id: op.id };
}

/** Ends the operation in any case, unless the program stops first. */
async function work(own: Own, engine: Engine, op: OperationHandle): Promise<void> {
  op.step(STEP, "running");
  try {
    const result = await checkImagesNow(own, engine, (reference, done, total) => {
      op.progress(STEP, { percent: Math.round((100 * done) / total), bytes_done: null, bytes_total: null });
      op.step(STEP, "running", { text: shortName(reference) });
    });
    if (own.signal.aborted) return;
    for (const line of describe(result)) op.log(line);
    op.step(STEP, "done");
    op.done();
  } catch (error) {
    if (own.signal.aborted) return;
    if (!(error instanceof EngineError)) own.log.error("a check for newer images failed", { error });
    op.step(STEP, "failed");
    const reason = error instanceof Error ? error.message.trim() : String(error);
    op.fail({
      code: "images_not_checked",
      message: `The check for newer images was cut off: ${reason}`,
      next_step: "Look whether Docker answers, then check again.",
    });
  }
}

/** What came of a check, a sentence a line. */
function describe({ asked, newer, left }: CheckResult): string[] {
  const names = (count: number) => `${count} ${count === 1 ? "name" : "names"}`;
  return [
    asked === 0
      ? "Nothing had to be asked: what could be was asked within the last hour, or its registry is left alone for now."
      : `Asked for ${names(asked)}.`,
    newer === 0 ? "No newer image is known." : `There is a newer image of ${names(newer)}.`,
    ...(left === 0 ? [] : [`${names(left)} left for later: registries count questions, and enough were asked lately.`]),
  ];
}
