import type { OperationHandle } from "../../../platform/operations/index.ts";
import type { Engine } from "../../runtime/index.ts";
import type { Blueprint } from "../blueprint/blueprint.ts";
import type { Own } from "../needs.ts";
import { listSteps, writeStep } from "./step-store.ts";

/** One piece of work on one app, from its first step to its last. */
export interface Work {
  own: Own;
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
  /** Not run again after a crash once the journal calls it done: its effect was wanted for that moment only. */
  isOnce?: boolean;
  run(work: Work): Promise<unknown>;
}

/**
 * Runs the steps in order, each written to the journal before and after. After a crash all run again; those that the
 * journal calls done do so silently, for what they made may have been removed meanwhile. Throws what a step throws.
 */
export async function runSteps(work: Work, steps: readonly Step[]): Promise<void> {
  const { own, op, signal } = work;
  const journal = new Map(listSteps(own.db, op.id).map((row) => [row.step, row.status]));
  let isResumed = journal.size > 0;
  for (const [seq, step] of steps.entries()) {
    signal.throwIfAborted();
    if (journal.get(step.step) === "done") {
      if (!step.isOnce) await step.run(work);
      continue;
    }
    if (isResumed) op.log(`It was cut off and goes on here: ${step.title}.`);
    isResumed = false;
    await runStep(work, seq, step);
  }
}

async function runStep(work: Work, seq: number, { step, run }: Step): Promise<void> {
  const { own, op, signal, blueprint } = work;
  const note = (status: "running" | "done" | "failed", data: unknown) =>
    writeStep(own.db, op.id, blueprint.app.id, {
      seq,
      step,
      status,
      data: data === undefined ? null : JSON.stringify(data),
    });
  note("running", undefined);
  op.step(step, "running");
  await own.checkpoint?.(blueprint.app.id, step);
  signal.throwIfAborted();
  try {
    note("done", await run(work));
  } catch (error) {
    if (!signal.aborted) {
      note("failed", undefined);
      op.step(step, "failed");
    }
    throw error;
  }
  op.step(step, "done");
}
