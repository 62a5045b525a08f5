import { rmSync } from "node:fs";
import { toIso } from "../../../lib/clock.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import type { EngineSession } from "../engine/index.ts";
import { backUpBefore } from "./back-up-before.ts";
import { untilCancelled } from "./cancelling.ts";
import { type Backup, fail } from "./contract.ts";
import { nameDamage } from "./damage-words.ts";
import { codeOf, explain, type Failure, GoesOn, isPassing, Unsaved } from "./failures.ts";
import { GONE } from "./given-up.ts";
import { attempt, close, type Waiting } from "./go-on.ts";
import { describeHalf } from "./half-copies.ts";
import { whileTold } from "./image-wait.ts";
import type { Own } from "./needs.ts";
import { type Aside, assertFree, runAlone, runAside, runTold } from "./one-at-a-time.ts";
import { promise, promiseLost } from "./promise-restores.ts";
import { dropNew, restoreBeside, withTarget } from "./restore-app.ts";
import type { RestoreInput } from "./restore-contract.ts";
import { restoreEach, tellRestored } from "./restore-each.ts";
import { roomFor } from "./room.ts";
import { getBackup, makeScratchFolder } from "./run-backup.ts";
import { listTurns, START_STEP, startFromBackup } from "./start-test.ts";
import * as store from "./store.ts";

/** Throws `backup_not_found` and `backup_not_completed`. */
export function getCompleted(own: Own, id: string): Backup {
  const backup = getBackup(own, id);
  if (backup.status !== "completed") throw fail("backup_not_completed");
  return backup;
}

async function restoreAll(own: Own, by: Asker, backup: Backup, apps: string[], op: OperationHandle): Promise<void> {
  const asked = { backup_id: backup.id, ...by, source: null, op_id: op.id };
  const unsaved = await backUpBefore(own, by, { target: backup.target, apps, include_config: false }, op).catch(
    async (error: unknown) => {
      throw await promiseLost(own, apps, asked, error);
    },
  );
  const missed = unsaved.map(({ app, error }) => ({ app, error: new Unsaved(explain(error)) }));
  const saved = apps.filter((id) => !missed.some(({ app }) => app === id));
  for (const { app, error } of missed) op.step(`restore:${app}`, "failed", { text: error.message });
  await restoreEach(own, await promise(own, saved, asked), op, missed);
}

/** What is to be put back, and how. */
export type Wish =
  | { mode: "over"; backup: Backup; apps: string[] }
  | { mode: "beside"; backup: Backup; app: string; name: string; permissions: readonly string[] };

/** What was asked for. Throws what `POST /api/backups/{id}/restore` answers, and changes nothing. */
export function readWish(own: Own, id: string, input: RestoreInput | null): Wish {
  const backup = getCompleted(own, id);
  const known = new Set(own.apps.list().map((app) => app.id));
  const apps = input?.apps ?? backup.apps.filter((app) => known.has(app));
  for (const app of apps) if (!backup.apps.includes(app) || !known.has(app)) throw fail("backup_app_not_in", { app });
  const [gone] = backup.apps;
  if (apps.length === 0) throw gone === undefined ? fail("backup_empty") : fail("backup_app_not_in", { app: gone });
  own.runtime.requireEngine();
  if (input?.mode !== "beside") return { mode: "over", backup, apps };
  const [app, ...more] = apps;
  if (app === undefined || more.length > 0 || input.name === undefined) throw fail("backup_beside_one");
  return { mode: "beside", backup, app, name: input.name, permissions: input.permissions ?? [] };
}

async function besideOf(own: Own, by: Asker, wish: Wish & { mode: "beside" }, op: OperationHandle) {
  op.step("restore", "running");
  const tell = (text: string) => op.step("restore", "running", { text });
  const row = await whileTold(own, { tell }, () => restoreBeside(own, by, wish, op.id));
  op.step("restore", "done");
  if (!own.signal.aborted) tellRestored(own, [row], op, true);
}

/** Says before it begins which of these apps are half in a backup. */
function tellHalf(own: Own, { half }: Backup, apps: readonly string[], op: OperationHandle): void {
  for (const id of apps) if (half.includes(id)) op.log(describeHalf(own.apps.get(id)));
}

/** Begins to put apps back. Throws what `POST /api/backups/{id}/restore` answers. */
export async function beginRestore(
  own: Own,
  by: Asker,
  id: string,
  input: RestoreInput | null,
): Promise<{ op_id: string; apps: string[] }> {
  const wish = readWish(own, id, input);
  // Told before it begins: a name that is taken, a port that cannot be had, a path that others can replace.
  if (wish.mode === "beside") await own.apps.prepareClone(wish.app, wish.name, wish.permissions);
  assertFree(own);
  const begin = (title: string, steps: { step: string; title: string }[]) =>
    own.operations.begin({ kind: "backup.restore", subject_id: id, title, steps, by });
  if (wish.mode === "beside") {
    const { name } = own.apps.get(wish.app);
    const op = begin(`Put ${name} back as ${wish.name}`, [{ step: "restore", title: wish.name }]);
    tellHalf(own, wish.backup, [wish.app], op);
    runAlone(own, async () => close(own, op, await attempt(own, () => besideOf(own, by, wish, op))));
    return { op_id: op.id, apps: [wish.app] };
  }
  const { backup, apps } = wish;
  const op = begin("Put apps back from a backup", [
    { step: "before", title: "Back up what is there now" },
    ...apps.map((app) => ({ step: `restore:${app}`, title: own.apps.get(app).name })),
  ]);
  tellHalf(own, backup, apps, op);
  runAlone(own, async () => close(own, op, await attempt(own, () => restoreAll(own, by, backup, apps, op))));
  return { op_id: op.id, apps };
}

