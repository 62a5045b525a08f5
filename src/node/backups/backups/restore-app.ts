import { rmSync } from "node:fs";
import type { Asker } from "../../platform/operations/index.ts";
import type { EngineSession, Snapshot } from "../engine/index.ts";
import { whileCancellable } from "./cancelling.ts";
import { type Backup, fail } from "./contract.ts";
import { GoesOn } from "./failures.ts";
import { writeRestore } from "./given-up.ts";
import { endHalt, whileHalted } from "./halts.ts";
import { whileTold } from "./image-wait.ts";
import { dropLoaded, loadDumps, planLoads } from "./load-dump.ts";
import type { Own } from "./needs.ts";
import { dockerRoom, gigabytes, roomFor, roomToRestore } from "./room.ts";
import { makeScratchFolder, sourceOf } from "./run-backup.ts";
import * as store from "./store.ts";
import { openTarget } from "./targets.ts";
import { assertUnshared, replaceVolumes } from "./volumes.ts";

/** How a target is read: `aside` where nobody waits for it, and until when. */
interface How {
  urgency?: "now" | "aside";
  signal?: AbortSignal;
}

/** Reads from a target in an engine of its own, which ends at once when the signal aborts, also while it is being opened. */
export async function withTarget<Result>(
  own: Own,
  target: string,
  use: (session: EngineSession) => Promise<Result>,
  { urgency = "now", signal }: How = {},
): Promise<Result> {
  const session = await openTarget(own, target, null, urgency, signal);
  try {
    return await use(session);
  } finally {
    session.end();
  }
}

const NOT_PUT_BACK = {
  told: "It is not put back. What is there stays as it is.",
  left: "Nothing took the place of what is there.",
};

/**
 * Reads from the target of a backup what is put back from it, until somebody cancels that, whether the target is being opened or read, or
 * an image is waited for. From `touch` on there is no way back; it throws where that comes too late.
 */
export async function untilTouched<Result>(
  own: Own,
  { id, target }: Pick<Backup, "id" | "target">,
  task: (session: EngineSession, touch: () => void) => Promise<Result>,
): Promise<Result> {
  return await whileCancellable(own, { id, ...NOT_PUT_BACK }, ({ signal, stay }) => {
    const touch = () => {
      signal.throwIfAborted();
      stay();
    };
    const { tell = () => {}, signal: before = own.signal } = own.imageWait ?? {};
    return whileTold(own, { tell, signal: AbortSignal.any([before, signal]) }, () =>
      withTarget(own, target, (session) => task(session, touch), { signal }),
    );
  });
}

/** Throws `backup_restore_room` where what comes back does not fit beside what goes for it. `appId`: whose data goes; null: nobody's. */
async function assertRoom(own: Own, appId: string | null, source: string, snapshot: Snapshot): Promise<void> {
  // Measured now: what was there a minute ago may have been deleted since.
  const goes = appId === null ? 0 : ((await own.apps.measureVolumes(appId)) ?? 0);
  const free = await dockerRoom(own);
  if (free === null) return;
  const needed = roomToRestore(snapshot.parts, planLoads(own, snapshot, appId ?? source, source), goes);
  if (needed <= free) return;
  const { name } = own.apps.get(appId ?? source);
  throw fail("backup_restore_room", { name, needed: gigabytes(needed), free: gigabytes(free) });
}

/**
 * Reads all that a backup has of an app, so that damage is found while what is there is still whole. `appId` is whose data goes for it.
 */
