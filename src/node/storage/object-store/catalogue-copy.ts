import { openForeignDatabase } from "../../../kernel/db/open-foreign.ts";
import { readIds } from "./apply-operation.ts";
import * as catalogue from "./catalogue-store.ts";
import * as copied from "./copy-store.ts";
import { isHidden } from "./layout.ts";

/** An object of a copied catalogue, with the ids of the blobs that its bytes are in, one after the other. */
export type CopiedObject = Omit<catalogue.ObjectRow, "blobs"> & { blobs: string[] };

/** A copy of a store's catalogue, which says what there was at one moment. */
export interface CatalogueCopy {
  listBuckets(): catalogue.BucketRow[];
  listSegments(): catalogue.SegmentRow[];
  /** Blobs that are files of their own, by id. */
  listFileBlobs(afterId: string, limit: number): catalogue.BlobRow[];
  findBlob(id: string): catalogue.BlobRow | null;
  findObject(bucketId: string, key: Uint8Array): CopiedObject | null;
  /** Objects of a bucket after a key, in the order of their bytes; the empty key begins. */
  listObjects(bucketId: string, afterKey: Uint8Array, limit: number): CopiedObject[];
  /** Whether all that a segment holds for somebody lies at the same place in the same segment of an earlier copy. */
  isSegmentKnown(id: number, earlier: CatalogueCopy): boolean;
  close(): void;
}

const PAGE = 1000;

/** Opens a copy to read it. Throws for a file that is none, and what `openForeignDatabase` throws. */
export function openCatalogueCopy(path: string): CatalogueCopy {
  const db = openForeignDatabase(path);
  // One that an older program made says nothing of encryption.
  const readBlob = (row: catalogue.BlobRow): catalogue.BlobRow => ({ ...row, sealed: row.sealed === 1 ? 1 : 0 });
  const findBlob = (id: string): catalogue.BlobRow | null => {
    const row = catalogue.findBlob(db, id);
    return row && readBlob(row);
  };
  const read = ({ blobs, ...row }: catalogue.ObjectRow): CopiedObject => ({ ...row, blobs: readIds(blobs) });
  return {
    // What was on its way into them is where it came from, and is brought over once more.
    listBuckets: () => catalogue.listBuckets(db).filter(({ name }) => !isHidden(name)),
    listSegments: () => catalogue.listSegments(db),
    listFileBlobs: (afterId, limit) => copied.listFileBlobs(db, afterId, limit).map(readBlob),
    findBlob,
    findObject(bucketId, key) {
      const row = catalogue.findObject(db, bucketId, key);
      return row && read(row);
    },
    listObjects: (bucketId, afterKey, limit) => copied.listWholeObjects(db, bucketId, afterKey, limit).map(read),
    isSegmentKnown(id, earlier) {
      for (let after = -1; ; ) {
        const page = copied.listBlobsFrom(db, id, after, PAGE);
        for (const blob of page.map(readBlob)) {
          const before = earlier.findBlob(blob.id);
          if (before?.segment !== id || before.position !== blob.position || before.crc !== blob.crc) return false;
          if (before.sealed !== blob.sealed) return false;
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return true;
        after = last.position;
      }
    },
    close: () => db.close(),
  };
}
