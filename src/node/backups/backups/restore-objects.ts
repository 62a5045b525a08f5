import { rmSync } from "node:fs";
import { toIso } from "../../../lib/clock.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { DRIVE_BUCKET } from "../../storage/objects/index.ts";
import type { EngineSession } from "../engine/index.ts";
import { backUpBefore } from "./back-up-before.ts";
import { type Backup, fail } from "./contract.ts";
import { endObjects } from "./end-objects.ts";
import { GoesOn, isPassing } from "./failures.ts";
import { attempt, close, type Waiting } from "./go-on.ts";
import { openSeen, type Seen } from "./look.ts";
import type { Own } from "./needs.ts";
import type { BackedUpDrive, BackedUpObjects, ObjectsRestoreInput } from "./objects-contract.ts";
import { assertNotInOlder, giveUpOlder } from "./objects-given-up.ts";
import { type ObjectsReader, openObjectsReader } from "./objects-reader.ts";
import { assertFree, runAlone } from "./one-at-a-time.ts";
import { getCompleted } from "./restore.ts";
import { untilTouched, withTarget } from "./restore-app.ts";
import { restoreBuckets } from "./restore-buckets.ts";
import { roomFor } from "./room.ts";
import { makeScratchFolder, sourceOf } from "./run-backup.ts";
import * as store from "./store.ts";

const PAGE = 200;
const encoder = new TextEncoder();

/** What a backup has of buckets and Drives; null where nothing was stored then. Throws `backup_objects_not_in`. */
async function look(own: Own, id: string): Promise<Seen | null> {
  const backup = getCompleted(own, id);
  if (!backup.include_objects) throw fail("backup_objects_not_in");
  return await own.look.at(id, (use) => withTarget(own, backup.target, use));
}

async function lookAtSome(own: Own, id: string): Promise<Seen> {
  const seen = await look(own, id);
  if (seen === null) throw fail("backup_objects_not_in");
  return seen;
}

/** Buckets and Drives of a backup. Throws `backup_not_completed`, `backup_objects_not_in`. */
export async function listObjects(own: Own, id: string): Promise<BackedUpObjects> {
  const seen = await look(own, id);
  if (seen === null) return { buckets: [], drives: [] };
  const { catalogue, drives } = seen;
  return {
    buckets: catalogue
      .listBuckets()
      .filter(({ name }) => name !== DRIVE_BUCKET)
      .map(({ name, object_count, size_bytes }) => ({ name, object_count, size_bytes })),
    drives: drives.listDrives().map((drive) => ({ ...drive, is_here: store.hasUser(own.db, drive.user_id) })),
  };
}

/** One page of a folder of somebody's own Drive in a backup. Throws what `listObjects` throws, and `backup_drive_not_in`. */
export async function listOwnDrive(
  own: Own,
  userId: string,
  id: string,
  { folder, after }: { folder?: string | undefined; after?: string | undefined },
): Promise<BackedUpDrive> {
  const { drives } = await lookAtSome(own, id);
  const above = folder === undefined ? null : drives.findNode(userId, folder);
  if (folder !== undefined && above?.is_file !== 0) throw fail("backup_drive_not_in");
  const from = after === undefined ? null : drives.findNode(userId, after);
  const place = { isFile: from?.is_file ?? 0, name: from?.name ?? "", limit: PAGE + 1 };
  const rows = drives.listChildren(userId, folder ?? null, place);
  const nodes = rows.slice(0, PAGE);
  return {
    folder: above && { id: above.id, name: above.name, parent_id: above.parent_id },
    nodes: nodes.map((row) => ({
      id: row.id,
      kind: row.is_file === 1 ? ("file" as const) : ("folder" as const),
      name: row.name,
      size_bytes: row.size_bytes,
    })),
    next: rows.length > PAGE ? (nodes.at(-1)?.id ?? null) : null,
  };
}

interface Asked extends ObjectsRestoreInput {
  backup: Backup;
  by: Asker;
}

async function restoreDrives(
  own: Own,
  { drives, drive_node, drives_over, backup, by }: Asked,
  { catalogue, drives: copy }: Seen,
  reader: ObjectsReader,
  isAgain: boolean,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const bucket = catalogue.listBuckets().find(({ name }) => name === DRIVE_BUCKET);
  const blobsOf = (sha256: string): string[] =>
    (bucket && catalogue.findObject(bucket.id, encoder.encode(sha256))?.blobs) ?? [];
  const folder = drives_over ? null : `Put back from ${backup.started_at.slice(0, 16).replace("T", " ")}`;
  let skipped = 0;
  const asked =
    drive_node === undefined ? drives.map((id) => ({ id, node: null })) : [{ id: by.user_id, node: drive_node }];
  for (const { id, node } of asked) {
    const result = await own.drive.putBack(
      { user_id: id, ip: by.ip },
      {
        copy,
        nodeId: node,
        folder,
        isAgain,
        orderOf: (sha256) => reader.orderOf(blobsOf(sha256)),
        open: (sha256) => reader.read(blobsOf(sha256)),
        onFile: onBytes,
      },
    );
    skipped += result.skipped;
  }
  return skipped;
}

