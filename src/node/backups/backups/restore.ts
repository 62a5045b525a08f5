import { rmSync } from "node:fs";
import { toIso } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import type { EngineSession } from "../engine/index.ts";
import { type Backup, fail, type RestoreInput } from "./contract.ts";
import { whileHalted } from "./halts.ts";
import type { Own } from "./needs.ts";
import { closeOperation, getBackup, insertBegun, makeBackup, makeScratchFolder, runAlone } from "./run-backup.ts";
import * as store from "./store.ts";
import { causeOf, codeOf, openTarget } from "./targets.ts";
import { replaceVolumes } from "./volumes.ts";

/** Between two tries of a restore that was cut off. */
const RETRY_MS = minutes(10);

/** Throws `backup_not_found` and `backup_not_completed`. */
export function getCompleted(own: Own, id: string): Backup {
  const backup = getBackup(own, id);
  if (backup.status !== "completed") throw fail("backup_not_completed");
  return backup;
}

/** What stays free of the node's own disk while databases are opened on it. */
const LEAST_FREE = 256 * 1024 * 1024;

/** How many bytes may be written next to the node's data; as many as one likes where that cannot be told. */
async function roomFor({ host, config }: Pick<Own, "host" | "config">): Promise<number> {
  const space = await host.ownSpace(config.data_dir);
  return space === null ? Number.MAX_SAFE_INTEGER : Math.max(0, space.free - LEAST_FREE);
}

/** Reads from a target in an engine of its own. */
export async function withTarget<Result>(own: Own, target: string, use: (session: EngineSession) => Promise<Result>) {
  const session = await openTarget(own, target, null);
  try {
    return await use(session);
  } finally {
    session.end();
  }
}

/** Puts one app back. Everything is read before anything is touched, so that damage is found while the app is still whole. */
async function restoreApp(own: Own, by: Asker, backup: Backup, appId: string, opId: string): Promise<void> {
  const scratch = makeScratchFolder(own);
  try {
    await withTarget(own, backup.target, async (session) => {
      const { parts } = await session.snapshot(backup.id);
      const mine = parts.filter(({ app }) => app === appId);
      await session.check(mine, scratch, await roomFor(own));
      await whileHalted(own, by, appId, opId, async () => {
        own.db.tx(() => store.insertRestore(own.db, { app_id: appId, backup_id: backup.id, ...by }));
        await replaceVolumes(own, session, appId, mine);
        own.db.tx(() => store.deleteRestore(own.db, appId));
      });
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How it ended: null when well. */
export async function attempt(own: Own, task: () => Promise<void>): Promise<string | null> {
  try {
    await task();
    return null;
  } catch (error) {
    own.log.warn("a restore failed", { error });
    return causeOf(error);
  }
}

async function restoreAll(own: Own, by: Asker, backup: Backup, apps: string[], op: OperationHandle): Promise<void> {
  op.step("before", "running");
  const begun = insertBegun(own, by, { target: backup.target, apps, include_config: false }, op.id);
  const safety = await makeBackup(own, by, begun, op);
  if (safety.status !== "completed")
    throw new Error(`What is there now could not be backed up, so nothing was changed: ${safety.cause ?? "no cause"}`);
  op.step("before", "done");
  for (const id of apps) {
    op.step(`restore:${id}`, "running");
    await restoreApp(own, by, backup, id, op.id);
    op.step(`restore:${id}`, "done");
  }
  const event = { backup_id: backup.id, target: backup.target, apps, by };
  own.db.tx(() => own.bus.emit("backup.restored", event));
}

/** Begins to put apps back. Throws what `POST /api/backups/{id}/restore` answers. */
export function beginRestore(
  own: Own,
  by: Asker,
  id: string,
  input: RestoreInput | null,
): { op_id: string; apps: string[] } {
  const backup = getCompleted(own, id);
  const known = new Set(own.apps.list().map((app) => app.id));
  const apps = input?.apps ?? backup.apps.filter((app) => known.has(app));
  for (const app of apps) if (!backup.apps.includes(app) || !known.has(app)) throw fail("backup_app_not_in", { app });
  if (apps.length === 0) throw fail("backup_empty");
  own.runtime.requireEngine();
  if (own.work.current) throw fail("backup_busy");
  const op = own.operations.begin({
    kind: "backup.restore",
    subject_id: id,
    title: "Put apps back from a backup",
    steps: [
      { step: "before", title: "Back up what is there now" },
      ...apps.map((app) => ({ step: `restore:${app}`, title: own.apps.get(app).name })),
    ],
    by,
  });
  runAlone(own, async () => closeOperation(op, await attempt(own, () => restoreAll(own, by, backup, apps, op))));
  return { op_id: op.id, apps };
}

/** Begins again with apps whose volumes were being replaced when the program ended: half of a volume is no state to leave. */
export function resumeRestores(own: Own): void {
  const left = store.listRestores(own.db);
  if (left.length === 0 || own.work.current || !own.runtime.engine()) return;
  if (own.clock.monotonic() < own.resume.from) return;
  runAlone(own, async () => {
    for (const { app_id, backup_id, user_id, ip } of left) {
      if (!own.apps.list().some(({ id }) => id === app_id)) own.db.tx(() => store.deleteRestore(own.db, app_id));
      else await attempt(own, () => restoreApp(own, { user_id, ip }, getBackup(own, backup_id), app_id, backup_id));
    }
    own.resume.from = own.clock.monotonic() + RETRY_MS;
  });
}

const DAMAGE: readonly (string | null)[] = ["damaged", "snapshot_missing", "repository_missing"];

/**
 * Reads all of a backup back and opens its databases; only this says that it is whole. Answers how it ended: null when well. A target
 * that is away says nothing about what lies there.
 */
async function drill(own: Own, backup: Backup): Promise<string | null> {
  const scratch = makeScratchFolder(own);
  const record = (damage: string | null) =>
    own.db.tx(() => {
      store.markVerified(own.db, backup.id, toIso(own.clock.now()), damage);
      own.bus.emit("backup.verified", { backup_id: backup.id, damage });
    });
  try {
    const notes = await withTarget(own, backup.target, async (session) => {
      const { parts } = await session.snapshot(backup.id);
      return await session.check(parts, scratch, await roomFor(own));
    });
    own.db.tx(() => store.writeNotes(own.db, backup.id, JSON.stringify([...new Set([...backup.notes, ...notes])])));
    record(null);
    return null;
  } catch (error) {
    if (DAMAGE.includes(codeOf(error))) record(causeOf(error));
    return causeOf(error);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Begins to try a backup. Throws what `POST /api/backups/{id}/verify` answers. */
export function beginDrill(own: Own, by: Asker | null, id: string): { op_id: string } {
  const backup = getCompleted(own, id);
  if (own.work.current) throw fail("backup_busy");
  const op = own.operations.begin({
    kind: "backup.verify",
    subject_id: id,
    title: "Read a backup back",
    steps: [{ step: "read", title: "Read everything and open databases" }],
    by,
  });
  runAlone(own, async () => {
    op.step("read", "running");
    const damage = await drill(own, backup);
    op.step("read", damage === null ? "done" : "failed");
    closeOperation(op, damage);
  });
  return { op_id: op.id };
}
