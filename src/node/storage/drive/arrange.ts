import type { CopyInput, DriveNode, NodeChange } from "./contract.ts";
import { fail, MAX_DEPTH, MAX_NODES } from "./contract.ts";
import { checkFree, checkName, getFolders, getWay, type Own, present } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";

/** Whether what lies so deep below `node` fits under `parentId`, which is not in it. Throws `drive_not_found`, `drive_into_itself`, `drive_too_deep`. */
function checkUnder(own: Own, userId: string, node: store.NodeRow, parentId: string | null, isAlone = false): void {
  const folders = getFolders(own, userId, parentId);
  if (!isAlone && folders.some(({ id }) => id === node.id)) throw fail("drive_into_itself", { name: node.name });
  if (folders.length + (isAlone ? 1 : store.depthBelow(own.db, node.id)) > MAX_DEPTH)
    throw fail("drive_too_deep", { limit: MAX_DEPTH });
}

/** Renames, moves and marks a node, all or nothing. Throws `drive_not_found`, `drive_name_taken`, `drive_into_itself`, `drive_too_deep`. */
export function changeNode(own: Own, by: By, id: string, change: NodeChange): DriveNode {
  const { db, bus, clock } = own;
  return db.tx(() => {
    const [node] = getWay(own, by.user_id, id);
    const { name = node.name, parent_id = node.parent_id, starred = node.starred_at !== null } = change;
    const starred_at = starred ? (node.starred_at ?? clock.now()) : null;
    if (name !== node.name) checkName(name);
    if (parent_id !== node.parent_id) checkUnder(own, by.user_id, node, parent_id);
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
 * own, or one like it where that is taken. Throws what `changeNode` throws, and `drive_limit`.
 */
export const copyNode = (own: Own, by: By, id: string, input: CopyInput): DriveNode =>
  copyTree(own, by, id, input).made;

/**
 * As `copyNode`; `isAlone` leaves out what lies in a folder. Tells of originals the ids of their copies.
 */
export function copyTree(
  own: Own,
  by: By,
  id: string,
  { parent_id: parentId, name: asked }: CopyInput,
  isAlone = false,
): { made: DriveNode; copies: ReadonlyMap<string, string> } {
  const { db, bus, ids, clock } = own;
  return db.tx(() => {
    const [node] = getWay(own, by.user_id, id);
    const room = MAX_NODES - store.countNodes(db, by.user_id);
    // Before all of it is read: what does not fit would cost as much as what does, as often as somebody asks.
    if ((isAlone ? 1 : store.countBelow(db, id, room + 1)) > room) throw fail("drive_limit", { limit: MAX_NODES });
    checkUnder(own, by.user_id, node, parentId, isAlone);
    const name = asked ?? freeName(own, by.user_id, parentId, node.name);
    checkName(name);
    checkFree(own, by.user_id, parentId, name);
    const below = isAlone ? [] : store.listBelow(db, id, MAX_NODES);
    const at = clock.now();
    /** Of originals, the ids of their copies. */
    const copies = new Map<string, string>();
    const copyOf = (row: store.NodeRow, into: string | null, as: string): store.NodeRow => {
      const copy = { ...row, id: ids.next("drv"), parent_id: into, name: as, created_at: at, starred_at: null };
      copies.set(row.id, copy.id);
      store.insertNode(db, copy);
      return copy;
    };
    const made = copyOf(node, parentId, name);
    // Folders come before what lies in them.
    for (const row of below) copyOf(row, copies.get(row.parent_id ?? "") ?? made.id, row.name);
    bus.emit("drive.copied", { ...by, node_id: made.id, name, from: id, count: below.length + 1 });
    return { made: present(made), copies };
  });
}
