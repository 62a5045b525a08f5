import type { Database } from "bun:sqlite";
import { readIds } from "./apply-operation.ts";
import { type BlobRow, findBlob } from "./catalogue-store.ts";
import { blobFileName, segmentFileName } from "./layout.ts";

/** A blob as whoever reads it needs it. */
export type StoredBlob = Omit<BlobRow, "record" | "refs">;

/** Where the blobs of an object lie. */
export interface Places {
  count: number;
  /** Bytes of one of them; nothing for one that is not in the catalogue. */
  sizeOf(index: number): number;
  blob(index: number): StoredBlob;
  /** What the files are called that they lie in; one may come often. */
  files(): Iterable<string>;
}

const FIELDS = 5;
const OWN_FILE = -1;

/** Looks them up, and keeps them in as little memory as that takes: an object may have ten thousand, and many may read such at once. */
export function placesOf(db: Database, blobs: string): Places {
  const ids = readIds(blobs);
  const numbers = new Float64Array(ids.length * FIELDS);
  for (const [index, id] of ids.entries()) {
    const row = findBlob(db, id);
    if (row === null) continue;
    numbers.set([row.size, row.position, row.segment ?? OWN_FILE, row.crc, row.sealed], index * FIELDS);
  }
  const numberOf = (index: number, field: number): number => numbers[index * FIELDS + field] ?? 0;
  const segmentOf = (index: number): number | null => {
    const segment = numberOf(index, 2);
    return segment === OWN_FILE ? null : segment;
  };
  const blob = (index: number): StoredBlob => ({
    id: ids[index] ?? "",
    size: numberOf(index, 0),
    position: numberOf(index, 1),
    segment: segmentOf(index),
    crc: numberOf(index, 3),
    sealed: numberOf(index, 4),
  });
  return {
    count: ids.length,
    sizeOf: (index) => numberOf(index, 0),
    blob,
    *files() {
      for (let index = 0; index < ids.length; index += 1) {
        const segment = segmentOf(index);
        yield segment === null ? blobFileName(blob(index)) : segmentFileName(segment);
      }
    },
  };
}
