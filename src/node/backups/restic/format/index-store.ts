/** What the index files of a repository say, and its snapshots: a small database that can be thrown away. */
import type { Database } from "bun:sqlite";
import { openDatabase } from "../../../../kernel/db/open.ts";
import type { IndexedPack, ResticSnapshot } from "./documents.ts";

/** Where a blob lies. */
export interface BlobPlace {
  pack: string;
  at: number;
  length: number;
  /** Bytes when it is unpacked; 0 where it is not packed. */
  plain: number;
}

/** An index that is open. */
export interface IndexStore {
  /** Forgets all where it is of another repository. */
  begin(repository: string): void;
  /** Names of index files that it has. */
  files(): Set<string>;
  clearIndex(): void;
  addFile(name: string, packs: Iterable<IndexedPack>): void;
  countBlobs(): number;
  find(id: string, isTree: boolean): BlobPlace | null;
  /** Those that could be read. */
  snapshotIds(): Set<string>;
  /** Forgets those that are not there any more. */
  keepSnapshots(there: ReadonlySet<string>): void;
  /** Null: it could not be read. */
  addSnapshot(id: string, snapshot: ResticSnapshot | null): void;
  snapshots(): { readable: ResticSnapshot[]; unreadable: number };
  snapshot(id: string): ResticSnapshot | null;
  close(): void;
}

function makeTables(db: Database): void {
  db.run("CREATE TABLE IF NOT EXISTS restic_of (repository TEXT PRIMARY KEY) STRICT");
  db.run("CREATE TABLE IF NOT EXISTS restic_files (name TEXT PRIMARY KEY, blobs INTEGER NOT NULL) STRICT");
  db.run("CREATE TABLE IF NOT EXISTS restic_packs (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE) STRICT");
  db.run(
    `CREATE TABLE IF NOT EXISTS restic_blobs (id BLOB NOT NULL, tree INTEGER NOT NULL, pack INTEGER NOT NULL, at INTEGER NOT NULL,
     length INTEGER NOT NULL, plain INTEGER NOT NULL, PRIMARY KEY (id, tree)) STRICT, WITHOUT ROWID`,
  );
  db.run("CREATE TABLE IF NOT EXISTS restic_snapshots (id TEXT PRIMARY KEY, snapshot TEXT) STRICT");
}

/** Opens one, or makes it. */
export function openIndexStore(path: string): IndexStore {
  const db = openDatabase(path, "normal");
  makeTables(db);

  function clearIndex(): void {
    for (const table of ["restic_files", "restic_packs", "restic_blobs"]) db.run(`DELETE FROM ${table}`);
  }

  const addFile = db.transaction((name: string, packs: Iterable<IndexedPack>) => {
    const pack = db.query<{ number: number }, [Uint8Array]>(
      "INSERT INTO restic_packs (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING number",
    );
    const blob = db.query<null, [Uint8Array, number, number, number, number, number]>(
      "INSERT OR IGNORE INTO restic_blobs VALUES (?, ?, ?, ?, ?, ?)",
    );
    let count = 0;
    for (const { id: packId, blobs } of packs) {
      const number = pack.get(Buffer.from(packId, "hex"))?.number ?? 0;
      for (const { id, isTree, at, length, plain } of blobs)
        blob.run(Buffer.from(id, "hex"), isTree ? 1 : 0, number, at, length, plain);
      count += blobs.length;
    }
    db.query("INSERT INTO restic_files VALUES (?, ?)").run(name, count);
  });

  const parse = (text: string): ResticSnapshot => JSON.parse(text);

  return {
    begin(repository) {
      const known = db.query<{ repository: string }, []>("SELECT repository FROM restic_of").get();
      if (known?.repository === repository) return;
      clearIndex();
      for (const table of ["restic_of", "restic_snapshots"]) db.run(`DELETE FROM ${table}`);
      db.query("INSERT INTO restic_of VALUES (?)").run(repository);
    },
    files: () =>
      new Set(
        db
          .query<{ name: string }, []>("SELECT name FROM restic_files")
          .all()
          .map(({ name }) => name),
      ),
    clearIndex,
    addFile,
    countBlobs: () =>
      db.query<{ count: number }, []>("SELECT coalesce(sum(blobs), 0) AS count FROM restic_files").get()?.count ?? 0,
    find(id, isTree) {
      const row = db
        .query<{ pack: Uint8Array; at: number; length: number; plain: number }, [Uint8Array, number]>(
          `SELECT restic_packs.id AS pack, at, length, plain FROM restic_blobs JOIN restic_packs ON number = pack
           WHERE restic_blobs.id = ? AND tree = ?`,
        )
        .get(Buffer.from(id, "hex"), isTree ? 1 : 0);
      return row === null ? null : { ...row, pack: Buffer.from(row.pack).toString("hex") };
    },
    snapshotIds: () =>
      new Set(
        db
          .query<{ id: string }, []>("SELECT id FROM restic_snapshots WHERE snapshot IS NOT NULL")
          .all()
          .map(({ id }) => id),
      ),
    addSnapshot(id, snapshot) {
      const text = snapshot === null ? null : JSON.stringify(snapshot);
      db.query("INSERT OR REPLACE INTO restic_snapshots VALUES (?, ?)").run(id, text);
    },
    keepSnapshots(there) {
      for (const { id } of db.query<{ id: string }, []>("SELECT id FROM restic_snapshots").all())
        if (!there.has(id)) db.query("DELETE FROM restic_snapshots WHERE id = ?").run(id);
    },
    snapshots() {
      const rows = db.query<{ snapshot: string | null }, []>("SELECT snapshot FROM restic_snapshots").all();
      const readable = rows.flatMap(({ snapshot }) => (snapshot === null ? [] : [parse(snapshot)]));
      return { readable, unreadable: rows.length - readable.length };
    },
    snapshot(id) {
      const row = db
        .query<{ snapshot: string | null }, [string]>("SELECT snapshot FROM restic_snapshots WHERE id = ?")
        .get(id);
      return row?.snapshot == null ? null : parse(row.snapshot);
    },
    close: () => db.close(),
  };
}