/** Reads what is chosen into place; the bytes are checked on their way, and nothing is seen before it is whole. */
async function putBack(
  own: Own,
  asked: Asked,
  opId: string,
  op: OperationHandle | null,
  isAgain: boolean,
): Promise<void> {
  const { backup, by, buckets: names, drives } = asked;
  const scratch = makeScratchFolder(own);
  const use = async (session: EngineSession, touch: () => void) => {
    const { parts } = await session.snapshot(backup.id);
    const seen = await openSeen(session, parts, scratch, await roomFor(own));
    if (seen === null) throw fail("backup_objects_not_in");
    const reader = await openObjectsReader(session, parts, seen.catalogue, scratch);
    let bytes = 0;
    const told = (step: string) => (more: number) => {
      own.signal.throwIfAborted();
      bytes += more;
      op?.progress(step, { percent: null, bytes_done: bytes, bytes_total: null });
    };
    try {
      touch();
      giveUpOlder(own, opId);
      if (names.length > 0) {
        op?.step("buckets", "running");
        const buckets = seen.catalogue.listBuckets().filter(({ name }) => names.includes(name));
        await restoreBuckets(own, seen.catalogue, reader, buckets, asked.remove_later, told("buckets"));
        own.objects.refresh();
        op?.step("buckets", "done");
      }
      if (drives.length > 0 || asked.drive_node !== undefined) {
        op?.step("drives", "running");
        const skipped = await restoreDrives(own, asked, seen, reader, isAgain, told("drives"));
        if (skipped > 0) op?.log(`${skipped} files and folders stayed away: something else has their place.`);
        op?.step("drives", "done");
      }
    } finally {
      reader.close();
      seen.catalogue.close();
      seen.drives.close();
    }
  };
  try {
    await untilTouched(own, backup, use);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const event = { backup_id: backup.id, target: backup.target, apps: [], buckets: names, drives: drives.length, by };
  own.db.record(() => own.bus.emit("backup.restored", event));
}

async function restoreAll(own: Own, asked: Asked, op: OperationHandle): Promise<void> {
  const { backup, by } = asked;
  const input = { target: backup.target, apps: [], include_config: true, include_objects: true };
  await backUpBefore(own, by, input, op);
  const { backup: _, by: __, ...wish } = asked;
  const { user_id, ip } = by;
  const row = { op_id: op.id, backup_id: backup.id, user_id, ip, wish: JSON.stringify(wish) };
  own.db.tx(() => store.insertObjectRestore(own.db, row));
  await journaled(own, op.id, () => putBack(own, asked, op.id, op, false));
}

/** What came back is whole, object by object; the rest follows when a target that went away is back. */
async function journaled(own: Own, opId: string, work: () => Promise<void>): Promise<void> {
  let isLeft = true;
  try {
    await work();
    isLeft = false;
  } catch (error) {
    isLeft = isPassing(error) || own.signal.aborted;
    throw isPassing(error) ? new GoesOn(error, "What came back so far is whole.") : error;
  } finally {
    if (!isLeft) own.db.tx(() => store.deleteObjectRestore(own.db, opId));
  }
}

/** Buckets and Drives that were being put back when the program ended, or when their target went away. */
export function listCutObjects(own: Own): Waiting[] {
  return store.listObjectRestores(own.db).map((row) => async () => {
    const { op_id, backup_id, user_id, ip, wish } = row;
    const op = own.operations.resume(op_id);
    const work = async (): Promise<void> => {
      const asked: Asked = { ...JSON.parse(wish), backup: sourceOf(own, backup_id), by: { user_id, ip } };
      await putBack(own, asked, op_id, op, true);
    };
    const failure = await attempt(own, () => journaled(own, op_id, work));
    if (failure !== null && !store.hasObjectRestore(own.db, op_id)) endObjects(own, row, failure);
    else close(own, op, failure);
    return failure;
  });
}

/** Begins to put buckets and Drives back. Throws what `POST /api/backups/{id}/objects/restore` answers. */
export async function beginObjectsRestore(
  own: Own,
  by: Asker,
  id: string,
  input: ObjectsRestoreInput,
): Promise<{ op_id: string }> {
  const backup = getCompleted(own, id);
  const { catalogue, drives } = await lookAtSome(own, id);
  const buckets = new Set(catalogue.listBuckets().map(({ name }) => name));
  buckets.delete(DRIVE_BUCKET);
  for (const name of input.buckets) if (!buckets.has(name)) throw fail("backup_bucket_not_in", { bucket: name });
  const known = new Set(drives.listDrives().map(({ user_id }) => user_id));
  for (const user of input.drives)
    if (!known.has(user) || !store.hasUser(own.db, user)) throw fail("backup_drive_not_in");
  if (input.drive_node !== undefined && drives.findNode(by.user_id, input.drive_node) === null)
    throw fail("backup_drive_not_in");
  const hasDrives = input.drives.length > 0 || input.drive_node !== undefined;
  if (input.buckets.length === 0 && !hasDrives) throw fail("backup_empty");
  assertFree(own);
  assertNotInOlder(own, { ...input, user_id: by.user_id });
  const op = own.operations.begin({
    kind: "backup.restore_objects",
    subject_id: id,
    title: `Put back from the backup of ${toIso(Date.parse(backup.started_at))}`,
    steps: [
      { step: "before", title: "Back up what is there now" },
      ...(input.buckets.length > 0 ? [{ step: "buckets", title: "Buckets" }] : []),
      ...(hasDrives ? [{ step: "drives", title: "Drives" }] : []),
    ],
    by,
  });
  const asked = { ...input, backup, by };
  runAlone(own, async () => close(own, op, await attempt(own, () => restoreAll(own, asked, op))));
  return { op_id: op.id };
}
