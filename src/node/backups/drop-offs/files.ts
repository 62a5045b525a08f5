import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, rmSync } from "node:fs";
import { lstat, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pulledBody } from "../../../kernel/http/pulled-body.ts";
import { alsoAsk } from "../../../kernel/http/right-to-read.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { isRepositoryName, type LocalFolder, openLocalFolder } from "../engine/index.ts";
import { fail, LEAST_FILE, MOST_FILE, MOST_FILES, PIECE_BYTES } from "./contract.ts";
import { holdKey } from "./keys.ts";
import { FOLDER } from "./manage.ts";
import type { Own } from "./needs.ts";
import { type DropOffRow, type Filled, findDropOff, giveRoom, listDropOffs, takeRoom, writeFilled } from "./store.ts";

/** Where files lie that are coming in. */
export const INCOMING = "incoming";
export const MOST_AT_ONCE = 64;
/** Of them those of one place: what its server sends slowly keeps no other waiting. */
export const MOST_OF_ONE = 16;
/** Files of one place that leave at a time, each of which is open meanwhile. */
export const MOST_LEAVING = 32;
/** Files of one place that are here in part and that nothing comes of at the moment. */
const MOST_HALF = 4;
/** What says who writes at the moment, and what tries the place: no part of any backup. */
const PASSING = /^(leases|probes)\//;
/** Names that a repository has: of others, each could be a folder more, which no quota counts. */
const NEW = /^(config\.json|(packs(\/[0-9a-f]{2})?|snapshots|condemned|leases|probes)\/[^/]+)$/;

/** What a file takes of the quota. */
const costOf = (size: number): number => Math.max(size, LEAST_FILE);

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

const refuseName = (name: string) => fail("drop_name", { name: name.slice(0, 100) });

/** Throws `drop_name` for what leads out of a place. */
export function assertName(name: string): void {
  if (!isRepositoryName(name)) throw refuseName(name);
}

/** Runs `task`, whose failures are told in words of this server. */
export async function inPlace<Result>(row: DropOffRow, name: string, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    throw explain(error, name, row);
  }
}

/** One for each place: it numbers what is on its way in. */
export function folderOf({ places }: Pick<Own, "places">, { path }: Pick<DropOffRow, "path">): LocalFolder {
  const known = places.get(path) ?? openLocalFolder(path);
  places.set(path, known);
  return known;
}

/** A file of a place, or a piece of it. Throws `drop_crowded` where too many are on their way to its server. */
export async function readFile(
  own: Own,
  request: Request,
  row: DropOffRow,
  { name, at, length }: { name: string; at?: number | undefined; length?: number | undefined },
): Promise<Response> {
  assertName(name);
  alsoAsk(request, holdKey(own, request));
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
  return new Response(pulledBody(request, bytes, gone), {
    headers: { "content-type": "application/octet-stream", "cache-control": "no-store" },
  });
}

/** Lets one at a time change what is of that name; some disks know no capitals. */
const onName = <Result>(own: Own, { id }: DropOffRow, name: string, task: () => Promise<Result>): Promise<Result> =>
  own.byName(`${id}/${name.toLowerCase()}`, task);

/** Asks for the key of a place anew. Throws `drop_key_refused` once it opens the place no more. */
type AskAgain = () => DropOffRow;

/** Removes a file of a place, whose room is given back once, however many ask. Throws `drop_append_only` where what is kept stays. */
export async function removeFile(own: Own, row: DropOffRow, name: string, again: AskAgain): Promise<void> {
  const { db } = own;
  assertName(name);
  if (name.startsWith(`${INCOMING}/`)) throw refuseName(name);
  const requireMayRemove = ({ append_only }: DropOffRow): void => {
    if (append_only === 1 && !PASSING.test(name)) throw fail("drop_append_only", { name });
  };
  requireMayRemove(row);
  await onName(own, row, name, () =>
    inPlace(row, name, async () => {
      requireMayRemove(again());
      const folder = folderOf(own, row);
      const size = await folder.sizeOf(name);
      if (size === null) return;
      await folder.remove(name);
      db.tx(() => giveRoom(db, row.id, costOf(size)));
    }),
  );
}

const spoolFolder = ({ config }: Pick<Own, "config">): string => join(config.data_dir, FOLDER, INCOMING);

/** Passes bytes on as long as the key opens the place: asked with each piece, and once more at the end. */
async function* whileOpen(
  bytes: AsyncIterable<Uint8Array>,
  again: AskAgain,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) {
    again();
    yield piece;
  }
  again();
}

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

/**
 * Removes files of a place that are here in part and of which nothing comes at the moment, the oldest first, until so many are left and
 * so many bytes: a key would fill the disk with what it never finishes.
 */
