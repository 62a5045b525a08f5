import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import type { KeyedGate } from "../../../lib/keyed-gate.ts";
import type { Tally } from "../../../lib/tally.ts";
import type { Contents } from "./contents.ts";
import {
  type DriveNode,
  type DriveTrash,
  type DriveTree,
  type FolderInput,
  fail,
  MAX_DEPTH,
  MAX_NODES,
  TRASH_DAYS,
} from "./contract.ts";
import type { GoingOut } from "./going-out.ts";
import type { Kept } from "./kept.ts";
import type { By, Needs } from "./needs.ts";
import type { RunningSums } from "./running-sums.ts";
import * as store from "./store.ts";
import type { Thumbnails } from "./thumbnails.ts";

const PAGE = 200;

/** What the rules of the Drive work with. */
export interface Own extends Needs {
  contents: Contents;
  /** What other features keep with files and folders. */
  kept: readonly Kept[];
  sums: RunningSums;
  /** Files and chunks that come in, by their accounts: each holds a file of the disk open, however slowly it comes. */
  coming: Tally;
  /** Uploads that bytes are being added to. */
  appending: Set<string>;
  /** Bytes that have come and go to the end of an upload, by account. */
  adding: KeyedGate;
  thumbnails: Thumbnails;
  /** Searches, by account. */
  searching: KeyedGate;
  /** Walks through folders that only measure them, by account. */
  measuring: KeyedGate;
  /** Files that are read for their sum, by account. */
  summing: KeyedGate;
  /** Archives that are on their way. */
  zips: GoingOut;
  goingOut: GoingOut;
  /** Accounts for which a large folder is being copied. */
  copying: Set<string>;
  /** Removes what is on its way out. */
  clear: () => Promise<void>;
  /** Uploads that are being made files, with what becomes of them. */
  finishing: Map<string, Promise<DriveNode>>;
}

const kindOf = ({ is_file }: Pick<store.NodeRow, "is_file">) => (is_file === 1 ? "file" : "folder");

/** A node as the contract words it. */
export const present = (row: Omit<store.NodeRow, "trashed_at" | "folded">): DriveNode => ({
  id: row.id,
  kind: kindOf(row),
  name: row.name,
  parent_id: row.parent_id,
  size_bytes: row.size_bytes,
  sha256: row.sha256,
  created_at: toIso(row.created_at),
  changed_at: toIso(row.changed_at),
  starred: row.starred_at !== null,
});

/**
 * Whether a way leads up to the top. It does not where something on it is in the trash, or where it is longer than folders may go deep:
 * such folders are from a time when the trash let them grow, and one of those above has to go further up before they are found.
 */
export const reachesTop = (way: readonly store.NodeRow[]): boolean =>
  way.length <= MAX_DEPTH && way.every(({ trashed_at }) => trashed_at === null);

/** A node and the folders above it, the node first; none of them is in the trash. Throws `drive_not_found`. */
export function getWay({ db }: Own, userId: string, id: string): [store.NodeRow, ...store.NodeRow[]] {
  const way = store.listWay(db, userId, id);
  const [node, ...above] = way;
  if (node === undefined || !reachesTop(way)) throw fail("drive_not_found");
  return [node, ...above];
}

/** A folder and those above it, itself first; none at the top. Throws `drive_not_found`. */
export function getFolders(own: Own, userId: string, id: string | null): store.NodeRow[] {
  if (id === null) return [];
  const way = getWay(own, userId, id);
  if (way[0].is_file === 1) throw fail("drive_not_found");
  return way;
}

/** A file that is not in the trash. Throws `drive_not_found`. */
export function getFile(own: Own, userId: string, id: string): store.NodeRow & { sha256: string } {
  const [node] = getWay(own, userId, id);
  if (node.sha256 === null) throw fail("drive_not_found");
  return { ...node, sha256: node.sha256 };
}

export function checkName(name: string): void {
  if (name === "." || name === ".." || name.includes("/"))
    throw kernelFail("invalid_request", { field: "name", reason: "must not be a dot, two dots or hold a slash" });
}

/** Files and folders share the names of a folder. Throws `drive_name_taken`. */
export function checkFree({ db }: Own, userId: string, parentId: string | null, name: string, but = ""): void {
  const found = store.findNamed(db, userId, parentId, name);
  if (found !== null && found.id !== but) throw fail("drive_name_taken", { name });
}

