import type { OperationHandle } from "../../platform/operations/index.ts";
import { explain, goForward, type Job, Stopped, turnBack, undo } from "./carry-out.ts";
import type { Own } from "./needs.ts";
import { deleteWork, type Failure, findWork, type Work } from "./store.ts";
import { readWishes, writeWishes } from "./wishes.ts";

const COULD_NOT_UNDO =
  "Look at the server itself: apt-get check and systemctl --failed tell what is left. Then turn it on or off once more.";

/** Says what is being worked on, so that nothing else begins meanwhile. */
export function occupy(own: Own, { op_id, plan }: Work): void {
  own.state.working = {
    opId: op_id,
    components: new Set(plan.changes.map(({ component }) => component)),
    keys: new Set(plan.changes.map(({ key }) => key)),
    waits: false,
  };
  own.bus.emit("components.changed", { busy: true });
}

/** Carries a plan out to its end: all of it or, where a step fails, nothing. Ends early only where the program stops. */
export async function carryOut(own: Own, op: OperationHandle, work: Work): Promise<void> {
  const job: Job = { own, op, work };
  try {
    const failure = job.work.failure ?? (await forward(job));
    if (failure === null) return;
    await backward(job, failure);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

/** Null once everything is done, else why it has to be undone. */
async function forward(job: Job): Promise<Failure | null> {
  const { own } = job;
  try {
    await goForward(job);
    keepWishes(job);
    finish(job, () => {
      const { plan, op_id } = job.work;
      const named = (on: boolean) => plan.changes.filter((change) => change.on === on).map(({ key }) => key);
      if (job.op.by)
        own.bus.emit("component.applied", {
          ...job.op.by,
          op_id,
          title: plan.title,
          on: named(true),
          off: named(false),
        });
      job.op.done();
    });
    return null;
  } catch (error) {
    if (error instanceof Stopped || own.signal.aborted) throw new Stopped();
    const failure = explain(error, own.log);
    turnBack(job, failure);
    return failure;
  }
}

/** What a program said last often has no full stop. */
const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

async function backward(job: Job, failure: Failure): Promise<void> {
  const { own, op } = job;
  let undone = true;
  let words: Failure = {
    ...failure,
    message: `${sentence(failure.message)} What was begun has been undone.`,
    next_step: failure.next_step ?? "Read the log, mend the cause, then turn it on or off once more.",
  };
  try {
    await undo(job);
  } catch (error) {
    if (error instanceof Stopped || own.signal.aborted) throw new Stopped();
    undone = false;
    const { message } = explain(error, own.log);
    op.step("undo", "failed", { text: message });
    words = {
      ...words,
      message: `${sentence(failure.message)} It could not be undone: ${message}`,
      next_step: COULD_NOT_UNDO,
    };
  }
  await own.machine.look();
  finish(job, () => {
    if (op.by) own.bus.emit("component.apply_failed", { ...op.by, op_id: job.work.op_id, code: failure.code, undone });
    op.fail(words);
  });
}

/** What was turned on or removed is wanted that way from now on. */
function keepWishes({ own, work }: Job): void {
  const { wishes, error } = readWishes(own.config.data_dir);
  const changed = Object.fromEntries(work.plan.changes.map(({ key, on }) => [key, on]));
  // A damaged file is begun anew; what it said is then what is there.
  writeWishes(own.config.data_dir, { ...wishes, ...changed }, error !== null);
}

/** Ends the operation and its journal together. */
function finish({ own, work }: Job, end: () => void): void {
  own.db.tx(() => {
    deleteWork(own.db, work.op_id);
    end();
  });
  own.state.working = null;
  own.bus.emit("components.changed", { busy: false });
}

/** Goes on with what a crash or a stop cut off, and says so in its stream. */
export function resumeWork(own: Own): Promise<void> | null {
  const work = findWork(own.db);
  if (!work) return null;
  const op = own.operations.resume(work.op_id);
  if (!op) {
    deleteWork(own.db, work.op_id);
    return null;
  }
  occupy(own, work);
  op.restarted(
    work.failure === null
      ? "The node was started anew in the middle of this. It goes on with the first step that was not over."
      : "The node was started anew while this was being undone. It goes on undoing.",
  );
  return carryOut(own, op, work);
}
