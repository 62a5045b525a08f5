import type { Database } from "bun:sqlite";
import * as catalogue from "./catalogue-store.ts";
import type { Operation } from "./operations.ts";
import * as uploads from "./upload-store.ts";

/** About how many rows of the catalogue a change reads and writes: an object has one for each of its parts. */
export function weighOperation(db: Database, operation: Operation): number {
  const partsAt = ({ bucketId, key }: { bucketId: string; key: Uint8Array }) => catalogue.countParts(db, bucketId, key);
  switch (operation.kind) {
    case "put":
    case "remove":
    case "setFacts":
      return 1 + partsAt(operation);
    case "copy":
      // Each is referred to, and told in the note.
      return 1 + 2 * partsAt(operation.from) + partsAt(operation);
    case "completeUpload":
      return 1 + 2 * uploads.countParts(db, operation.uploadId) + partsAt(operation.object);
    case "abortUpload":
      return 1 + uploads.countParts(db, operation.uploadId);
    case "unveilBuckets":
      return 1 + operation.buckets.length;
    case "noteCheck":
      return 1 + operation.damaged.length + operation.sound.length;
    default:
      return 1;
  }
}

/** The rows of each of the first changes, as many of them as are written in one go; of the first alone where it has more. */
export function weighFirst(db: Database, operations: readonly Operation[], most: number): number[] {
  const rows: number[] = [];
  let all = 0;
  for (const operation of operations) {
    const own = weighOperation(db, operation);
    all += own;
    if (rows.length > 0 && all > most) break;
    rows.push(own);
  }
  return rows;
}
