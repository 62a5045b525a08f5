import { DRIVE_BUCKET } from "../objects/index.ts";
import type { RunWork } from "./run.ts";
import * as store from "./store.ts";

const STEP = 500;

/**
 * Removes what was copied and nobody sees. Contents of the Drive stay: they are files of people, here as much as there. Cut off, it
 * is done again at the next start.
 */
export async function dropCopies({ db, objectStore, signal }: Pick<RunWork, "db" | "objectStore" | "signal">) {
  const hidden = new Set(objectStore.listHidden().map(({ id }) => id));
  for (const { name, bucket_id: bucketId } of store.listBuckets(db)) {
    if (name === DRIVE_BUCKET) continue;
    while (hidden.has(bucketId) && !signal.aborted) {
      const rows = objectStore.listWhole(bucketId, new Uint8Array(), STEP);
      if (rows.length === 0) break;
      await Promise.all(rows.map(({ key }) => objectStore.change({ kind: "remove", bucketId, key, when: {} })));
    }
    if (signal.aborted) return;
    if (hidden.has(bucketId)) await objectStore.change({ kind: "removeBucket", id: bucketId });
    db.tx(() => store.deleteBucket(db, name));
  }
}
