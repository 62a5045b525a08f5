import type { SystemDb } from "../../data/tenant-db.ts";
import { dropOldest, listSizes } from "./output-store.ts";

/**
 * Bytes of whole outputs that a workspace keeps, those that all of them keep together, and those that come before anybody looks again how
 * many there are.
 */
export const OUTPUT_ROOM = { most: 256 * 1_048_576, all: 4096 * 1_048_576, unseen: 16 * 1_048_576 };

/** Sees to it that outputs stay within their room: the oldest of a workspace go, and of all workspaces those of the largest. */
export interface OutputRoom {
  /** Counts bytes that were just kept, and makes room where that is due. */
  note(bytes: number): Promise<void>;
  /** Makes room. */
  tidy(): Promise<void>;
}

/** Makes that; what came before a restart and was not looked at yet is found by `tidy`. */
export function createOutputRoom(db: SystemDb, { most, all, unseen } = OUTPUT_ROOM): OutputRoom {
  let came = 0;

  async function tidy(): Promise<void> {
    came = 0;
    const sizes = await listSizes(db);
    const share = Math.min(most, shareOf([...sizes.values()], all));
    for (const [tenantId, bytes] of sizes) if (bytes > share) await dropOldest(db, tenantId, bytes - share);
  }

  return {
    async note(bytes) {
      came += bytes;
      if (came >= unseen) await tidy();
    },
    tidy,
  };
}

/** The most that each may have so that all of `sizes` have `room` together: whoever has less leaves the rest to the others. */
function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  for (const [no, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - no));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
