import { EngineError } from "../../apps/runtime/index.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { createTarReader, type EngineSession, type TarEntry } from "../engine/index.ts";
import { backUpBefore } from "./back-up-before.ts";
import { compare, plainPath } from "./browse.ts";
import type { FileChanges, PutBack, PutBackInput } from "./browse-contract.ts";
import type { VolumeIndex } from "./browse-state.ts";
import { type Backup, fail } from "./contract.ts";
import { contentOf, findBelow, writeArchiveOf } from "./extract.ts";
import { explain, type Failure } from "./failures.ts";
import { isRead, readIndex, writeIndexes } from "./file-index.ts";
import { GONE, writePutBack } from "./given-up.ts";
import { attempt, close, type Waiting } from "./go-on.ts";
import { endHalt, whileHalted } from "./halts.ts";
import { describeBackup } from "./holds.ts";
import { whileTold } from "./image-wait.ts";
import type { Own } from "./needs.ts";
import { assertFree, runAlone, runWaited } from "./one-at-a-time.ts";
import { deletePutBack, findPutBack, listPutBacks, markWritten, type PutBackRow } from "./put-back-store.ts";
import { untilTouched, whileHalf } from "./restore-app.ts";
import { getBackup, sourceOf } from "./run-backup.ts";
import { findRestore, WHOLE } from "./store.ts";
import { readVolumePath, writeVolume } from "./volumes.ts";

/** A thing of a backup on its way back. */
interface Way {
  backup: Backup;
  app: string;
  volume: string;
  index: VolumeIndex;
  path: string;
  to: string;
  /** It, what is below it, and before them the folders that lead there. */
  chosen: TarEntry[];
  size: number;
}

/** A path with the time of a backup before what its name ends with. */
export function besideOf(path: string, startedAt: string): string {
  const start = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const at = dot > start ? dot : path.length;
  const time = startedAt.slice(0, 16).replace("T", " ").replace(":", ".");
  return `${path.slice(0, at)} (from ${time})${path.slice(at)}`;
}

async function findWay(own: Own, id: string, { app, volume, path: typed, mode }: PutBackInput): Promise<Way> {
  const backup = getBackup(own, id);
  const { index } = await readIndex(own, id, { app, volume });
  if (!own.apps.list().some((known) => known.id === app)) throw fail("backup_app_not_in", { app });
  const path = plainPath(typed);
  const { all } = findBelow(index, path);
  const folders = index.entries.filter((entry) => entry.kind === "folder" && path.startsWith(`${entry.path}/`));
  const size = all.reduce((sum, entry) => sum + contentOf(index, entry).size, 0);
  const to = mode === "over" ? path : besideOf(path, backup.started_at);
  return { backup, app, volume, index, path, to, chosen: [...folders, ...all], size };
}

const renamer =
  ({ path, to }: Way) =>
  (one: string): string =>
    one === path || one.startsWith(`${path}/`) ? to + one.slice(path.length) : one;

/** What stands at a path of a volume now; nothing where nothing is. */
async function readPresent(own: Own, { app, volume, to }: Way): Promise<TarEntry[]> {
  const found: TarEntry[] = [];
  const name = to.slice(to.lastIndexOf("/") + 1);
  const reader = createTarReader(name);
  const onto = (path: string): string => (path === "" ? to : `${to}/${path}`);
  try {
    await readVolumePath(own, app, volume, to, async (bytes) => {
      for await (const piece of bytes)
        for (const entry of reader.push(piece))
          found.push({
            ...entry,
            path: onto(entry.path),
            link: entry.kind === "twin" ? onto(entry.link ?? "") : entry.link,
          });
    });
  } catch (error) {
    if (!(error instanceof EngineError && error.status === 404)) throw error;
  }
  return found;
}

async function foresee(own: Own, way: Way): Promise<FileChanges> {
  const rename = renamer(way);
  const after = way.chosen
    .filter(({ path }) => path === way.path || path.startsWith(`${way.path}/`))
    .map((entry) => ({ ...entry, path: rename(entry.path) }));
  return compare(await readPresent(own, way), after, false);
}

async function writeWay(own: Own, session: EngineSession, way: Way): Promise<void> {
  const { app, volume, index, chosen } = way;
  await writeVolume(own, app, volume, writeArchiveOf(session, index, chosen, renamer(way)));
}

const opOf = (own: Own, { op_id }: Pick<PutBackRow, "op_id">): OperationHandle | null =>
  op_id === null ? null : own.operations.resume(op_id);

/** Whether something writes all that an older order would, so that nothing stays half without that one. */
async function covers(own: Own, way: Way, { backup_id, app_id, volume, path }: PutBackRow): Promise<boolean> {
  if (way.volume !== volume) return false;
  const wish = { app: app_id, volume, path, mode: "over" as const, dry_run: false };
  const older = await findWay(own, backup_id, wish).catch(() => null);
  const written = new Set(way.chosen.map((entry) => entry.path));
  return older?.chosen.every((entry) => written.has(entry.path)) ?? false;
}

/** The backup from which data of the app is still to come that this neither takes the place of nor would stand beside; null: none. */
async function findAwaited(own: Own, way: Way, mode: PutBackInput["mode"]): Promise<string | null> {
  const whole = findRestore(own.db, way.app);
  if (whole !== null && whole.begun !== WHOLE) return whole.backup_id;
  const file = findPutBack(own.db, way.app);
  if (file === null || file.written === 1) return null;
  return mode === "over" && (await covers(own, way, file)) ? null : file.backup_id;
}

