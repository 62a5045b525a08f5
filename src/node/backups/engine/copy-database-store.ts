import { Database } from "bun:sqlite";

/** Writes a whole copy of a database that others may be using to a new file, as it is at one moment. */
export function copyDatabase(from: string, to: string): void {
  const db = new Database(from, { readonly: true });
  try {
    db.run("PRAGMA busy_timeout = 10000");
    db.query("VACUUM INTO ?").run(to);
  } finally {
    db.close();
  }
}

/**
 * What is wrong with a database file; null where nothing is. What was on its way into it is carried out, so that it has to be a copy.
 * Throws what SQLite throws for a file that is none.
 */
export function findDatabaseDamage(path: string): string | null {
  const db = new Database(path, { readwrite: true, create: false });
  try {
    // Nothing that somebody wrote into a database is run by looking at it.
    db.run("PRAGMA trusted_schema = OFF");
    const said = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get();
    return said?.integrity_check === "ok" ? null : (said?.integrity_check ?? "no answer");
  } finally {
    db.close();
  }
}
