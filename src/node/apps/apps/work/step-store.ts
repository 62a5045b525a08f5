import type { Store } from "../../../../kernel/db/store.ts";

/** One entry of an app's journal of work. */
export interface StepRow {
  seq: number;
  step: string;
  status: "running" | "done" | "failed";
  /** JSON that later steps need. */
  data: string | null;
}

export function listSteps(db: Store, opId: string): StepRow[] {
  const sql = "SELECT seq, step, status, data FROM app_steps WHERE op_id = ? ORDER BY seq";
  return db.raw.query<StepRow, [string]>(sql).all(opId);
}

/** Notes what is about to be done, is done or failed; `seq` is the step's place in the plan. */
export function writeStep(db: Store, opId: string, appId: string, row: StepRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO app_steps (op_id, seq, app_id, step, status, data) VALUES (?, ?, ?, ?, ?, ?)")
    .run(opId, row.seq, appId, row.step, row.status, row.data);
}

/** Journals of finished work are of no use. */
export function deleteSteps(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_steps WHERE app_id = ?").run(appId);
}
