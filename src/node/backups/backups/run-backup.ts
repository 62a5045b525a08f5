import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toIso } from "../../../lib/clock.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import type { EngineSession, Passed, Snapshot } from "../engine/index.ts";
import { stopped, untilCancelled } from "./cancelling.ts";
import { type Backup, type BackupInput, fail, type Keep } from "./contract.ts";
import { explain, type Failure, Removed } from "./failures.ts";
import { halfOf } from "./half-copies.ts";
import { BY_SCHEDULE } from "./halts.ts";
import { whileTold } from "./image-wait.ts";
import { eventOf, type LeftOut, leaveOut, tellApps, tellLeftOut } from "./leave-out.ts";
import type { Own } from "./needs.ts";
import { KEY_FILE } from "./objects-parts.ts";
import { storeObjects } from "./objects-source.ts";
import { assertFree, runTold } from "./one-at-a-time.ts";
import type { PlanRow } from "./plan-store.ts";
import { keepOf } from "./plans.ts";
import { dropLeft } from "./snapshots.ts";
import * as store from "./store.ts";
import { storeApp } from "./store-app.ts";
import { getTarget } from "./targets.ts";
import { tidyTarget } from "./tidy.ts";
import { removeOldLayouts } from "./volume-folders.ts";
import { giveBack, openForWriting } from "./wait-for-target.ts";

const WAIT = { step: "wait", title: "Wait for the target" };
const TIDY = { step: "tidy", title: "Remove what is too old" };

/** A backup as the wire has it. */
export function presentBackup(row: store.BackupRow): Backup {
  const apps: string[] = JSON.parse(row.apps);
  const notes: string[] = JSON.parse(row.notes);
  const half: string[] = JSON.parse(row.half);
  const { include_config, include_objects, cancelled, left_out: _, ...rest } = row;
  return {
    ...{ ...rest, apps, half, notes },
    ...{ include_config: include_config === 1, include_objects: include_objects === 1, cancelled: cancelled === 1 },
  };
}

/** Newest first. */
export const listBackups = ({ db, clock }: Pick<Own, "db" | "clock">): Backup[] =>
  store.listBackups(db, toIso(clock.now())).map(presentBackup);

/** Throws `backup_not_found`. */
export function getBackup({ db }: Pick<Own, "db">, id: string): Backup {
  const row = store.findBackup(db, id);
  if (!row) throw fail("backup_not_found", { id });
  return presentBackup(row);
}

/** The backup that something is put back from, in a later try. Throws `Removed` where it is listed no more. */
export function sourceOf({ db }: Pick<Own, "db">, id: string): Backup {
  const row = store.findBackup(db, id);
  if (!row) throw new Removed();
  return presentBackup(row);
}

