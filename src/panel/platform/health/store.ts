import type { SystemDb } from "../../data/tenant-db.ts";

/** Reads one row of what every database of ours has. Throws when the database does not answer. */
export async function askDatabase(db: SystemDb): Promise<void> {
  await db.get("SELECT feature FROM migrations LIMIT 1");
}
