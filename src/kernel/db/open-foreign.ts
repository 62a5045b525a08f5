import { Database } from "bun:sqlite";

/**
 * Opens a database that came from somewhere else, to read it. Whoever wrote it chose its schema too: a view is a query of theirs that runs
 * in the place of a table, and need not end; a computed column is one for each row. Throws an Error for a file that has such things or
 * is no database.
 */
export function openForeignDatabase(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  try {
    db.run("PRAGMA trusted_schema = OFF");
    if (db.query("SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND rootpage = 0 LIMIT 1").get() !== null)
      throw new Error("It has a view or a virtual table, which no backup of Orrery has.");
    const computed = db
      .query(
        `SELECT 1 FROM sqlite_schema AS made, pragma_table_xinfo(made.name) AS part
         WHERE made.type = 'table' AND part.hidden > 1 LIMIT 1`,
      )
      .get();
    if (computed !== null) throw new Error("It has a computed column, which no backup of Orrery has.");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
