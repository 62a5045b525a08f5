import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { describeRuntime, hasSnapDocker } from "./container-runtime.ts";
import { type ApplyInput, fail } from "./contract.ts";
import { isOnBy } from "./list-components.ts";
import { stateOf } from "./machine.ts";
import type { Own } from "./needs.ts";
import { makePlan, type Plan, replacingSnap } from "./plan.ts";
import { parseSet } from "./set-grammar.ts";
import type { Piece } from "./spec.ts";
import { saveWork, type Work } from "./store.ts";
import { readWishes } from "./wishes.ts";
import { carryOut, occupy } from "./work.ts";

/** Kind of the operations that change components. */
export const APPLY = "component.apply";

/** Begins to change components. Throws `bad_spec`, `confirm_snap_required`, `busy`. */
export async function applySet(own: Own, by: Asker, { set, confirm_snap }: ApplyInput): Promise<{ op_id: string }> {
  const parsed = parseSet(set);
  if ("problem" in parsed) throw fail("bad_spec", { ...parsed.problem });
  await own.machine.known();
  const isReplaced = hasSnapDocker(own) && describeRuntime(own).mode !== "package";
  const isFound = (piece: Piece) => {
    // What is to be replaced counts as not there.
    if (isReplaced && piece.packages.includes("docker.io")) return false;
    const { present, packaged } = stateOf(piece, own.machine.last());
    return present && !packaged;
  };
  const isOn = isOnBy(own, readWishes(own.config.data_dir).wishes);
  const made = makePlan(parsed.words, own.catalogue, isOn, isFound);
  if ("problem" in made) throw fail("bad_spec", { ...made.problem });
  const replaces = isReplaced && turnsOnRuntime(made.plan);
  if (replaces && confirm_snap !== true) throw fail("confirm_snap_required");
  const plan = replaces ? replacingSnap(made.plan, RUNTIME) : made.plan;
  if (own.state.working !== null) throw fail("busy", { op_id: own.state.working.opId });
  const { op, work } = begin(own, by, set, plan);
  occupy(own, work);
  void carryOut(own, op, work).catch((error: unknown) => own.log.error("changing components ended early", { error }));
  return { op_id: op.id };
}

const RUNTIME = "container-runtime";

const turnsOnRuntime = ({ changes }: Plan): boolean => changes.some(({ component, on }) => on && component === RUNTIME);

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