/**
 * Writes down what takes the place of something, so that it goes on when the program ends in the middle: half of a folder is no state to
 * leave. It stays written down until the app was started again, too. The target is opened before the app is stopped.
 */
async function writeOver(own: Own, by: Asker, way: Way, opId: string | null): Promise<void> {
  const { backup, app, volume, path } = way;
  await untilTouched(own, backup, (session, touch) =>
    whileHalted(own, { ...by, purpose: "a restore" }, app, opId ?? backup.id, async () => {
      touch();
      own.db.tx(() => {
        const older = findPutBack(own.db, app);
        if (older?.written === 1) tellOver(own, older, opOf(own, older));
        writePutBack(own, { app_id: app, backup_id: backup.id, ...by, volume, path, op_id: opId });
      });
      await whileHalf(own, app, () => writeWay(own, session, way));
      own.db.tx(() => markWritten(own.db, app));
    }),
  );
}

/**
 * Tells what took the place of something and whose app runs again, and ends its operation at the same moment: nothing is left then that
 * would have to go on.
 */
function tellOver(own: Own, row: Omit<PutBackRow, "op_id" | "written">, op: OperationHandle | null): void {
  const { app_id: app, backup_id, user_id, ip, volume, path } = row;
  const event = { user_id, ip, backup_id, app, volume, path, mode: "over" as const, to: path };
  own.db.tx(() => {
    deletePutBack(own.db, app);
    own.bus.emit("backup.file_put_back", event);
    op?.step("put", "done");
    op?.done();
  });
}

const tellerOf = (op: OperationHandle | null) => (text: string) => op?.step("put", "running", { text });

/** Goes on with what was cut off; while the target is away the app stands still. */
async function resumePutBack(own: Own, row: PutBackRow, op: OperationHandle | null): Promise<void> {
  const { app_id: app, backup_id, user_id, ip, volume, path, op_id } = row;
  const by = { user_id, ip };
  if (row.written === 1) await endHalt(own, { ...by, purpose: "a restore" }, app);
  else {
    const { target } = sourceOf(own, backup_id);
    if (!isRead(own, backup_id)) await writeIndexes(own, backup_id, target, { urgency: "now" }, () => {});
    const way = await findWay(own, backup_id, { app, volume, path, mode: "over", dry_run: false });
    await whileHalf(own, app, () => writeOver(own, by, way, op_id));
  }
  if (!own.signal.aborted) tellOver(own, row, op);
}

/** Files and folders that were taking the place of others when the program ended. */
export function listCutPutBacks(own: Own): Waiting[] {
  if (!own.runtime.engine()) return [];
  const known = new Set(own.apps.list().map(({ id }) => id));
  return listPutBacks(own.db).map((row) => async () => {
    const op = opOf(own, row);
    const isHere = known.has(row.app_id);
    if (!isHere) own.db.tx(() => deletePutBack(own.db, row.app_id));
    const failure = isHere
      ? await attempt(own, () => whileTold(own, { tell: tellerOf(op) }, () => resumePutBack(own, row, op)))
      : GONE;
    close(own, op, failure);
    return isHere ? failure : null;
  });
}

async function putBack(own: Own, by: Asker, way: Way, mode: PutBackInput["mode"], op: OperationHandle): Promise<void> {
  const { backup, app, volume, path, to } = way;
  if (mode === "over") {
    await backUpBefore(own, by, { target: backup.target, apps: [app], include_config: false }, op);
    op.step("put", "running");
    await writeOver(own, by, way, op.id);
    if (!own.signal.aborted) tellOver(own, { app_id: app, backup_id: backup.id, ...by, volume, path }, op);
  } else {
    op.step("put", "running");
    await untilTouched(own, backup, async (session, touch) => {
      touch();
      await writeWay(own, session, way);
    });
    own.db.record(() =>
      own.bus.emit("backup.file_put_back", { ...by, backup_id: backup.id, app, volume, path, mode, to }),
    );
    op.step("put", "done");
  }
}

/** Says what putting a file or folder back would change, or begins it. Throws what `POST …/put-back` answers. */
export async function beginPutBack(own: Own, by: Asker, id: string, input: PutBackInput): Promise<PutBack> {
  const way = await findWay(own, id, input);
  own.runtime.requireEngine();
  const about = { path: way.to, size_bytes: way.size };
  const awaited = await findAwaited(own, way, input.mode);
  assertFree(own);
  if (awaited !== null) {
    const { name } = own.apps.get(way.app);
    throw fail("backup_restore_waits", { what: name, source: describeBackup(own.db, awaited) });
  }
  if (input.dry_run) {
    return { ...about, op_id: null, changes: await runWaited(own, () => foresee(own, way)) };
  }
  const put = { step: "put", title: `Put ${way.to} in its place` };
  const op = own.operations.begin({
    kind: "backup.put_back",
    subject_id: id,
    title: `Put ${way.path} back`,
    steps: input.mode === "over" ? [{ step: "before", title: "Back up what is there now" }, put] : [put],
    by,
  });
  runAlone(own, async () => {
    let failure: Failure | null = null;
    try {
      await whileTold(own, { tell: tellerOf(op) }, () => putBack(own, by, way, input.mode, op));
    } catch (error) {
      own.log.warn("a file was not put back", { error });
      failure = explain(error);
    }
    close(own, op, failure);
  });
  return { ...about, op_id: op.id, changes: null };
}
