import { AppError } from "../../../kernel/http/errors.ts";
import { isLongSince, toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import { AppFailure, type Rehearsal } from "../../apps/apps/index.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import type { EngineSession, SnapshotPart } from "../engine/index.ts";
import { untilCancelled } from "./cancelling.ts";
import { type Backup, fail } from "./contract.ts";
import { causeOf, codeOf, type Failure } from "./failures.ts";
import { whileTold } from "./image-wait.ts";
import { dropAllLoaded, dropLoaded, type Load, loadDumps, planLoads } from "./load-dump.ts";
import type { Own } from "./needs.ts";
import { type Aside, assertFree, runAside, runTold } from "./one-at-a-time.ts";
import { listPending } from "./pending-store.ts";
import { withTarget } from "./restore-app.ts";
import { dockerRoom, gigabytes, roomToRestore } from "./room.ts";
import { listBackups } from "./run-backup.ts";
import type { StartTest } from "./start-test-contract.ts";
import { deleteStartTest, listStartTests, type StartTestRow, writeStartTest } from "./start-test-store.ts";
import { fillVolume } from "./volumes.ts";

const STEP = "start";
/** Each app is started once in that time; one that could not be tried, sooner. */
const EVERY_MS = days(7);
const SKIPPED_MS = hours(20);
/** What stays free where Docker keeps volumes, and of the memory. */
const LEAST_DISK = 256 * 1024 * 1024;
const LEAST_MEMORY = 256 * 1024 * 1024;
/** What the engine says of a target, or of this server. */
const ELSEWHERE: readonly (string | null)[] = [
  "target_away",
  "target_refused",
  "target_missing",
  "no_room",
  "busy",
  "fenced",
];

type Tried = Pick<StartTestRow, "outcome" | "cause">;

const skipped = (cause: string): Tried => ({ outcome: "skipped", cause });

/** Why there is no room for a copy now; null where there is. */
async function findShortage(
  own: Own,
  { memory_bytes }: Rehearsal,
  parts: readonly SnapshotPart[],
  loads: readonly Load[],
): Promise<string | null> {
  const { total, used } = own.host.memory();
  const memory = total - used - LEAST_MEMORY;
  if (total > 0 && memory < memory_bytes)
    return `Its copy may take ${gigabytes(memory_bytes)} of memory, and ${gigabytes(Math.max(0, memory))} are free.`;
  const free = await dockerRoom(own);
  const needed = roomToRestore(parts, loads, 0) + LEAST_DISK;
  if (free !== null && free < needed)
    return `Its copy needs ${gigabytes(needed)} of disk, and ${gigabytes(free)} are free.`;
  return null;
}

/** Fills the volumes of a copy from a backup, starts it, and asks it as the app is asked. Nothing of it stays. */
async function runCopy(
  own: Own,
  session: EngineSession,
  backup: Backup,
  appId: string,
  copy: Rehearsal,
  op: OperationHandle,
  stay: () => void,
) {
  const snapshot = await session.snapshot(backup.id);
  const parts = snapshot.parts.filter(({ app }) => app === appId);
  const loads = planLoads(own, snapshot, appId, appId);
  const shortage = await findShortage(own, copy, parts, loads);
  if (shortage !== null) return skipped(shortage);
  const engine = own.runtime.requireEngine();
  stay();
  own.startTests.isClean = false;
  try {
    await copy.remove();
    const loaded = await loadDumps(own, session, appId, loads, parts);
    for (const { name, source, labels } of copy.volumes) {
      const part = parts.find((one) => one.kind === "volume" && one.name === name);
      const ready = loaded.get(name);
      if (ready === undefined && !part) continue;
      await engine.createVolume(source, labels);
      const from = ready === undefined && part ? session.read(part) : { volume: ready ?? "" };
      await fillVolume(own, appId, { source, labels: copy.labels }, from);
    }
    await copy.run(op, own.signal);
    return { outcome: "answered" as const, cause: null };
  } finally {
    await copy
      .remove()
      .then(() => dropLoaded(own, appId))
      .then(() => {
        own.startTests.isClean = true;
      })
      .catch((error: unknown) => own.log.warn("a copy of an app is left on Docker", { app: appId, error }));
  }
}

/** Says nothing about the backup: the app cannot be copied here, or the target or Docker does not answer. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof EngineError ||
  error instanceof AppError ||
  (error instanceof AppFailure && error.failure.code === "not_rehearsable") ||
  ELSEWHERE.includes(codeOf(error));

async function tryApp(
  own: Own,
  backup: Backup,
  appId: string,
  op: OperationHandle,
  { signal, stay }: Aside,
): Promise<Tried> {
  try {
    const copy = await own.apps.rehearse(appId);
    const tell = (text: string) => op.step(STEP, "running", { text });
    const run = (session: EngineSession) => runCopy(own, session, backup, appId, copy, op, stay);
    return await whileTold(own, { tell }, () => withTarget(own, backup.target, run, { urgency: "aside", signal }));
  } catch (error) {
    own.signal.throwIfAborted();
    signal.throwIfAborted();
    return isElsewhere(error) ? skipped(causeOf(error)) : { outcome: "failed", cause: causeOf(error) };
  }
}

function record(own: Own, backup: Backup, appId: string, { outcome, cause }: Tried): void {
  const tried_at = toIso(own.clock.now());
  own.db.tx(() => {
    writeStartTest(own.db, { app_id: appId, backup_id: backup.id, outcome, cause, tried_at });
    if (outcome === "skipped") return;
    const { name } = own.apps.get(appId);
    own.bus.emit("backup.start_tested", { backup_id: backup.id, app: appId, name, cause });
  });
}

const NOT_TRIED = {
  told: "The app is not tried. The backup stays as it is.",
  left: "No copy of the app was started.",
};
const NOT_STARTED = "Look at its last backups, and put it back beside itself to see what is wrong.";

/**
 * Starts the first of these apps that can be started from a backup, and says in the operation how it went. Null where it answered, or none
 * could be tried. It stays from where there is something of a copy: that is not left half way.
 */
export async function startFromBackup(
  own: Own,
  backup: Backup,
  appIds: readonly string[],
  op: OperationHandle,
  aside: Aside,
): Promise<Failure | null> {
  op.step(STEP, "running");
  for (const id of appIds) {
    const name = own.apps.list().find((app) => app.id === id)?.name;
    // It was uninstalled since its turn was known.
    if (name === undefined) continue;
    op.log(`${name}: a copy is started from the backup.`);
    const tried = await tryApp(own, backup, id, op, aside);
    record(own, backup, id, tried);
    if (tried.outcome === "skipped") {
      op.log(`${name} was not tried: ${tried.cause}`);
      continue;
    }
    op.step(STEP, tried.cause === null ? "done" : "failed", { text: name });
    if (tried.cause === null) return null;
    const message = `${name} did not start from its backup: ${tried.cause}`;
    return { code: "backup_app_not_started", message, next_step: NOT_STARTED };
  }
  op.step(STEP, "done", { text: "None could be tried. The page Backups says why." });
  return null;
}

/** What the step is called. */
export const START_STEP = { step: STEP, title: "Start an app from it, apart from everything" };

/** Apps that a backup has whole and that are installed, the one whose turn it is first; none where Docker is away. */
export function listTurns(own: Own, { apps, half }: Pick<Backup, "apps" | "half">): string[] {
  if (own.runtime.engine() === null) return [];
  const tried = new Map(listStartTests(own.db).map(({ app_id, tried_at }) => [app_id, tried_at]));
  return own.apps
    .list()
    .filter(({ id, installed_at }) => installed_at !== null && apps.includes(id) && !half.includes(id))
    .map(({ id }) => ({ id, at: tried.get(id) ?? "" }))
    .toSorted((left, right) => (left.at < right.at ? -1 : 1))
    .map(({ id }) => id);
}

/** The newest backup of this server that has all of an app and is not known to be damaged. */
const newestOf = (own: Own, appId: string): Backup | undefined =>
  listBackups(own).find(
    ({ status, made_by, damage, apps, half }) =>
      status === "completed" && made_by === null && damage === null && apps.includes(appId) && !half.includes(appId),
  );

/** Every app with what came of it. */
export function listTestedApps(own: Own): StartTest[] {
  const rows = new Map(listStartTests(own.db).map((row) => [row.app_id, row]));
  return own.apps.list().map(({ id, name }) => {
    const { outcome = null, cause = null, backup_id = null, tried_at = null, answered_at = null } = rows.get(id) ?? {};
    return { app: id, name, outcome, cause, backup_id, tried_at, answered_at };
  });
}

/** Begins to start a copy of an app from its newest backup. Throws what `POST /api/backup/start-tests/{id}` answers. */
export function beginStartTest(own: Own, by: Asker | null, appId: string): { op_id: string } {
  const { name } = own.apps.get(appId);
  const backup = newestOf(own, appId);
  if (!backup) throw fail("backup_app_without", { name });
  own.runtime.requireEngine();
  assertFree(own);
  const title = `Start ${name} from its newest backup`;
  const op = own.operations.begin({ kind: "backup.start_test", subject_id: appId, title, steps: [START_STEP], by });
  const task = (aside: Aside) => startFromBackup(own, backup, [appId], op, aside);
  if (by === null) runAside(own, op, { task, later: () => {} });
  else runTold(own, op, () => untilCancelled(own, { id: backup.id, ...NOT_TRIED }, task));
  return { op_id: op.id };
}

/** Begins to start the app whose turn it is, one that was not started for a week. Forgets apps that are no more. */
export function beginDueStartTest(own: Own): void {
  if (own.runtime.engine() === null) return;
  const rows = new Map(listStartTests(own.db).map((row) => [row.app_id, row]));
  const apps = own.apps.list();
  const known = new Set(apps.map(({ id }) => id));
  for (const id of rows.keys()) if (!known.has(id)) own.db.tx(() => deleteStartTest(own.db, id));
  const isDue = (id: string): boolean => {
    const row = rows.get(id);
    if (row === undefined) return true;
    const wait = row.outcome === "skipped" ? SKIPPED_MS : EVERY_MS;
    return isLongSince(own.clock, Date.parse(row.tried_at), wait);
  };
  const due = listTurns(own, { apps: [...known], half: [] }).find((id) => isDue(id) && newestOf(own, id) !== undefined);
  if (due !== undefined) beginStartTest(own, null, due);
}

/** Removes what a copy of an app left on Docker when the program ended in its middle. */
export async function clearStartTests(own: Own): Promise<void> {
  if (
    own.startTests.isClean ||
    own.work.current ||
    own.runtime.engine() === null ||
    listPending(own.db).some(({ app_id }) => app_id !== null)
  )
    return;
  try {
    await own.apps.removeRehearsals();
    await dropAllLoaded(own);
    own.startTests.isClean = true;
  } catch (error) {
    own.log.warn("what a copy of an app left on Docker is still there", { error });
  }
}
