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
