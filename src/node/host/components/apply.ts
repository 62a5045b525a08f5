import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { describeRuntime, hasSnapDocker } from "./container-runtime.ts";
import { type ApplyInput, fail } from "./contract.ts";
import { isOnBy } from "./list-components.ts";
import { stateOf } from "./machine.ts";
import type { Own } from "./needs.ts";
import { makePlan, type Plan } from "./plan.ts";
import { parseSet } from "./set-grammar.ts";
import type { Piece } from "./spec.ts";
import { saveWork, type Work } from "./store.ts";
import { readWishes } from "./wishes.ts";
import { carryOut, occupy } from "./work.ts";

/** Kind of the operations that change components. */
export const APPLY = "component.apply";

/** Begins to change components. Throws `bad_spec`, `confirm_snap_required`, `snap_in_the_way`, `busy`. */
export async function applySet(own: Own, by: Asker, { set, confirm_snap }: ApplyInput): Promise<{ op_id: string }> {
  const parsed = parseSet(set);
  if ("problem" in parsed) throw fail("bad_spec", { ...parsed.problem });
  await own.machine.known();
  const isFound = (piece: Piece) => {
    const { present, packaged } = stateOf(piece, own.machine.last());
    return present && !packaged;
  };
  const isOn = isOnBy(own, readWishes(own.config.data_dir).wishes);
  const made = makePlan(parsed.words, own.catalogue, isOn, isFound);
  if ("problem" in made) throw fail("bad_spec", { ...made.problem });
  refuseSnap(own, made.plan, confirm_snap === true);
  if (own.state.working !== null) throw fail("busy", { op_id: own.state.working.opId });
  const { op, work } = begin(own, by, set, made.plan);
  occupy(own, work);
  void carryOut(own, op, work).catch((error: unknown) => own.log.error("changing components ended early", { error }));
  return { op_id: op.id };
}

/** Docker from the snap store holds containers and their data, which a package of the distribution would not take over. */
function refuseSnap(own: Own, { changes }: Plan, isConfirmed: boolean): void {
  const isRuntime = changes.some(({ component, on }) => on && component === "container-runtime");
  if (!isRuntime || !hasSnapDocker(own) || describeRuntime(own).mode === "package") return;
  throw fail(isConfirmed ? "snap_in_the_way" : "confirm_snap_required");
}

function begin(own: Own, by: Asker, set: string, plan: Plan): { op: OperationHandle; work: Work } {
  const steps = plan.steps.map(({ step, title, component }) => ({
    step,
    title,
    ...(component === undefined ? {} : { component }),
  }));
  return own.db.tx(() => {
    const op = own.operations.begin({ kind: APPLY, subject_id: "components", title: plan.title, steps, by });
    const work: Work = { op_id: op.id, plan, before: null, done: [], failure: null, waits_since: null };
    saveWork(own.db, work);
    own.bus.emit("component.apply_begun", { ...by, op_id: op.id, set });
    return { op, work };
  });
}