async function readWhole(
  own: Own,
  session: EngineSession,
  backup: Backup,
  source: string,
  appId: string | null,
): Promise<Snapshot> {
  const scratch = makeScratchFolder(own);
  try {
    const all = await session.snapshot(backup.id);
    const snapshot = { ...all, parts: all.parts.filter(({ app }) => app === source) };
    await assertRoom(own, appId, source, snapshot);
    await session.check(snapshot.parts, scratch, await roomFor(own));
    return snapshot;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Gives an app the data of `source` in a backup. Dumps are loaded into volumes of their own before `begin` says that the app's may be
 * touched; `check` throws where something is in the way of that.
 */
async function fill(
  own: Own,
  session: EngineSession,
  appId: string,
  source: string,
  snapshot: Snapshot,
  begin: (replace: () => Promise<void>, check: () => Promise<void>) => Promise<void>,
): Promise<void> {
  try {
    const loaded = await loadDumps(own, session, appId, planLoads(own, snapshot, appId, source), snapshot.parts);
    const check = () => assertUnshared(own, appId, snapshot.parts, loaded);
    await check();
    await begin(() => replaceVolumes(own, session, appId, snapshot.parts, loaded), check);
  } finally {
    await dropLoaded(own, appId).catch((error: unknown) => own.log.warn("volumes of a restore are left", { error }));
  }
}

/** Throws that it goes on later, where data was being replaced when that ended. */
export async function whileHalf(own: Own, appId: string, replace: () => Promise<void>): Promise<void> {
  try {
    await replace();
  } catch (error) {
    throw error instanceof GoesOn
      ? error
      : new GoesOn(error, `${own.apps.get(appId).name} stays stopped until its data is whole.`);
  }
}

/**
 * Puts one app back, from what a backup has of its source: of itself, unless it is a new one beside that. That its data is whole stays written
 * down after it was started, so that a start that is cut off is waited for as well.
 */
export async function restoreApp(own: Own, row: store.RestoreRow): Promise<void> {
  const { app_id: appId, user_id, ip } = row;
  const by = { user_id, ip, purpose: "a restore" };
  if (row.begun === store.WHOLE) return await endHalt(own, by, appId);
  const backup = sourceOf(own, row.backup_id);
  const source = row.source ?? appId;
  const work = () =>
    untilTouched(own, backup, async (session, touch) => {
      const snapshot = await readWhole(own, session, backup, source, appId);
      await fill(own, session, appId, source, snapshot, (replace, check) =>
        whileHalted(own, by, appId, row.op_id ?? backup.id, async () => {
          // Somebody may have begun to look at its data while it was stopped; from the next line on there is no way back.
          await check();
          touch();
          writeRestore(own, { ...row, begun: store.HALF });
          await whileHalf(own, appId, replace);
          own.db.tx(() => store.markWhole(own.db, appId));
        }),
      );
    });
  await (row.begun === store.HALF ? whileHalf(own, appId, work) : work());
}

/** Takes a new app away again that was to get data and does not. */
export function dropNew(own: Own, by: Asker, id: string): void {
  own.db.tx(() => {
    store.deleteRestore(own.db, id);
    store.deleteHalt(own.db, id);
  });
  own.apps.uninstallApp(by, id, true);
}

/** A new app that is wished for, like `app` and with the data that this has in the backup. */
interface Beside {
  backup: Backup;
  app: string;
  name: string;
  /** Ids of what is confirmed of its paths. */
  permissions: readonly string[];
}

/**
 * Makes a new app beside one that is there, which is not touched, with the data that it had, and starts it. Where that does not work nothing
 * of the new one stays; cut off, it goes on. Answers what is written down of it.
 */
export async function restoreBeside(
  own: Own,
  by: Asker,
  { backup, app: source, name, permissions }: Beside,
  opId: string,
): Promise<store.RestoreRow> {
  return await untilTouched(own, backup, async (session, touch) => {
    const snapshot = await readWhole(own, session, backup, source, null);
    const clone = await own.apps.prepareClone(source, name, permissions);
    touch();
    const row = own.db.tx((): store.RestoreRow => {
      const { id } = clone.make();
      const begun = { app_id: id, backup_id: backup.id, ...by, source, op_id: opId, begun: store.HALF };
      store.insertRestore(own.db, begun);
      store.insertHalt(own.db, id, "first", opId);
      return begun;
    });
    const { app_id: id } = row;
    try {
      await fill(own, session, id, source, snapshot, (replace) => replace());
    } catch (error) {
      if (own.signal.aborted) throw error;
      dropNew(own, by, id);
      throw error;
    }
    own.db.tx(() => store.markWhole(own.db, id));
    await endHalt(own, { ...by, purpose: "a restore" }, id);
    return row;
  });
}
