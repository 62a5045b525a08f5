import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";

/** The runtime itself keeps the last twenty; a program with hundreds of texts would prepare most of them anew each time. */
Database.MAX_QUERY_CACHE_SIZE = 400;

/**
 * Opens (or makes) a database with the settings every one of ours has. `:memory:` works.
 * `full` keeps every acknowledged write through a power cut; `normal` may lose the last ones (for series).
 */
export function openDatabase(path: string, durability: "full" | "normal" = "full"): Database {
  const db = new Database(path, { create: true, strict: true });
  // Its write-ahead log gets the same mode: sessions and settings are nobody else's business, wherever the folder lies.
  if (path !== ":memory:") chmodSync(path, 0o600);
  // busy_timeout comes first: the switch to WAL itself can meet a lock.
  db.run("PRAGMA busy_timeout = 10000");
  if (durability === "normal") makeShrinkable(db);
  db.run("PRAGMA journal_mode = WAL");
  db.run(durability === "full" ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  db.run("PRAGMA foreign_keys = ON");
  // Savepoints and sorting would otherwise make a file below /var/tmp each time, and wait for that disk.
  db.run("PRAGMA temp_store = MEMORY");
  // The system keeps the file in memory too; more of it here would be there twice.
  db.run("PRAGMA cache_size = -2000");
  // A checkpoint holds up whoever writes next. It costs by the pages that differ, and most are the same ones again and again.
  db.run("PRAGMA wal_autocheckpoint = 4000");
  db.run("PRAGMA journal_size_limit = 67108864");
  return db;
}

/** Lets a file whose rows come and go give space back in small steps; one that was made without that is rewritten once. */
function makeShrinkable(db: Database): void {
  const INCREMENTAL = 2;
  const { auto_vacuum } = db.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get() ?? { auto_vacuum: 0 };
  if (auto_vacuum === INCREMENTAL) return;
  db.run("PRAGMA auto_vacuum = INCREMENTAL");
  db.run("VACUUM");
}

/** Folds the write-ahead log into the file and closes it; a full disk keeps it from folding, not from closing. */
export function closeDatabase(db: Database): void {
  try {
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}