/** Whether one more may be made there. Throws `drive_not_found`, `drive_too_deep`, `drive_limit`, `drive_name_taken`. */
export function checkPlace(own: Own, userId: string, parentId: string | null, name: string): void {
  checkName(name);
  if (getFolders(own, userId, parentId).length >= MAX_DEPTH) throw fail("drive_too_deep", { limit: MAX_DEPTH });
  if (store.countNodes(own.db, userId) >= MAX_NODES) throw fail("drive_limit", { limit: MAX_NODES });
  checkFree(own, userId, parentId, name);
}

const cursorOf = (...parts: (string | number)[]): string => Buffer.from(parts.join(" ")).toString("base64url");

function readCursor(text: string): { number: number; rest: string } {
  const [, number = "", rest = ""] = /^(\d{1,15}) (.*)$/s.exec(Buffer.from(text, "base64url").toString()) ?? [];
  if (number === "")
    throw kernelFail("invalid_request", { field: "after", reason: "must be what the page before gave as next" });
  return { number: Number(number), rest };
}

/** One page of a folder. Throws `drive_not_found`. */
export function listFolder(own: Own, userId: string, folderId: string | null, after: string | undefined): DriveTree {
  const way = getFolders(own, userId, folderId);
  const from = after === undefined ? { number: 0, rest: "" } : readCursor(after);
  const place = { isFile: from.number, name: from.rest, limit: PAGE + 1 };
  const rows = store.listChildren(own.db, userId, folderId, place);
  const nodes = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? nodes.at(-1) : undefined;
  return {
    path: way.map(({ id, name }) => ({ id, name })).toReversed(),
    nodes: nodes.map(present),
    next: last === undefined ? null : cursorOf(last.is_file, last.name),
  };
}

/** When something new was made and changed. */
export const since = (at: number) => ({ created_at: at, changed_at: at, starred_at: null });

/** Makes a folder. Throws what `checkPlace` throws. */
export function makeFolder(own: Own, by: By, { name, parent_id: parentId, may_exist = false }: FolderInput): DriveNode {
  const { db, bus, ids, clock } = own;
  return db.tx(() => {
    if (may_exist) {
      getFolders(own, by.user_id, parentId);
      const found = store.findNamed(db, by.user_id, parentId, name);
      if (found?.is_file === 0) return present(found);
    }
    checkPlace(own, by.user_id, parentId, name);
    const row = { id: ids.next("drv"), user_id: by.user_id, parent_id: parentId, name, ...since(clock.now()) };
    const folder = { ...row, is_file: 0, sha256: null, size_bytes: 0 };
    store.insertNode(db, folder);
    bus.emit("drive.folder_created", { ...by, node_id: row.id, name });
    return present(folder);
  });
}

/** Puts a node into the trash, with all that lies in it. Throws `drive_not_found`. */
export function trashNode(own: Own, by: By, id: string): void {
  const { db, bus, clock } = own;
  db.tx(() => {
    const [node] = getWay(own, by.user_id, id);
    store.trashRow(db, id, clock.now());
    bus.emit("drive.trashed", { ...by, node_id: id, name: node.name });
  });
}

/** One page of the trash. */
export function listTrash({ db }: Own, userId: string, after: string | undefined): DriveTrash {
  const from = after === undefined ? { number: Number.MAX_SAFE_INTEGER, rest: "" } : readCursor(after);
  const rows = store.listTrash(db, userId, { at: from.number, id: from.rest, limit: PAGE + 1 });
  const nodes = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? nodes.at(-1) : undefined;
  return {
    nodes: nodes.map((row) => ({
      id: row.id,
      kind: kindOf(row),
      name: row.name,
      size_bytes: row.size_bytes,
      trashed_at: toIso(row.trashed_at ?? 0),
      purged_at: toIso((row.trashed_at ?? 0) + days(TRASH_DAYS)),
    })),
    next: last === undefined ? null : cursorOf(last.trashed_at ?? 0, last.id),
  };
}

/** What somebody put into the trash. Throws `drive_not_found`. */
export function getTrashed({ db }: Own, userId: string, id: string): store.NodeRow {
  const node = store.findNode(db, userId, id);
  if (node === null || node.trashed_at === null || node.trashed_at <= store.LEAVING) throw fail("drive_not_found");
  return node;
}