/** An empty folder for what is made while a backup or a drill runs; what an earlier one left goes. */
export function makeScratchFolder(own: Pick<Own, "config">): string {
  removeScratchFolder(own);
  const folder = scratchIn(own);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

const scratchIn = ({ config }: Pick<Own, "config">): string => join(config.data_dir, "backup-scratch");
const removeScratchFolder = (own: Pick<Own, "config">): void =>
  rmSync(scratchIn(own), { recursive: true, force: true });

/** Writes down that a backup begins. */
export function insertBegun(
  own: Own,
  by: Asker | null,
  input: BackupInput,
  opId: string,
  plan: string | null = null,
): Backup {
  const row: store.BackupRow = {
    id: own.ids.next("bak"),
    target: input.target,
    apps: JSON.stringify(input.apps),
    include_config: input.include_config ? 1 : 0,
    include_objects: (input.include_objects ?? input.include_config) ? 1 : 0,
    notes: "[]",
    status: "in_progress",
    cause: null,
    cancelled: 0,
    op_id: opId,
    started_at: toIso(own.clock.now()),
    finished_at: null,
    size_bytes: 0,
    added_bytes: 0,
    verified_at: null,
    damage: null,
    made_by: null,
    plan,
    left_out: "[]",
    half: "[]",
  };
  const backup = presentBackup(row);
  own.db.tx(() => {
    store.insertBackup(own.db, row);
    own.bus.emit("backup.started", eventOf(backup, by));
  });
  return backup;
}

function finish(own: Own, by: Asker | null, backup: Backup, end: Partial<Backup>, left: readonly LeftOut[] = []): void {
  const done: Backup = { ...backup, ...end, finished_at: toIso(own.clock.now()) };
  own.db.tx(() => {
    const { apps, half, notes, cancelled, status } = done;
    const without = status === "completed" ? left.map(({ app }) => app) : [];
    const texts = { apps: JSON.stringify(apps), notes: JSON.stringify(notes), left_out: JSON.stringify(without) };
    store.finishBackup(own.db, { ...done, ...texts, half: JSON.stringify(half), cancelled: Number(cancelled) });
    const event = eventOf(done, by);
    const { size_bytes, added_bytes } = done;
    if (done.status === "completed") own.bus.emit("backup.completed", { ...event, size_bytes, added_bytes });
    else if (done.cancelled) own.bus.emit("backup.cancelled", event);
    else own.bus.emit("backup.failed", { ...event, cause: done.cause ?? "" });
    tellApps(own, done, left);
  });
}

async function storeConfig(own: Own, session: EngineSession, snapshot: Snapshot, scratch: string): Promise<number> {
  const path = join(scratch, "main.db");
  store.copyDatabase(own.db, path);
  const { added, ...stored } = await session.storeFile(path);
  rmSync(path);
  snapshot.parts.push({ kind: "database", app: null, name: "main.db", ...stored });
  const keyFile = join(own.config.data_dir, KEY_FILE);
  if (!existsSync(keyFile)) return added;
  const { added: more, ...key } = await session.storeFile(keyFile);
  snapshot.parts.push({ kind: "file", app: null, name: KEY_FILE, ...key });
  return added + more;
}

/** A backup with why it did not come about, or is without some of its apps; null where all is in it. */
export type Made = Backup & { failure: Failure | null; left: readonly LeftOut[] };

/** Makes a backup that has begun, and answers how it went: never throws for what a target or an app does. */
export async function makeBackup(own: Own, by: Asker | null, backup: Backup, op: OperationHandle): Promise<Made> {
  let session: EngineSession | null = null;
  let added = 0;
  let failure: Failure | null = null;
  const notes: string[] = [];
  const left: LeftOut[] = [];
  const cancelled: { by: Asker | null } = { by: null };
  const waiting = new AbortController();
  const signal = AbortSignal.any([own.signal, waiting.signal]);
  const assertWanted = () => {
    if (cancelled.by) throw new Error("cancelled");
  };
  own.cancel = {
    id: backup.id,
    told: "The backup ends. An app that stands still for it is started again.",
    end(asker) {
      cancelled.by = asker;
      waiting.abort();
      session?.end();
    },
  };
  let unpin: (() => void) | null = null;
  try {
    const scratch = makeScratchFolder(own);
    let hasWaited = false;
    session = await openForWriting(own, backup.target, waiting.signal, (text) => {
      hasWaited = true;
      op.step(WAIT.step, "running", { title: WAIT.title, text });
    });
    if (hasWaited) op.step(WAIT.step, "done");
    const engine = session;
    assertWanted();
    // Before the settings are read, so that what they name of Drives is there until its bytes are read.
    unpin = backup.include_objects ? await own.objectStore.pin() : null;
    const node = { name: own.identity.name(), version: own.version };
    const created_at = backup.started_at;
    const snapshot: Snapshot = { version: 1, id: backup.id, created_at, node, apps: [], parts: [] };
    if (backup.include_config) {
      op.step("config", "running");
      added += await storeConfig(own, engine, snapshot, scratch);
      op.step("config", "done");
    }
    if (backup.include_objects) {
      let bytes = 0;
      assertWanted();
      op.step("objects", "running");
      const objects = await storeObjects(own, engine, backup.target, scratch, (more) => {
        assertWanted();
        bytes += more;
        op.progress("objects", { percent: null, bytes_done: bytes, bytes_total: null });
      });
      snapshot.parts.push(...objects.parts);
      added += objects.added;
      if (objects.lost > 0) notes.push(describeLost(objects.lost));
      unpin?.();
      op.step("objects", "done");
    }
    if (backup.apps.length > 0) {
      await removeOldLayouts(own);
      await dropLeft(own);
    }
    for (const id of backup.apps) {
      let passed: Passed = { bytes: 0, files: 0, added: 0 };
      assertWanted();
      op.step(id, "running");
      // What its volumes have on disk: an archive of them has a little more, and dumps come on top.
      const about = own.apps.diskBytes(id);
      const onPassed = ({ bytes, files, added: fresh }: Passed) => {
        passed = { bytes: passed.bytes + bytes, files: passed.files + files, added: passed.added + fresh };
        const bytes_total = about && Math.max(about, passed.bytes);
        op.progress(id, { percent: null, bytes_done: passed.bytes, bytes_total, text: describePassed(passed) });
      };
      const how = { target: backup.target, by: by ?? BY_SCHEDULE, opId: op.id, scratch, signal, onPassed };
      const tell = (text: string) => op.step(id, "running", { text });
      const work = () => storeApp(own, engine, id, how);
      const stored = await whileTold(own, { signal, tell }, work).catch(leaveOut(own, id));
      if ("error" in stored) {
        assertWanted();
        left.push(stored);
        op.step(id, "failed", { text: stored.error.message });
        continue;
      }
      snapshot.parts.push(...stored.parts);
      snapshot.apps.push(stored.app);
      notes.push(...stored.notes);
      added += stored.added;
      op.step(id, "done");
    }
    assertWanted();
    const [first] = left;
    if (first !== undefined && snapshot.apps.length === 0 && snapshot.parts.length === 0) throw first.error;
    // From here on it is there.
    own.cancel = null;
    await engine.commit(snapshot);
    const size_bytes = snapshot.parts.reduce((sum, { size }) => sum + size, 0);
    const apps = snapshot.apps.map(({ id }) => id);
    const half = halfOf(snapshot).map(({ id }) => id);
    notes.push(...left.map(({ error }) => `Without ${error.message}`));
    finish(own, by, backup, { status: "completed", apps, half, size_bytes, added_bytes: added, notes }, left);
    if (first !== undefined) failure = tellLeftOut(own, by, backup, apps, first.error);
  } catch (error) {
    // When the program ends, the next start says what became of it.
    failure = cancelled.by ? stopped(own, cancelled.by, "What it stored is not stored again.") : explain(error);
    const end = { status: "failed" as const, cause: failure.message, cancelled: cancelled.by !== null };
    if (!own.signal.aborted) finish(own, cancelled.by ?? by, backup, end, left);
  } finally {
    own.cancel = null;
    unpin?.();
    removeScratchFolder(own);
    if (session !== null) await giveBack(own, session);
  }
  return { ...getBackup(own, backup.id), failure, left };
}

/** How far it is, besides the bytes: files where somebody looks into the archive, and what the target did not have yet. */
function describePassed({ files, added }: Passed): string {
  const [size, unit] = added < 1e6 ? [added / 1e3, "kB"] : [added / 1e6, "MB"];
  const fresh = `${Math.round(size).toLocaleString("en")} ${unit} new`;
  return files === 0 ? fresh : `${files.toLocaleString("en")} ${files === 1 ? "file" : "files"}, ${fresh}`;
}

const describeLost = (count: number): string =>
  `The bytes of ${count === 1 ? "one large object" : `${count} large objects`} could not be read on this server, and are not in it. Look at its disk.`;

/** The steps of a backup, for people. */
export const stepsOf = (own: Own, { apps, include_config, include_objects = include_config }: BackupInput) => [
  ...(include_config ? [{ step: "config", title: "Settings, users and secrets" }] : []),
  ...(include_objects ? [{ step: "objects", title: "Buckets and Drives" }] : []),
  ...apps.map((id) => ({ step: id, title: own.apps.get(id).name })),
];

const LEFT_OLD = {
  told: "Nothing more is removed from the target. The backup is made.",
  left: "The backup is made; what is too old goes after the next one.",
};

/**
 * Removes what is too old, after a backup that went well, until somebody cancels that; that this did not work does not make it a bad one.
 */
async function tidyAfter(own: Own, id: string, plan: PlanRow, keep: Keep, op: OperationHandle): Promise<void> {
  const tell = (text: string) => op.step(TIDY.step, "running", { text });
  op.step(TIDY.step, "running");
  try {
    const failure = await untilCancelled(own, { id, ...LEFT_OLD }, async ({ signal }) => {
      const isTidied = await tidyTarget(own, plan, keep, signal, tell);
      op.step(TIDY.step, "done", isTidied ? {} : { text: "Nothing was removed: this place keeps whatever it has." });
      return null;
    });
    if (failure !== null) op.step(TIDY.step, "failed", { text: failure.message });
  } catch (error) {
    own.log.warn("a backup target could not be tidied up", { target: plan.target, error });
    op.step(TIDY.step, "failed");
  }
}

/** Begins a backup. After that of a plan, what is too old of it is removed. Throws what `POST /api/backups` answers. */
export function beginBackup(own: Own, by: Asker | null, input: BackupInput, plan: PlanRow | null = null): Backup {
  const keep = plan && keepOf(plan);
  const { name } = getTarget(own, input.target);
  assertFree(own);
  if (input.include_objects === true && !input.include_config) throw fail("backup_objects_alone");
  if (input.apps.length === 0 && !input.include_config) throw fail("backup_empty");
  const known = new Set(own.apps.list().map(({ id }) => id));
  for (const app of input.apps) if (!known.has(app)) throw fail("backup_app_unknown", { app });
  if (input.apps.length > 0) own.runtime.requireEngine();
  const title = plan === null ? `Back up to ${name}` : `${plan.name}: back up to ${name}`;
  const op = own.operations.begin({
    kind: "backup.run",
    subject_id: input.target,
    title,
    steps: keep === null ? stepsOf(own, input) : [...stepsOf(own, input), TIDY],
    by,
  });
  const backup = insertBegun(own, by, input, op.id, plan?.id ?? null);
  runTold(own, op, async () => {
    const { status, failure } = await makeBackup(own, by, backup, op);
    if (status === "completed" && plan !== null && keep !== null) await tidyAfter(own, backup.id, plan, keep, op);
    return failure;
  });
  return backup;
}

/** Ends what is under way of a backup, being made or read back, and says what comes of it. Throws `backup_not_found` and `backup_not_running`. */
export function cancelBackup(own: Own, by: Asker, id: string): string {
  getBackup(own, id);
  if (own.cancel?.id !== id) throw fail("backup_not_running");
  const { told, end } = own.cancel;
  end(by);
  return told;
}

/** Says of what was under way when the program ended that it failed. What it stored is not stored again. */
export function failInterrupted(own: Own): void {
  for (const backup of listBackups(own)) {
    if (backup.status !== "in_progress") continue;
    finish(own, null, backup, {
      status: "failed",
      cause: "The node stopped in the middle of it. The next backup goes on from there.",
    });
  }
}
