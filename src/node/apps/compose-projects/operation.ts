import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { EngineError } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";

/** Ends an operation with words for people. */
export class ProjectFailure extends Error {
  readonly code: string;
  readonly nextStep: string;

  constructor(code: string, message: string, nextStep: string) {
    super(message);
    this.code = code;
    this.nextStep = nextStep;
  }
}

/** One step of the work on a project. */
export interface ProjectStep {
  step: string;
  title: string;
  run(op: OperationHandle): Promise<void>;
}

interface ProjectWork {
  kind: string;
  name: string;
  title: string;
  by: Asker;
  steps: readonly ProjectStep[];
  /** Writes the line of what was done, with the end of the operation; nothing where a step has written it. */
  record?(): void;
  /** Brings back what was there before, after a step has failed. True when there was something to bring back. */
  undo?(log: (text: string) => void): Promise<boolean>;
}

/** The one work on a project at a time. Throws `compose_busy`. */
export function occupy(own: Own, name: string): () => void {
  if (own.busy.has(name)) throw fail("compose_busy", { name });
  own.busy.add(name);
  return () => own.busy.delete(name);
}

/** Begins work on a project; `begun` is told its id before the first step, `free` is called at its end. */
export function beginWork(
  own: Own,
  work: ProjectWork,
  free: () => void,
  begun: (opId: string) => void = () => {},
): string {
  const { kind, name, title, by, steps } = work;
  const op = own.db.tx(() => {
    const planned = steps.map(({ step, title: words }) => ({ step, title: words }));
    const handle = own.operations.begin({ kind, subject_id: `compose:${name}`, title, steps: planned, by });
    begun(handle.id);
    return handle;
  });
  void perform(own, op, work).finally(free);
  return op.id;
}

async function perform(own: Own, op: OperationHandle, work: ProjectWork): Promise<void> {
  let current = "";
  try {
    for (const { step, run } of work.steps) {
      if (own.signal.aborted) return;
      current = step;
      op.step(step, "running");
      await own.checkpoint?.(`compose:${work.name}`, step);
      await run(op);
      op.step(step, "done");
    }
    own.db.tx(() => {
      op.done();
      work.record?.();
    });
  } catch (error) {
    if (own.signal.aborted) return;
    op.step(current, "failed");
    const failure = explain(own, work.name, error);
    const end = await bringBack(own, op, work);
    if (own.signal.aborted) return;
    op.fail({ ...failure, message: `${failure.message}${end}` });
  }
}

function explain(own: Own, name: string, error: unknown): { code: string; message: string; next_step: string } {
  const reason = error instanceof Error ? error.message.trim() : String(error);
  if (error instanceof ProjectFailure) return { code: error.code, message: reason, next_step: error.nextStep };
  if (!(error instanceof EngineError)) own.log.error("work on a Compose project failed", { name, error });
  return {
    code: "compose_refused",
    message: `Docker refused: ${reason}`,
    next_step: "Correct what it names in the file, then deploy again.",
  };
}

/** Says what has become of the project after its work failed. */
async function bringBack(own: Own, op: OperationHandle, { name, undo }: ProjectWork): Promise<string> {
  if (!undo) return "";
  try {
    op.log("Going back to what was there before");
    return (await undo((text) => op.log(text)))
      ? " What was there before runs again."
      : " What was done already stays.";
  } catch (error) {
    if (own.signal.aborted) return "";
    if (!(error instanceof EngineError)) own.log.error("a deploy could not be undone", { name, error });
    const reason = error instanceof Error ? error.message.trim() : String(error);
    return ` Going back did not work either: ${reason} It is tried again when Docker comes back, and before the next deploy.`;
  }
}
