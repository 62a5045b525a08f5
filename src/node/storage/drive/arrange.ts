import type { CopyInput, DriveNode, NodeChange } from "./contract.ts";
import { fail, MAX_DEPTH, MAX_NODES } from "./contract.ts";
import { type LargeCopy, withLargeCopy } from "./copy-large.ts";
import { type Along, NOTHING_ALONG } from "./kept.ts";
import { fits, liesNoDeeper, measureForMove } from "./levels.ts";
import { checkFree, checkName, getFolders, getWay, type Own, present } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";

/** The folders that a node would lie in there, none of which is itself. Throws `drive_not_found`, `drive_into_itself`. */
function foldersOver(own: Own, userId: string, node: store.NodeRow, parentId: string | null): store.NodeRow[] {
  const folders = getFolders(own, userId, parentId);
  if (folders.some(({ id }) => id === node.id)) throw fail("drive_into_itself", { name: node.name });
  return folders;
}

const tooDeep = () => fail("drive_too_deep", { limit: MAX_DEPTH });

/** Renames, moves and marks a node, all or nothing. Throws `drive_not_found`, `drive_name_taken`, `drive_into_itself`, `drive_too_deep`. */
export async function changeNode(own: Own, by: By, id: string, change: NodeChange): Promise<DriveNode> {
  const { parent_id } = change;
  const levels = parent_id === undefined ? null : await measureForMove(own, by.user_id, id, parent_id);
  return changeMeasured(own, by, id, change, levels);
}

/** As `changeNode`, in the transaction of whoever asks, of a node that has so many levels by `measureForMove`. */
export function changeMeasured(own: Own, by: By, id: string, change: NodeChange, levels: number | null): DriveNode {
  const { db, bus, clock } = own;
  return db.tx(() => {
    const [node, ...above] = getWay(own, by.user_id, id);
    const { name = node.name, parent_id = node.parent_id, starred = node.starred_at !== null } = change;
    const starred_at = starred ? (node.starred_at ?? clock.now()) : null;
    if (name !== node.name) checkName(name);
    if (parent_id !== node.parent_id) {
      const folders = foldersOver(own, by.user_id, node, parent_id).length;
      if (!liesNoDeeper(above.length, folders) && !fits(own, node, folders, levels)) throw tooDeep();
    }
    checkFree(own, by.user_id, parent_id, name, id);
    store.placeRow(db, id, { name, parentId: parent_id, starredAt: starred_at });
    if (name !== node.name) bus.emit("drive.renamed", { ...by, node_id: id, name, from: node.name });
    if (parent_id !== node.parent_id) bus.emit("drive.moved", { ...by, node_id: id, name, parent_id });
    return present({ ...node, name, parent_id, starred_at });
  });
}

/** A name like this one that is free there: `plan (2).pdf`. Throws `drive_name_taken`. */
function freeName({ db }: Own, userId: string, parentId: string | null, name: string): string {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let count = 1; count < 100; count += 1) {
    const tail = count === 1 ? end : ` (${count})${end}`;
    const tried = `${[...stem].slice(0, 255 - tail.length).join("")}${tail}`;
    if (tried.length <= 255 && store.findNamed(db, userId, parentId, tried) === null) return tried;
  }
  throw fail("drive_name_taken", { name });
}

/**
 * Copies a node with all that lies in it; contents are not stored again, and versions stay with the original. Without a name it has its
 * own, or one like it where that is taken. All of it is there at once, however long it takes. Throws what `changeNode` throws, `drive_limit`,
 * `drive_copying`.
 */
export async function copyNode(own: Own, by: By, id: string, input: CopyInput): Promise<DriveNode> {
  // What is refused in the end is refused before it takes its time.
  const [node] = getWay(own, by.user_id, id);
  placeOfCopy(own, by, node, input, 0);
  return await withLargeCopy(own, by, id, NOTHING_ALONG, (large) => copyTree(own, by, id, input, { large }));
}

/**
 * The name that a copy of so many levels gets; null for as many as there are. A folder without what lies in it, which has 1, may go into itself.
 * Throws what a place may be refused for.
 */
function placeOfCopy(
  own: Own,
  by: By,
  node: store.NodeRow,
  { parent_id: parentId, name: asked }: CopyInput,
  depth: number | null,
): string {
  const folders = depth === 1 ? getFolders(own, by.user_id, parentId) : foldersOver(own, by.user_id, node, parentId);
  if (!fits(own, node, folders.length, depth)) throw tooDeep();
  const name = asked ?? freeName(own, by.user_id, parentId, node.name);
  checkName(name);
  checkFree(own, by.user_id, parentId, name);
  return name;
}

/** How a node is copied. */
export interface CopyWay {
  /** What was copied already of a folder in which much lies, to be shown; without it, all is copied now. */
  large?: LargeCopy | null;
  /** A folder is copied without what lies in it. */
  isAlone?: boolean;
  along?: Along;
}

/** As `copyNode`, in the transaction of whoever asks. */
export function copyTree(
  own: Own,
  by: By,
  id: string,
  input: CopyInput,
  { large = null, isAlone = false, along = NOTHING_ALONG }: CopyWay,
): DriveNode {
  const { db, bus } = own;
  return db.tx(() => {
    const [node] = getWay(own, by.user_id, id);
    const made = large === null ? copyAll(own, by, node, input, isAlone, along) : show(own, by, node, input, large);
    bus.emit("drive.copied", { ...by, node_id: made.id, name: made.name, from: id, count: made.count });
    return present(made);
  });
}

type Made = store.NodeRow & { count: number };

/** Shows a copy that is whole. */
function show(own: Own, by: By, node: store.NodeRow, input: CopyInput, { id, count, depth }: LargeCopy): Made {
  const name = placeOfCopy(own, by, node, input, depth);
  store.revealRow(own.db, id, input.parent_id, name);
  const made = store.findNode(own.db, by.user_id, id);
  // The account may have gone meanwhile, and all that it had.
  if (made === null) throw fail("drive_not_found");
  return { ...made, count };
}

/** Copies what is little enough for everybody to wait. */
function copyAll(own: Own, by: By, node: store.NodeRow, input: CopyInput, isAlone: boolean, along: Along): Made {
  const { db, ids, clock } = own;
  const room = MAX_NODES - store.countNodes(db, by.user_id);
  if ((isAlone ? 1 : store.countBelow(db, node, room + 1)) > room) throw fail("drive_limit", { limit: MAX_NODES });
  const name = placeOfCopy(own, by, node, input, isAlone ? 1 : null);
  const below = isAlone ? [] : store.listBelow(db, node);
  along.requireRoom(along.sizeOf([node, ...below].map((row) => row.id)));
  const at = clock.now();
  /** Of originals, the ids of their copies. */
  const copies = new Map<string, string>();
  const copyOf = (row: store.NodeRow, into: string | null, as: string): store.NodeRow => {
    const copy = { ...row, id: ids.next("drv"), parent_id: into, name: as, created_at: at, starred_at: null };
    copies.set(row.id, copy.id);
    store.insertNode(db, copy);
    along.copied(row.id, copy.id);
    return copy;
  };
  const made = copyOf(node, input.parent_id, name);
  // Folders come before what lies in them.
  for (const row of below) copyOf(row, copies.get(row.parent_id ?? "") ?? made.id, row.name);
  return { ...made, count: below.length + 1 };
}
