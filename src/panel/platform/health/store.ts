import type { SystemDb } from "../../data/tenant-db.ts";

/** Reads one row of what every database of ours has. Throws when the database does not answer. */
export async function askDatabase(db: SystemDb): Promise<void> {
  await db.get("SELECT feature FROM migrations LIMIT 1");
}

/** Whether the database can be changed: a PostgreSQL that only follows another one answers all the same. Throws when it does not answer. */
export async function takesChanges(db: SystemDb): Promise<boolean> {
  await askDatabase(db);
  if (db.engine === "sqlite") return true;
  const row = await db.get<{ it: string }>("SELECT current_setting('transaction_read_only') AS it");
  return row?.it !== "on";
}
