import { toIso } from "../../../../lib/clock.ts";
import { days, seconds } from "../../../../lib/duration.ts";
import { EngineError } from "../../runtime/index.ts";
import { readBlueprint } from "../blueprint/blueprint.ts";
import { forgetFormerSecrets } from "../blueprint/secret-store.ts";
import { dropDumps, hasDatabases, makeDumps } from "../dumps/make-dumps.ts";
import { ensureImage } from "../images/ensure-image.ts";
import { appEvent, moveApp, touchList } from "../move.ts";
import { reservedByOthers } from "../plan/find-ports.ts";
import { findApp, replacePorts } from "../store.ts";
import { lookAtServices } from "../watch/observe-app.ts";
import { isPatient, speaksOfLoss } from "../work/engine-loss.ts";
import { ensureNetworks, ensureVolumes, removeContainers } from "../work/ensure.ts";
import { ensurePorts } from "../work/ensure-ports.ts";
import { AppFailure, type Failure, toFailure } from "../work/failure.ts";
import { keepLastLines } from "../work/give-up.ts";
import { waitHealthy } from "../work/health.ts";
import { stopServices } from "../work/start-services.ts";
import { createStep, startStep } from "../work/steps.ts";
import type { Work } from "../work/work.ts";
import { copyData, dropCopy } from "./copy-data.ts";
import { forgetUpdates } from "./known-updates.ts";
import { drawSide } from "./side.ts";
import { nextPlace, type UpdateStep } from "./update-machine.ts";
import {
  deleteKept,
  findUpdate,
  type Side,
  type UpdateRow,
  writeKept,
  writeSide,
  writeUpdate,
} from "./update-store.ts";

/** How long the way back stands open, and how long data that somebody went back from is kept. */
const KEPT_MS = days(7);
/** The manifest says how long a new version is watched; this is the most that it can say. */
const LONGEST_STABLE_MS = seconds(600);

/** Whether the new version gets a copy of the data; the way back names the set that is kept. */
const copies = ({ kind }: UpdateRow): boolean => kind === "update";

const hopOf = ({ hops, hop }: UpdateRow): Side => {
  const side = hops[hop];
  if (!side) throw new Error(`an update has no version ${hop}`);
  return side;
};

/** Makes the app what it is at one version, and reads it so. */
function become(work: Work, side: Side): void {
  const { own, blueprint } = work;
  const { id } = blueprint.app;
  own.db.tx(() => {
    writeSide(own.db, id, side);
    // What another app got since the places were looked for, is placed anew when the services start.
    const lost = reservedByOthers(own.db, id, side.ports);
    replacePorts(
      own.db,
      id,
      side.ports.filter((port) => !lost.includes(port)),
    );
    touchList(own);
  });
  work.blueprint = readBlueprint(own, findApp(own.db, id) ?? blueprint.app);
  // References are those of the images of the version before.
  work.images.clear();
}

async function pull(work: Work, update: UpdateRow): Promise<void> {
  for (const side of update.hops) {
    for (const { image } of drawSide(work.own, work.blueprint.app, side).project.services)
      await ensureImage(work, "pull", image);
  }
}

async function runServices(work: Work): Promise<void> {
  await ensurePorts(work);
  await ensureNetworks(work);
  await ensureVolumes(work);
  const names = work.blueprint.project.services.map(({ name }) => name);
  for (const name of names) await createStep(name).run(work);
  for (const name of names) await startStep(name).run(work);
}

/** What each step does. Every one can run again after a crash in its middle. */
async function act(work: Work, update: UpdateRow): Promise<void> {
  const { own, blueprint } = work;
  const before = () => drawSide(own, blueprint.app, update.before);
  switch (update.step) {
    case "pull":
      return pull(work, update);
    case "dump":
      return makeDumps(work, { ...blueprint.app, ...update.before }, before());
    case "stop":
      return stopServices(work);
    case "copy":
      // Somebody may have started it again in the meantime.
      await stopServices(work);
      return copyData(work, before(), hopOf(update).generation);
    case "switch":
      await stopServices(work);
      await removeContainers(work);
      return become(work, hopOf(update));
    case "back_switch":
      await keepLastLines(work).catch(() => {});
      // Named first: whatever happens to the containers, the app is the old one on its old data.
      become(work, update.before);
      await removeContainers(work);
      return;
    case "run":
    case "back_run":
      return runServices(work);
    case "health":
      return waitHealthy(work, LONGEST_STABLE_MS);
    case "back_health":
      return waitHealthy(work);
    case "commit":
      if (!update.was_up) await stopServices(work);
      // Whoever is back on that data has no need of its dumps.
      if (!copies(update)) await dropDumps(own, blueprint.app.id, hopOf(update).generation);
      await lookAtServices(own, work.engine, work.blueprint, () => true);
      return;
    case "back_end":
      if (copies(update)) {
        await dropCopy(work, blueprint.app, hopOf(update).generation);
        await dropDumps(own, blueprint.app.id, update.before.generation);
      }
      await lookAtServices(own, work.engine, work.blueprint, () => true);
      return;
    case "over":
      return;
  }
}

/** The name under which people see a step. */
export function stepName({ step, hop, hops }: Pick<UpdateRow, "step" | "hop" | "hops">): string {
  return hops.length > 1 && ["switch", "run", "health"].includes(step) ? `${step}:${hops[hop]?.version}` : step;
}

/** Steps that end the time in which the app does not answer. */
const UP_AGAIN: readonly UpdateStep[] = ["commit", "back_end"];

