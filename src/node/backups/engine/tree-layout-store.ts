/** Where in the archive of a folder everything stood when it was last stored: it says what need not be read again. It can be thrown away. */
import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";

/** Between which bytes of the archive an entry stood. */
export interface PlacedEntry {
  at: number;
  end: number;
}

/** A chunk of the archive. */
export interface PlacedChunk {
  at: number;
  length: number;
  id: string;
}

/** A layout that is being written. */
export interface LayoutWriter {
  /** `mark` is what tells whether it changed; empty where nothing can. */
  addEntry(name: Uint8Array, mark: string, place: PlacedEntry): void;
  addChunk(chunk: PlacedChunk): void;
  /** From here on it can be read. */
  end(): void;
  /** Lets go of it, also of one that was not written to its end. */
  close(): void;
}

/** One that is read. */
export interface Layout {
  /** Where an entry stood that has not changed since; null for any other. */
  find(name: Uint8Array, mark: string): PlacedEntry | null;
  /** The chunk that began there. */
  chunkAt(at: number): PlacedChunk | null;
  close(): void;
}

const MADE = "PRAGMA user_version = 1";

/** Makes one in a new file; what is there goes. */
export function makeLayout(path: string): LayoutWriter {
  rmSync(path, { force: true });
  const db = new Database(path, { create: true, strict: true });
  // Nobody relies on one that was not written to its end.
  db.run("PRAGMA journal_mode = OFF");
  db.run("PRAGMA synchronous = OFF");
  db.run(
    "CREATE TABLE entries (name BLOB PRIMARY KEY, mark TEXT NOT NULL, at INTEGER NOT NULL, end INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  );
  db.run("CREATE TABLE chunks (at INTEGER PRIMARY KEY, length INTEGER NOT NULL, id TEXT NOT NULL) STRICT");
  db.run("BEGIN");
  const entry = db.query<null, [Uint8Array, string, number, number]>("INSERT INTO entries VALUES (?, ?, ?, ?)");
  const chunk = db.query<null, [number, number, string]>("INSERT INTO chunks VALUES (?, ?, ?)");
  return {
    addEntry: (name, mark, { at, end }) => void entry.run(name, mark, at, end),
    addChunk: ({ at, length, id }) => void chunk.run(at, length, id),
    end() {
      db.run(MADE);
      db.run("COMMIT");
    },
    close() {
      entry.finalize();
      chunk.finalize();
      db.close(true);
    },
  };
}

/** Opens one; null where there is none, or none that can be read. */
export function openLayout(path: string): Layout | null {
  try {
    const db = new Database(path, { readonly: true, strict: true });
    const made = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
    if (made?.user_version !== 1) {
      db.close();
      return null;
    }
    const entry = db.query<PlacedEntry & { mark: string }, [Uint8Array]>(
      "SELECT mark, at, end FROM entries WHERE name = ?",
    );
    const chunk = db.query<PlacedChunk, [number]>("SELECT at, length, id FROM chunks WHERE at = ?");
    return {
      find(name, mark) {
        const found = mark === "" ? null : entry.get(name);
        return found?.mark === mark ? { at: found.at, end: found.end } : null;
      },
      chunkAt: (at) => chunk.get(at),
      close: () => db.close(),
    };
  } catch {
    return null;
  }
}