/** Apps whose volumes were being replaced when the program ended: half of a volume is no state to leave. */
export function listCutRestores(own: Own): Waiting[] {
  if (!own.runtime.engine()) return [];
  const known = new Set(own.apps.list().map(({ id }) => id));
  const groups = Map.groupBy(store.listRestores(own.db), ({ op_id, app_id }) => op_id ?? app_id);
  return [...groups].map(([opId, rows]) => async () => {
    const [here, gone] = [
      rows.filter(({ app_id }) => known.has(app_id)),
      rows.filter(({ app_id }) => !known.has(app_id)),
    ];
    for (const { app_id } of gone) own.db.tx(() => store.deleteRestore(own.db, app_id));
    const op = own.operations.resume(opId);
    const failure = here.length === 0 ? GONE : await attempt(own, () => restoreOrDrop(own, here, op));
    close(own, op, failure);
    return here.length === 0 ? null : failure;
  });
}

/** A new app beside another does not stay without data for good. */
async function restoreOrDrop(own: Own, rows: readonly store.RestoreRow[], op: OperationHandle | null): Promise<void> {
  try {
    await restoreEach(own, rows, op);
  } catch (error) {
    const [{ source, app_id, user_id, ip } = { source: null, app_id: "", user_id: "", ip: "" }] = rows;
    if (source === null || isPassing(error) || own.signal.aborted) throw error;
    dropNew(own, { user_id, ip }, app_id);
    throw error instanceof GoesOn ? error.reason : error;
  }
}

const DAMAGE: readonly (string | null)[] = ["damaged", "snapshot_missing"];

/**
 * Reads all of a backup back and opens its databases; only this says that it is whole. Answers how it ended: null when well. A target
 * that is away says nothing about what lies there.
 */
async function drill(own: Own, backup: Backup, op: OperationHandle, { signal, stay }: Aside): Promise<Failure | null> {
  const scratch = makeScratchFolder(own);
  const record = (damage: string | null) =>
    own.db.tx(() => {
      store.markVerified(own.db, backup.id, toIso(own.clock.now()), damage);
      own.bus.emit("backup.verified", { backup_id: backup.id, damage, half: backup.half });
    });
  try {
    const read = async (session: EngineSession): Promise<string[]> => {
      const { parts } = await session.snapshot(backup.id);
      return await session.check(parts, scratch, await roomFor(own));
    };
    const notes = await withTarget(own, backup.target, read, { urgency: "aside", signal });
    own.db.tx(() => store.writeNotes(own.db, backup.id, JSON.stringify([...new Set([...backup.notes, ...notes])])));
    record(null);
    return null;
  } catch (error) {
    const failure = explain(error);
    if (!DAMAGE.includes(codeOf(error))) return failure;
    const name = (session: EngineSession) => nameDamage(own, session, backup.id, [], op);
    // What cannot even be looked at is told as it was found.
    const files = await withTarget(own, backup.target, name, { urgency: "aside", signal }).catch(() => null);
    const message = files ?? failure.message;
    stay();
    record(message);
    return { ...failure, message };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const READ_NO_FURTHER = {
  told: "It is read no further. The backup stays as it is.",
  left: "What was read says nothing of the rest.",
};

/**
 * Begins to try a backup. Reading gives way where nobody ordered it; an app that is started from it is not left half way. Throws what
 * `POST /api/backups/{id}/verify` answers.
 */
export function beginDrill(own: Own, by: Asker | null, id: string): { op_id: string } {
  const backup = getCompleted(own, id);
  assertFree(own);
  const turns = backup.made_by === null ? listTurns(own, backup) : [];
  const read = { step: "read", title: "Read everything and open databases" };
  const op = own.operations.begin({
    kind: "backup.verify",
    subject_id: id,
    title: "Read a backup back",
    steps: turns.length > 0 ? [read, START_STEP] : [read],
    by,
  });
  const task = async (aside: Aside) => {
    op.step(read.step, "running");
    const failure = await drill(own, backup, op, aside);
    op.step(read.step, failure === null ? "done" : "failed");
    if (failure !== null || aside.signal.aborted || turns.length === 0) return failure;
    return await startFromBackup(own, backup, turns, op, aside);
  };
  const later = () => {
    own.drill.at = null;
  };
  if (by === null) runAside(own, op, { task, later });
  else runTold(own, op, () => untilCancelled(own, { id, ...READ_NO_FURTHER }, task));
  return { op_id: op.id };
}