function downTime(work: Work, update: UpdateRow): number | null {
  if (update.down_at === null || !update.was_up) return null;
  return Math.max(0, work.own.clock.now() - update.down_at);
}

/** Ends an update that went well: the app is the new one, and what it was is kept. */
function commit(work: Work, update: UpdateRow): void {
  const { own, op } = work;
  const { app } = work.blueprint;
  const { before, kind, was_up, down_ms } = update;
  const side = hopOf(update);
  own.db.tx(() => {
    writeUpdate(own.db, { ...update, step: "over", ended_at: toIso(own.clock.now()) });
    deleteKept(own.db, app.id, side.generation);
    writeKept(own.db, {
      app_id: app.id,
      generation: before.generation,
      side: before,
      can_return: kind === "update",
      kept_until: toIso(own.clock.now() + KEPT_MS),
    });
    const moved = moveApp(own, app.id, was_up ? "work_running" : "work_stopped", {
      work: null,
      op_id: null,
      started_at: was_up ? toIso(own.clock.now()) : null,
    });
    forgetUpdates(own, app.id);
    if (was_up) forgetFormerSecrets(own.db, app.id);
    const told = {
      ...appEvent(app, moved?.status ?? app.status, op.by),
      from: before.version,
      to: side.version,
      down_ms,
    };
    own.bus.emit(kind === "update" ? "app.updated" : "app.rolled_back", told);
    op.done();
  });
}

/** Ends an update that failed: the app is the old one on its old data. `failure` is set when even that does not run. */
function endBack(work: Work, update: UpdateRow, backFailure: Failure | null): void {
  const { own, op } = work;
  const { app } = work.blueprint;
  const { before, was_up } = update;
  const to = hopOf(update).version;
  const { code, cause, next_step } = update.failure ?? { code: "update_failed", cause: "It failed.", next_step: null };
  own.db.tx(() => {
    writeUpdate(own.db, { ...update, step: "over", ended_at: toIso(own.clock.now()) });
    const rest = { work: null, op_id: null };
    const trouble = backFailure && {
      cause: `${cause} Back on ${before.version}: ${backFailure.cause}`,
      next_step: backFailure.next_step,
    };
    const moved = trouble
      ? moveApp(own, app.id, "work_failed", { ...rest, ...trouble })
      : moveApp(own, app.id, was_up ? "work_running" : "work_stopped", rest);
    forgetUpdates(own, app.id);
    const told = { from: before.version, to, cause, next_step, down_ms: update.down_ms };
    own.bus.emit("app.update_failed", { ...appEvent(app, moved?.status ?? app.status, op.by), ...told });
    op.fail({ code, message: `${cause} It is back on ${before.version}, with its data as it was.`, next_step });
  });
}

/** What failed at the new version is no longer there to be looked at or started; its last lines are in the log of the work. */
function adviceFor(step: UpdateStep, failure: Failure): Failure {
  if ((step !== "run" && step !== "health") || failure.code === "out_of_memory") return failure;
  return {
    ...failure,
    next_step: "The log of this work has its last lines. Update again, or wait for a version after it.",
  };
}

/**
 * Brings an update, or the way back from one, to its end from wherever it stands. What fails is answered by going back; only the loss
 * of the engine or the end of the node stop it, and then it goes on later.
 */
export async function runUpdate(work: Work): Promise<void> {
  const { own, op, signal } = work;
  const appId = work.blueprint.app.id;
  let backFailure: Failure | null = null;
  let update = findUpdate(own.db, appId);
  if (!update || update.ended_at !== null) throw new Error("there is no update to go on with");
  const { project } = drawSide(own, work.blueprint.app, update.before);
  const shape = {
    hops: update.hops.length,
    wasUp: update.was_up,
    copies: copies(update),
    dumps: hasDatabases(update.before, project),
  };
  while (update.step !== "over") {
    signal.throwIfAborted();
    const step = stepName(update);
    op.step(step, "running");
    if (update.step === "stop") update = { ...update, down_at: update.down_at ?? own.clock.now() };
    writeUpdate(own.db, update);
    await own.checkpoint?.(appId, step);
    if (UP_AGAIN.includes(update.step) && update.down_ms === null)
      update = { ...update, down_ms: downTime(work, update) };
    let failure: Failure | null = null;
    try {
      await act(work, update);
    } catch (error) {
      signal.throwIfAborted();
      const isNoAnswer = error instanceof EngineError && error.status === 0;
      const isLoss = speaksOfLoss(error) || own.runtime.engine() !== work.engine;
      if (isNoAnswer || (isLoss && isPatient(own, appId))) throw error;
      if (!(error instanceof AppFailure || error instanceof EngineError))
        own.log.warn("a step of an update failed", { app_id: appId, step, error });
      failure = adviceFor(update.step, toFailure(error));
    }
    own.state.losses.delete(appId);
    op.step(step, failure ? "failed" : "done");
    if (failure) op.log(failure.cause);
    if (update.step === "commit" && !failure) return commit(work, update);
    const isBack = update.step.startsWith("back_");
    // What could not be cleared away is no trouble of the app.
    if (isBack && failure && update.step !== "back_end") backFailure ??= failure;
    if (update.step === "back_end") return endBack(work, update, backFailure);
    const place = nextPlace(update, shape, failure ? "badly" : "well");
    update = { ...update, ...place, failure: update.failure ?? failure };
    own.db.tx(() => {
      if (update) writeUpdate(own.db, update);
      if (place.step === "back_switch") moveApp(own, appId, "work_rolling_back");
    });
  }
}
