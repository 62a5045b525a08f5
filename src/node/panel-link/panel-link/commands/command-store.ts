import type { Store } from "../../../../kernel/db/store.ts";

export type CommandStatus = "queued" | "running" | "succeeded" | "failed" | "refused";

/** A row of `panel_commands`; `payload` is JSON, times in milliseconds. */
export interface CommandRow {
  id: string;
  type: string;
  generation: number;
  payload: string;
  status: CommandStatus;
  output: string | null;
  error: string | null;
  received_at: number;
  finished_at: number | null;
  is_told: number;
}

export function findCommand(db: Store, id: string): CommandRow | null {
  return db.raw.query<CommandRow, [string]>("SELECT * FROM panel_commands WHERE id = ?").get(id);
}

export function insertCommand(db: Store, row: CommandRow): void {
  db.raw
    .query(
      `INSERT INTO panel_commands (id, type, generation, payload, status, output, error, received_at, finished_at, is_told)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.type,
      row.generation,
      row.payload,
      row.status,
      row.output,
      row.error,
      row.received_at,
      row.finished_at,
      row.is_told,
    );
}

/** Moves a command on; the panel has not heard of it then. */
export function moveCommand(
  db: Store,
  id: string,
  { status, output, error, finished_at }: Pick<CommandRow, "status" | "output" | "error" | "finished_at">,
): void {
  db.raw
    .query("UPDATE panel_commands SET status = ?, output = ?, error = ?, finished_at = ?, is_told = 0 WHERE id = ?")
    .run(status, output, error, finished_at, id);
}

/** The panel asks for it again, so the answer was lost. */
export function tellAgain(db: Store, id: string): void {
  db.raw.query("UPDATE panel_commands SET is_told = 0 WHERE id = ?").run(id);
}

/** The panel has acknowledged this status. */
export function markTold(db: Store, id: string, status: CommandStatus): void {
  db.raw.query("UPDATE panel_commands SET is_told = 1 WHERE id = ? AND status = ?").run(id, status);
}

/** What the panel has not acknowledged yet, oldest first; queued ones have nothing to tell. */
export function listUntold(db: Store, limit: number): CommandRow[] {
  const sql =
    "SELECT * FROM panel_commands WHERE is_told = 0 AND status <> 'queued' ORDER BY received_at, rowid LIMIT ?";
  return db.raw.query<CommandRow, [number]>(sql).all(limit);
}

export function nextQueued(db: Store): CommandRow | null {
  const sql = "SELECT * FROM panel_commands WHERE status = 'queued' ORDER BY received_at, rowid LIMIT 1";
  return db.raw.query<CommandRow, []>(sql).get();
}

export function countQueued(db: Store): number {
  const sql = "SELECT count(*) AS count FROM panel_commands WHERE status = 'queued'";
  return db.raw.query<{ count: number }, []>(sql).get()?.count ?? 0;
}

export function listRunningCommands(db: Store): CommandRow[] {
  return db.raw.query<CommandRow, []>("SELECT * FROM panel_commands WHERE status = 'running'").all();
}

/** What was not begun never will be. */
export function dropQueued(db: Store): void {
  db.raw.run("DELETE FROM panel_commands WHERE status = 'queued'");
}

/** Commands that ended before `before` and were acknowledged, or that ended so long ago that nobody asks: `longBefore`. */
export function deleteOldCommands(db: Store, before: number, longBefore: number): void {
  db.raw
    .query("DELETE FROM panel_commands WHERE (is_told = 1 AND finished_at < ?) OR finished_at < ?")
    .run(before, longBefore);
}

/** The highest generation seen of a type; -1 before the first. */
export function findGeneration(db: Store, tenantId: string, type: string): number {
  const sql = "SELECT generation FROM panel_generations WHERE tenant_id = ? AND type = ?";
  return db.raw.query<{ generation: number }, [string, string]>(sql).get(tenantId, type)?.generation ?? -1;
}

export function putGeneration(db: Store, tenantId: string, type: string, generation: number): void {
  db.raw
    .query("INSERT OR REPLACE INTO panel_generations (tenant_id, type, generation) VALUES (?, ?, ?)")
    .run(tenantId, type, generation);
}
