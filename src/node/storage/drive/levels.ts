/** How many levels folders have: as deep as they may lie, and no walk up or down looks further than that or keeps everybody waiting. */
import { MAX_DEPTH } from "./contract.ts";
import { getFolders, getWay, type Own } from "./logic.ts";
import * as store from "./store.ts";
import { walkBelow } from "./walk-below.ts";

/** What is looked through while others wait. */
const AT_ONCE = 500;

/**
 * How many levels a node has with what lies in it and is not in the trash; null where that is little enough to be counted when it is needed. One
 * walk of an account at a time.
 */
export async function measureLevels(own: Own, node: store.NodeRow): Promise<number | null> {
  if (store.countBelow(own.db, node, AT_ONCE + 1) <= AT_ONCE) return null;
  return await own.measuring(node.user_id, async () => {
    let levels = 1;
    for await (const part of walkBelow(own.db, node, null, () => null)) {
      own.signal.throwIfAborted();
      levels = part.reduce((most, { level }) => Math.max(most, level + 1), levels);
    }
    return levels;
  });
}

/** Whether a node of so many levels, as `measureLevels` gave them, fits under so many folders. */
export function fits({ db }: Pick<Own, "db">, node: store.NodeRow, folders: number, levels: number | null): boolean {
  const room = MAX_DEPTH - folders;
  return room > 0 && (levels ?? store.depthBelow(db, node, room + 1)) <= room;
}

/** Whether what lies under so many folders may go under others, however deep it is: it lies no deeper there. */
export const liesNoDeeper = (above: number, folders: number): boolean => folders <= above && folders < MAX_DEPTH;

/** The levels of a node that is to go there; null also where they do not matter. Throws `drive_not_found`. */
export async function measureForMove(
  own: Own,
  userId: string,
  id: string,
  parentId: string | null,
): Promise<number | null> {
  const [node, ...above] = getWay(own, userId, id);
  const folders = getFolders(own, userId, parentId);
  return liesNoDeeper(above.length, folders.length) ? null : await measureLevels(own, node);
}
