import type { DriveNode } from "./contract.ts";
import { fits, measureLevels } from "./levels.ts";
import { checkFree, getTrashed, type Own, present, reachesTop } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";

/**
 * Takes a node out of the trash, to where it was, or to the top when that is gone too or has moved to where this would lie too deep. Throws
 * `drive_not_found`, `drive_name_taken`.
 */
export async function restoreNode(own: Own, by: By, id: string): Promise<DriveNode> {
  const { db, bus } = own;
  const levels = await measureLevels(own, getTrashed(own, by.user_id, id));
  return db.tx(() => {
    const node = getTrashed(own, by.user_id, id);
    const way = node.parent_id === null ? [] : store.listWay(db, by.user_id, node.parent_id);
    const parentId = reachesTop(way) && fits(own, node, way.length, levels) ? node.parent_id : null;
    checkFree(own, by.user_id, parentId, node.name);
    store.restoreRow(db, id, parentId);
    bus.emit("drive.restored", { ...by, node_id: id, name: node.name });
    return present({ ...node, parent_id: parentId });
  });
}
