import type { NodeContext } from "../../context.ts";
import type { OperationHandle } from "../operations/index.ts";
import type { Engine } from "../runtime/index.ts";
import type { Blueprint } from "./blueprint.ts";
import { writeStep } from "./step-store.ts";

/** One piece of work on one app, from its first step to its last. */
export interface Work {
  ctx: NodeContext;
  engine: Engine;
  blueprint: Blueprint;
  op: OperationHandle;
  /** Aborts when the node stops or the work is cancelled. */
  signal: AbortSignal;
  /** References under which the images of the services are here, by service; filled by the pull steps. */
  images: Map<string, string>;
}

/**
 * One step. `run` must be able to run again after a crash in its middle: it looks at what is there and makes what is
 * missing. What it returns goes into the journal.
 */
export interface Step {
  step: string;
  title: string;
  run(work: Work): Promise<unknown>;
}

/** Runs the steps in order, each written to the journal before and after. Throws what a step throws. */
export async function runSteps(work: Work, steps: readonly Step[]): Promise<void> {
  const { ctx, op, signal, blueprint } = work;
  const appId = blueprint.app.id;
  for (const [seq, { step, run }] of steps.entries()) {
    signal.throwIfAborted();
    writeStep(ctx.db, op.id, appId, { seq, step, status: "running", data: null });
    op.step(step, "running");
    await ctx.apps.checkpoint(appId, step);
    signal.throwIfAborted();
    try {
      const data = await run(work);
      writeStep(ctx.db, op.id, appId, {
        seq,
        step,
        status: "done",
        data: data === undefined ? null : JSON.stringify(data),
      });
    } catch (error) {
      if (!signal.aborted) {
        writeStep(ctx.db, op.id, appId, { seq, step, status: "failed", data: null });
        op.step(step, "failed");
      }
      throw error;
    }
    op.step(step, "done");
  }
}
