/** Where in a stream of blobs each of them is: a small database that is a part of the backup beside the stream. */
import { Database } from "bun:sqlite";
import { openForeignDatabase } from "../../../kernel/db/open-foreign.ts";

/** A blob of a stream: its chunks are numbered from the stream's first one on. */
export interface IndexedBlob {
  id: string;
  size: number;
  /** The number of its first chunk. */
  first: number;
  chunks: number;
}

/** An index that is open. */
export interface BlobIndex {
  /** Keeps some together. */
  add(blobs: readonly IndexedBlob[]): void;
  find(id: string): IndexedBlob | null;
  close(): void;
}

/** Makes an index in a new file. */
export function makeBlobIndex(path: string): BlobIndex {
  const db = new Database(path, { create: true, strict: true });
  // It is read only when all of it was written; what a crash leaves of it is removed.
  db.run("PRAGMA journal_mode = OFF");
  db.run("PRAGMA synchronous = OFF");
  db.run(
    `CREATE TABLE stream_files (id TEXT PRIMARY KEY, size INTEGER NOT NULL, first INTEGER NOT NULL, chunks INTEGER NOT NULL)
     STRICT, WITHOUT ROWID`,
  );
  return use(db);
}

/** Opens one to read it. */
export const openBlobIndex = (path: string): BlobIndex => use(openForeignDatabase(path));

function use(db: Database): BlobIndex {
  const insert = (blobs: readonly IndexedBlob[]) => {
    const row = db.query<null, [string, number, number, number]>("INSERT INTO stream_files VALUES (?, ?, ?, ?)");
    for (const { id, size, first, chunks } of blobs) row.run(id, size, first, chunks);
  };
  return {
    add: db.transaction(insert),
    find: (id) => db.query<IndexedBlob, [string]>("SELECT * FROM stream_files WHERE id = ?").get(id),
    close: () => db.close(),
  };
}
