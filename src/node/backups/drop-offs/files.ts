import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, rmSync } from "node:fs";
import { lstat, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pulledBody } from "../../../kernel/http/pulled-body.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { isRepositoryName, type LocalFolder, openLocalFolder, type TargetEntry } from "../engine/index.ts";
import { fail, MOST_FILE, PIECE_BYTES } from "./contract.ts";
import { FOLDER } from "./manage.ts";
import type { Own } from "./needs.ts";
import { type DropOffRow, giveBytes, listDropOffs, takeBytes, writeUsed } from "./store.ts";

const INCOMING = "incoming";
export const MOST_AT_ONCE = 64;
/** Of them those of one place: what its server sends slowly keeps no other waiting. */
export const MOST_OF_ONE = 16;
/** Files of one place that leave at a time, each of which is open meanwhile. */
export const MOST_LEAVING = 32;
/** Files of one place that are here in part and that nothing comes of at the moment. */
const MOST_HALF = 4;
/** What says who writes at the moment, and what tries the place: no part of any backup. */
const PASSING = /^(leases|probes)\//;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** What the folder said, as this server answers it. */
function explain(error: unknown, name: string, { quota_bytes }: DropOffRow): unknown {
  const reason = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case "target_missing":
      return fail("drop_missing", { name });
    case "target_exists":
      return fail("drop_exists", { name });
    case "target_full":
      return fail("drop_full", { quota_bytes });
    case "target_refused":
    case "damaged":
      return fail("drop_away", { reason });
    default:
      return error;
  }
}

function assertName(name: string): void {
  if (!isRepositoryName(name)) throw fail("drop_name", { name: name.slice(0, 100) });
}

async function inPlace<Result>(row: DropOffRow, name: string, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    throw explain(error, name, row);
  }
}

/** One for each place: it numbers what is on its way in. */
function folderOf({ places }: Pick<Own, "places">, { path }: Pick<DropOffRow, "path">): LocalFolder {
  const known = places.get(path) ?? openLocalFolder(path);
  places.set(path, known);
  return known;
}

/** What is below a folder of a place. */
export async function listFiles(own: Own, row: DropOffRow, folder: string): Promise<TargetEntry[]> {
  assertName(folder);
  return await inPlace(row, folder, () => folderOf(own, row).list(folder));
}

/** A file of a place, or a piece of it. Throws `drop_crowded` where too many are on their way to its server. */
export async function readFile(
  own: Own,
  row: DropOffRow,
  { name, at, length }: { name: string; at?: number | undefined; length?: number | undefined },
): Promise<Response> {
  assertName(name);
  const range = length === undefined ? undefined : { at: at ?? 0, length };
  const gone = own.leaving.enter(row.id);
  if (gone === null) throw fail("drop_crowded");
  let bytes: AsyncGenerator<Uint8Array, void, undefined>;
  try {
    bytes = await inPlace(row, name, () => folderOf(own, row).readFrom(name, range));
  } catch (error) {
    gone();
    throw error;
  }
  return new Response(pulledBody(bytes, gone), {
    headers: { "content-type": "application/octet-stream", "cache-control": "no-store" },
  });
}

async function sizeOf(own: Own, row: DropOffRow, name: string): Promise<number> {
  const slash = name.lastIndexOf("/");
  const entries = await folderOf(own, row).list(slash === -1 ? name : name.slice(0, slash));
  return entries.find((entry) => entry.name === name)?.size ?? 0;
}

/** Removes a file of a place. Throws `drop_append_only` where what is kept stays. */
export async function removeFile(own: Own, row: DropOffRow, name: string): Promise<void> {
  const { db } = own;
  assertName(name);
  if (row.append_only === 1 && !PASSING.test(name)) throw fail("drop_append_only", { name });
  await inPlace(row, name, async () => {
    const size = await sizeOf(own, row, name);
    await folderOf(own, row).remove(name);
    db.tx(() => giveBytes(db, row.id, size));
  });
}

const spoolFolder = ({ config }: Pick<Own, "config">): string => join(config.data_dir, FOLDER, INCOMING);

