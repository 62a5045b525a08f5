import { DamagedBytes } from "../object-store/index.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";
import type { RoundWork } from "./compare-bucket.ts";
import { ObjectProblem, readBack } from "./copy-object.ts";
import * as store from "./store.ts";

const PAGE = 200;

/**
 * Reads every object of a bucket back from the disk, once; tells how many were not what they should be. Those are removed, so that
 * the next round brings them anew.
 */
export async function checkBucket(work: RoundWork, name: string): Promise<number> {
  const { db, objectStore, log, signal } = work;
  const bucket = store.findBucket(db, name);
  if (bucket === null || bucket.is_checked === 1) return 0;
  let bad = 0;
  let after: Uint8Array = bucket.checked_after ?? new Uint8Array();
  for (;;) {
    signal.throwIfAborted();
    await work.checkpoint?.("object-migration", "check");
    const rows = objectStore.listWhole(bucket.bucket_id, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) break;
    for (const row of rows) {
      signal.throwIfAborted();
      try {
        await readBack(work, row);
      } catch (error) {
        if (!(error instanceof ObjectProblem) && !(error instanceof DamagedBytes)) throw error;
        log.error("an object that was brought over is damaged here", { bucket: name, error });
        bad += 1;
        const when = { etag: row.etag, modifiedAt: row.modified_at };
        await objectStore.change({ kind: "remove", bucketId: bucket.bucket_id, key: row.key, when });
      }
    }
    after = new Uint8Array(last.key);
    db.tx(() => store.updateBucket(db, name, { checked_after: after }));
  }
  const isChecked = bad === 0 || name === DRIVE_BUCKET;
  db.tx(() => store.updateBucket(db, name, { checked_after: null, is_checked: isChecked ? 1 : 0 }));
  return bad;
}
