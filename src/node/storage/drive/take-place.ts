import type { DriveNode } from "./contract.ts";
import { getFile, type Own } from "./logic.ts";
import type { By } from "./needs.ts";
import { deleteNode } from "./store.ts";
import { giveVersions } from "./version-store.ts";
import { replaceContent } from "./versions.ts";

/** Gives a file the content of another one; what it held becomes a version. Throws `drive_not_found`. */
export const copyOver = (own: Own, by: By, id: string, targetId: string): DriveNode =>
  own.db.tx(() => {
    const { sha256, size_bytes: size } = getFile(own, by.user_id, id);
    return replaceContent(own, by, getFile(own, by.user_id, targetId), { sha256, size });
  });

/**
 * Moves a file over another one, as programs do that write beside a file and then put it in its place: the file stays the same one, with
 * its links and what it held before, and gets the other's content and versions too. Throws `drive_not_found`.
 */
export const moveOver = (own: Own, by: By, id: string, targetId: string): DriveNode =>
  own.db.tx(() => {
    const { name } = getFile(own, by.user_id, id);
    const placed = copyOver(own, by, id, targetId);
    giveVersions(own.db, id, targetId);
    deleteNode(own.db, id);
    own.bus.emit("drive.moved", { ...by, node_id: id, name, parent_id: placed.parent_id });
    return placed;
  });