/** Adds bytes to what has come of a file; how much that is then. */
async function append(path: string, at: number, most: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, at === 0 ? "w" : "r+", 0o600);
  try {
    let end = at;
    for await (const piece of bytes) {
      if (end + piece.length > at + most) return -1;
      await file.write(piece, 0, piece.length, end);
      end += piece.length;
    }
    await file.truncate(end);
    return end;
  } finally {
    await file.close();
  }
}

/** Makes room for one more file in part: the oldest give way, or a key would fill the disk with what it never finishes. */
async function dropHalves(own: Own, dropOffId: string): Promise<void> {
  const folder = spoolFolder(own);
  const idle = (await readdir(folder)).filter((name) => name.startsWith(`${dropOffId}-`) && !own.incoming.has(name));
  const aged = await Promise.all(
    idle.map(async (name) => {
      const path = join(folder, name);
      // One that was finished meanwhile is gone.
      const at = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { path, at };
    }),
  );
  const oldest = aged.toSorted((a, b) => a.at - b.at).slice(0, Math.max(0, aged.length - MOST_HALF + 1));
  for (const { path } of oldest) await rm(path, { force: true });
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** Puts a file that has come whole in its place. */
async function publish(own: Own, row: DropOffRow, name: string, size: number, path: string): Promise<void> {
  const { db } = own;
  if (!db.tx(() => takeBytes(db, row.id, size))) throw fail("drop_full", { quota_bytes: row.quota_bytes });
  try {
    await inPlace(row, name, () => folderOf(own, row).writeFrom(name, createReadStream(path)));
  } catch (error) {
    db.tx(() => giveBytes(db, row.id, size));
    throw error;
  }
}

/** Takes one piece of a new file; with the last the file is there. Throws what `PUT /api/drop-off/file` answers. */
export async function takePiece(
  own: Own,
  row: DropOffRow,
  { name, at, size, sha256 }: { name: string; at: number; size: number; sha256: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ received_bytes: number }> {
  assertName(name);
  const { incoming } = own;
  const spool = `${row.id}-${sha256Hex(`${name} ${size} ${sha256}`).slice(0, 32)}`;
  const ofOne = [...incoming].filter((one) => one.startsWith(`${row.id}-`)).length;
  if (incoming.size >= MOST_AT_ONCE || ofOne >= MOST_OF_ONE || incoming.has(spool)) throw fail("drop_crowded");
  if (row.used_bytes + size > row.quota_bytes) throw fail("drop_full", { quota_bytes: row.quota_bytes });
  const path = join(spoolFolder(own), spool);
  incoming.add(spool);
  try {
    await own.requireRoom();
    const known =
      at === 0
        ? 0
        : await stat(path).then(
            ({ size: now }) => now,
            () => 0,
          );
    if (known < at || size > MOST_FILE) throw fail("drop_piece", { name });
    mkdirSync(spoolFolder(own), { recursive: true, mode: 0o700 });
    if (at === 0) await dropHalves(own, row.id);
    const end = await append(path, at, Math.min(PIECE_BYTES, size - at), bytes);
    if (end === -1) throw fail("drop_piece", { name });
    if (end < size) return { received_bytes: end };
    try {
      if ((await sumOf(path)) !== sha256) throw fail("drop_damaged", { name });
      await publish(own, row, name, size, path);
    } finally {
      await rm(path, { force: true });
    }
    return { received_bytes: size };
  } finally {
    incoming.delete(spool);
  }
}

/** What all files below a folder take, under whatever names: links are none of a repository. */
async function sizeBelow(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await sizeBelow(path);
    else if (entry.isFile()) sum += (await lstat(path)).size;
  }
  return sum;
}

/** What a program that was killed had half, goes; and what lies in each place is counted anew. */
export async function recount(own: Own): Promise<void> {
  const { db, log } = own;
  rmSync(spoolFolder(own), { recursive: true, force: true });
  for (const { id, path } of listDropOffs(db)) {
    try {
      await rm(join(path, INCOMING), { recursive: true, force: true });
      const sum = await sizeBelow(path);
      db.tx(() => writeUsed(db, id, sum));
    } catch (error) {
      log.warn("a place for other servers' backups cannot be read", { drop_off: id, error });
    }
  }
}
