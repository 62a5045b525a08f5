import { setImmediate } from "node:timers/promises";
import { onNobodysErrand } from "../../../lib/standing.ts";
import { fail, MAX_NODES } from "./contract.ts";
import type { Along } from "./kept.ts";
import { getWay, type Own } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";
import { walkBelow } from "./walk-below.ts";

/** What is copied in one transaction while others wait; larger folders are copied out of sight, a part at a time. */
const AT_ONCE = 500;

/** The copy of a large folder, which nobody sees yet. */
export interface LargeCopy {
  id: string;
  /** How many files and folders it has, with itself. */
  count: number;
  /** How many levels. */
  depth: number;
}

/** Rows that are read before others have their turn. */
const READ_AT_ONCE = 5_000;

/** What is kept with these and copied along takes so much; others have their turn meanwhile. */
async function sizeOf(along: Along, ids: readonly string[]): Promise<number> {
  if (ids.length < 2 || along.count(ids, READ_AT_ONCE) < READ_AT_ONCE) return along.sizeOf(ids);
  await setImmediate();
  const half = ids.length >> 1;
  return (await sizeOf(along, ids.slice(0, half))) + (await sizeOf(along, ids.slice(half)));
}

/** Things in steps that write no more rows than may be written at once, with what is copied along; one thing at least. */
function* stepsOf<T extends { row: store.NodeRow }>(part: readonly T[], along: Along): Generator<T[]> {
  let [step, rows]: [T[], number] = [[], 0];
  for (const one of part) {
    const more = 1 + along.count([one.row.id], AT_ONCE);
    if (step.length > 0 && rows + more > AT_ONCE) {
      yield step;
      [step, rows] = [[], 0];
    }
    step.push(one);
    rows += more;
  }
  if (step.length > 0) yield step;
}

/** Whether all of a folder may be copied while others wait. */
function isSmall(own: Own, node: store.NodeRow, along: Along): boolean {
  if (store.countBelow(own.db, node, AT_ONCE + 1) > AT_ONCE) return false;
  const ids = [node, ...store.listBelow(own.db, node)].map(({ id }) => id);
  return ids.length + along.count(ids, AT_ONCE) <= AT_ONCE;
}

/** Looks whether there is room for a copy of a folder and of what is kept with all in it. Throws `drive_limit`, and what `along` throws. */
async function requireRoomFor(own: Own, node: store.NodeRow, room: number, along: Along): Promise<void> {
  let count = 1;
  let bytes = along.sizeOf([node.id]);
  for await (const part of walkBelow(own.db, node, null, () => null)) {
    count += part.length;
    if (count > room) throw fail("drive_limit", { limit: MAX_NODES });
    const ids = part.map(({ row }) => row.id);
    bytes += await sizeOf(along, ids);
    along.requireRoom(bytes);
  }
}

/** Removes a copy that does not become one, also where it does not because the access of who asked for it has ended. */
function dropCopy(own: Own, { id }: LargeCopy): void {
  onNobodysErrand(() => {
    own.db.tx(() => store.trashRow(own.db, id, store.LEAVING));
    void own.clear();
  });
}

/**
 * Copies a folder in which much lies out of sight, a part at a time: it is there for nobody until it is shown, and what a program that ended
 * left of it is removed by the next. Null for what is copied at once. Throws `drive_not_found`, `drive_limit`, `drive_copying`.
 */
async function copyLarge(own: Own, by: By, id: string, along: Along): Promise<LargeCopy | null> {
  const { db, ids, clock, copying, signal } = own;
  const [node] = getWay(own, by.user_id, id);
  if (isSmall(own, node, along)) return null;
  if (copying.has(by.user_id)) throw fail("drive_copying");
  copying.add(by.user_id);
  try {
    const room = MAX_NODES - store.countNodes(db, by.user_id);
    // Before any of it is written: what does not fit would cost as much as what does, as often as somebody asks.
    await requireRoomFor(own, node, room, along);
    const at = clock.now();
    const made = { ...node, id: ids.next("drv"), parent_id: null, created_at: at };
    const copy = { id: made.id, count: 1, depth: 1 };
    await db.txAside(() => {
      store.insertNode(db, made, store.COMING);
      along.copied(node.id, made.id);
    });
    try {
      const idOf = () => ids.next("drv");
      const folders = { id: made.id, into: "" };
      for await (const part of walkBelow(db, node, folders, (_, folder) => ({ id: idOf(), into: folder.id }))) {
        signal.throwIfAborted();
        copy.count += part.length;
        if (copy.count > room) throw fail("drive_limit", { limit: MAX_NODES });
        for (const step of stepsOf(part, along))
          await db.txAside(() => {
            for (const { row, as, level } of step) {
              copy.depth = Math.max(copy.depth, level + 1);
              store.insertNode(db, { ...row, id: as.id, parent_id: as.into, created_at: at });
              along.copied(row.id, as.id);
            }
          });
      }
      return copy;
    } catch (error) {
      if (!signal.aborted) dropCopy(own, copy);
      throw error;
    }
  } finally {
    copying.delete(by.user_id);
  }
}

/**
 * Copies a folder in which much lies, and has `show` show the copy, in one transaction; where that throws, the copy goes again. `show` is
 * given null for what it is to copy itself. Throws what `show` throws, `drive_not_found`, `drive_limit`, `drive_copying`.
 */
export async function withLargeCopy<T>(
  own: Own,
  by: By,
  id: string,
  along: Along,
  show: (large: LargeCopy | null) => T,
): Promise<T> {
  const large = await copyLarge(own, by, id, along);
  try {
    return show(large);
  } catch (error) {
    if (large !== null) dropCopy(own, large);
    throw error;
  }
}
