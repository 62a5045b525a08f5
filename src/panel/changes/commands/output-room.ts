import type { SystemDb } from "../../data/tenant-db.ts";
import { dropSurplus, listWithOutputs } from "./output-store.ts";

/** Bytes of whole outputs that a workspace keeps, and those that come before anybody looks again how many there are. */
export const OUTPUT_ROOM = { most: 256 * 1_048_576, unseen: 16 * 1_048_576 };

/** Sees to it that the outputs of a workspace stay within their room: the oldest go. */
export interface OutputRoom {
  /** Counts bytes that were just kept, by workspace, and makes room where that is due. */
  note(kept: ReadonlyMap<string, number>): Promise<void>;
  /** Makes room in all workspaces. */
  tidy(): Promise<void>;
}

/** Makes that; what came before a restart and was not looked at yet is found by `tidy`. */
export function createOutputRoom(db: SystemDb, { most, unseen } = OUTPUT_ROOM): OutputRoom {
  const came = new Map<string, number>();
  return {
    async note(kept) {
      for (const [tenantId, bytes] of kept) {
        const sum = (came.get(tenantId) ?? 0) + bytes;
        came.set(tenantId, sum);
        if (sum < unseen) continue;
        came.delete(tenantId);
        await dropSurplus(db, tenantId, most);
      }
    },
    async tidy() {
      came.clear();
      for (const tenantId of await listWithOutputs(db)) await dropSurplus(db, tenantId, most);
    },
  };
}
