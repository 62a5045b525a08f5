import { minutes } from "../../../lib/duration.ts";
import { appLabels, nodeId } from "../../apps/apps/index.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { AppFault } from "./app-fault.ts";
import type { Own } from "./needs.ts";
import type { Halting } from "./policy-store.ts";
import { listPutBacks } from "./put-back-store.ts";
import { deleteHalt, HALF, insertHalt, listHalts, listRestores } from "./store.ts";

const POLL_MS = 250;
const PATIENCE_MS = minutes(10);

/** Whoever stops and starts apps where nobody asked. */
export const BY_SCHEDULE: Asker = { user_id: "schedule", ip: "", purpose: "a backup" };

/** Waits until nothing works on an app any more. */
export async function settle({ apps, clock, signal }: Own, id: string): Promise<void> {
  const end = clock.monotonic() + PATIENCE_MS;
  while (apps.get(id).work !== null) {
    signal.throwIfAborted();
    if (clock.monotonic() >= end) throw new AppFault(`${apps.get(id).name} was worked on for more than ten minutes`);
    await clock.sleep(POLL_MS, signal);
  }
}

/**
 * Runs a task while an app stands still. That it has to be started again is written down before it is stopped, so that it is,
 * whatever happens in between.
 */
export async function whileHalted(
  own: Own,
  by: Asker,
  id: string,
  opId: string,
  task: () => Promise<void>,
): Promise<void> {
  const { apps, db } = own;
  await settle(own, id);
  const { status } = apps.get(id);
  if (status === "running" || status === "degraded") db.tx(() => insertHalt(db, id, "stop", opId));
  try {
    if (status !== "stopped") {
      apps.stopApp(by, id);
      await settle(own, id);
      const stopped = apps.get(id);
      if (stopped.status !== "stopped" && stopped.installed_at !== null)
        throw new AppFault(`${stopped.name} could not be stopped: ${stopped.cause ?? stopped.status}`);
    }
    await task();
  } finally {
    if (!own.signal.aborted) await endHalt(own, by, id);
  }
}

/** Runs a task while all that runs of an app is paused; that it has to go on is written down before. */
export async function whilePaused(own: Own, id: string, opId: string, task: () => Promise<void>): Promise<void> {
  const { apps, db } = own;
  await settle(own, id);
  const { status } = apps.get(id);
  if (status !== "running" && status !== "degraded") return await task();
  apps.freeze(id);
  db.tx(() => insertHalt(db, id, "pause", opId));
  try {
    for (const { Id, State } of await listOwn(own, id)) {
      if (State === "running") await own.runtime.requireEngine().pauseContainer(Id);
    }
    await task();
  } finally {
    if (!own.signal.aborted) await endPause(own, id);
  }
}

/** Runs a task while an app does not change its data, as far as that was asked for. */
export async function whileStill(
  own: Own,
  by: Asker,
  id: string,
  mode: Halting,
  opId: string,
  task: () => Promise<void>,
): Promise<void> {
  if (mode === "stop") return await whileHalted(own, { ...by, purpose: "a backup" }, id, opId, task);
  if (mode === "pause") return await whilePaused(own, id, opId, task);
  await settle(own, id);
  await task();
}

const listOwn = (own: Own, id: string) => own.runtime.requireEngine().listContainers(appLabels(nodeId(own.seal), id));

/** Lets apps that were still paused when the program ended count as running until they go on. */
export function keepPauses({ apps, db }: Own): void {
  for (const { app_id, mode } of listHalts(db)) if (mode === "pause") apps.freeze(app_id);
}

/** Lets an app go on that was paused for us. What cannot go on now stays on the list. */
async function endPause(own: Own, id: string): Promise<void> {
  const { db, log } = own;
  const thaw = own.apps.freeze(id);
  try {
    for (const { Id, State } of await listOwn(own, id))
      if (State === "paused") await own.runtime.requireEngine().unpauseContainer(Id);
    if ((await listOwn(own, id)).some(({ State }) => State === "paused")) throw new Error("it is still paused");
    db.tx(() => deleteHalt(db, id));
  } catch (error) {
    log.warn("an app that was paused for a backup does not go on yet", { app: id, error });
  } finally {
    thaw();
  }
}

/** What is put back of an app, where not all of that is there; null otherwise. */
export const findHalf = (db: Own["db"], id: string): { backup_id: string } | null =>
  listRestores(db).find(({ app_id, begun }) => app_id === id && begun === HALF) ??
  listPutBacks(db).find(({ app_id, written }) => app_id === id && written === 0) ??
  null;

/**
 * Starts an app if it stood still for us, and waits until it is through. One that cannot be started now stays on the list. What never ran does
 * not come back: it is started for itself, as when somebody asks for that, and its paths are looked at.
 */
export async function endHalt(own: Own, by: Asker, id: string): Promise<void> {
  const { apps, db, log } = own;
  // With half of its data it must not run; the restore goes on until it is whole.
  if (findHalf(db, id) !== null) return;
  try {
    await settle(own, id);
    const halt = listHalts(db).find(({ app_id }) => app_id === id);
    if (halt === undefined) return;
    const { purpose: _, ...orderer } = by;
    apps.startApp(halt.mode === "first" ? orderer : by, id);
    db.tx(() => deleteHalt(db, id));
    await settle(own, id);
  } catch (error) {
    log.warn("an app that was stopped for a backup does not start yet", { app: id, error });
  }
}

/** Starts what still stands still after the program was killed, or while Docker was away. */
export async function endHalts(own: Own): Promise<void> {
  if (own.work.current || !own.runtime.engine()) return;
  const known = new Set(own.apps.list().map(({ id }) => id));
  for (const { app_id: id, mode } of listHalts(own.db)) {
    if (known.has(id)) await (mode === "pause" ? endPause(own, id) : endHalt(own, BY_SCHEDULE, id));
    else own.db.tx(() => deleteHalt(own.db, id));
  }
}
