import type { Store } from "../../../../kernel/db/store.ts";
import type { Dumper } from "./databases.ts";

/** A row of `app_dumps`. */
export interface DumpRow {
  app_id: string;
  /** That of the volumes that the database ran on. */
  generation: number;
  /** Of the file, without the ending that says how it is compressed. */
  name: string;
  service: string;
  dumper: Dumper;
  size_bytes: number;
  sha256: string;
  made_at: string;
  /** Why there is no dump; null when there is one. */
  problem: string | null;
}

/** Dumps of one generation of an app, by name. */
export function listDumps(db: Store, appId: string, generation: number): DumpRow[] {
  const sql = "SELECT * FROM app_dumps WHERE app_id = ? AND generation = ? ORDER BY name";
  return db.raw.query<DumpRow, [string, number]>(sql).all(appId, generation);
}

export function writeDump(db: Store, row: DumpRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO app_dumps (app_id, generation, name, service, dumper, size_bytes, sha256, made_at, problem)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.app_id,
      row.generation,
      row.name,
      row.service,
      row.dumper,
      row.size_bytes,
      row.sha256,
      row.made_at,
      row.problem,
    );
}

export function deleteDumps(db: Store, appId: string, generation: number): void {
  db.raw.query("DELETE FROM app_dumps WHERE app_id = ? AND generation = ?").run(appId, generation);
}

/** Forgets the dumps of an app whose data is gone. */
export function forgetDumps(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_dumps WHERE app_id = ?").run(appId);
}