export async function dropHalves(own: Own, dropOffId: string, most: { files: number; bytes: number }): Promise<void> {
  const folder = spoolFolder(own);
  const names = await readdir(folder).catch(() => []);
  const idle = names.filter((name) => name.startsWith(`${dropOffId}-`) && !own.incoming.has(name));
  const found = await Promise.all(
    idle.map(async (name) => {
      const path = join(folder, name);
      // One that was finished meanwhile is gone.
      const now = await stat(path).catch(() => null);
      return { path, at: now?.mtimeMs ?? 0, bytes: costOf(now?.size ?? 0) };
    }),
  );
  let [files, bytes] = [0, 0];
  for (const half of found.toSorted((a, b) => b.at - a.at)) {
    files += 1;
    bytes += half.bytes;
    if (files > most.files || bytes > most.bytes) await rm(half.path, { force: true });
  }
}

/** What is left of a quota beside what is there and what is coming in. */
function freeOf({ incoming }: Pick<Own, "incoming">, { id, quota_bytes, used_bytes }: DropOffRow): number {
  const coming = [...incoming].filter(([spool]) => spool.startsWith(`${id}-`));
  return quota_bytes - used_bytes - coming.reduce((sum, [, size]) => sum + costOf(size), 0);
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** Throws `drop_files` or `drop_full` where a place has no room for one more file of that size. */
function requireFree({ quota_bytes, used_bytes, files }: DropOffRow, size: number): void {
  if (files >= MOST_FILES) throw fail("drop_files", { limit: MOST_FILES });
  if (used_bytes + costOf(size) > quota_bytes) throw fail("drop_full", { quota_bytes });
}

/** Puts a file that has come whole in its place. */
async function publish(own: Own, name: string, size: number, path: string, again: AskAgain): Promise<void> {
  const { db } = own;
  const row = again();
  const folder = folderOf(own, row);
  if (!db.tx(() => takeRoom(db, row.id, costOf(size), MOST_FILES))) {
    requireFree(findDropOff(db, row.id) ?? row, size);
    throw fail("drop_full", { quota_bytes: row.quota_bytes });
  }
  try {
    await inPlace(row, name, () => folder.writeFrom(name, whileOpen(createReadStream(path), again)));
  } catch (error) {
    // A disk that failed may have the file nevertheless; another one of that name has room of its own.
    const isThere = !isRefused(error) && (await folder.sizeOf(name).catch(() => size)) !== null;
    if (!isThere) db.tx(() => giveRoom(db, row.id, costOf(size)));
    throw error;
  }
}

/** What is said where nothing was written at all. */
const isRefused = (error: unknown): boolean => ["drop_exists", "drop_key_refused"].includes(codeOf(error));

/** Takes one piece of a new file; with the last the file is there, if its key still opens the place. Throws what `PUT /api/drop-off/file` answers. */
export async function takePiece(
  own: Own,
  row: DropOffRow,
  { name, at, size, sha256 }: { name: string; at: number; size: number; sha256: string },
  bytes: AsyncIterable<Uint8Array>,
  again: AskAgain,
): Promise<{ received_bytes: number }> {
  if (!isRepositoryName(name) || !NEW.test(name)) throw refuseName(name);
  const { incoming } = own;
  const spool = `${row.id}-${sha256Hex(`${name} ${size} ${sha256}`).slice(0, 32)}`;
  const ofOne = [...incoming.keys()].filter((one) => one.startsWith(`${row.id}-`)).length;
  if (incoming.size >= MOST_AT_ONCE || ofOne >= MOST_OF_ONE || incoming.has(spool)) throw fail("drop_crowded");
  requireFree(row, size);
  if (freeOf(own, row) < costOf(size)) throw fail("drop_full", { quota_bytes: row.quota_bytes });
  const path = join(spoolFolder(own), spool);
  incoming.set(spool, size);
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
    if (at === 0) await dropHalves(own, row.id, { files: MOST_HALF - 1, bytes: freeOf(own, row) });
    const end = await append(path, at, Math.min(PIECE_BYTES, size - at), whileOpen(bytes, again));
    if (end === -1) throw fail("drop_piece", { name });
    if (end < size) return { received_bytes: end };
    try {
      if ((await sumOf(path)) !== sha256) throw fail("drop_damaged", { name });
      await onName(own, row, name, () => publish(own, name, size, path, again));
    } finally {
      await rm(path, { force: true });
    }
    return { received_bytes: size };
  } finally {
    incoming.delete(spool);
  }
}

/** What lies below a folder, under whatever names: links are none of a repository. */
async function countBelow(folder: string): Promise<Filled> {
  const sum: Filled = { used_bytes: 0, files: 0 };
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = await countBelow(path);
      sum.used_bytes += below.used_bytes;
      sum.files += below.files;
    } else if (entry.isFile()) {
      sum.used_bytes += costOf((await lstat(path)).size);
      sum.files += 1;
    }
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
      const filled = await countBelow(path);
      db.tx(() => writeFilled(db, id, filled));
    } catch (error) {
      log.warn("a place for other servers' backups cannot be read", { drop_off: id, error });
    }
  }
}
