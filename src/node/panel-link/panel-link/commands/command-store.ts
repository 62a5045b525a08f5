import type { Store } from "../../../../kernel/db/store.ts";

export type CommandStatus = "queued" | "running" | "succeeded" | "failed" | "refused";

/** A row of `panel_commands`; `payload` is JSON, times in milliseconds. A command is known by its id within its membership. */
export interface CommandRow {
  membership: string;
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

type Known = Pick<CommandRow, "membership" | "id">;

export function findCommand(db: Store, { membership, id }: Known): CommandRow | null {
  const sql = "SELECT * FROM panel_commands WHERE membership = ? AND id = ?";
  return db.raw.query<CommandRow, [string, string]>(sql).get(membership, id);
}

export function insertCommand(db: Store, row: CommandRow): void {
  db.raw
    .query(
      `INSERT INTO panel_commands (membership, id, type, generation, payload, status, output, error, received_at, finished_at, is_told)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.membership,
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

/** Moves a command on, unless it is over; the panel has not heard of it then. */
export function moveCommand(
  db: Store,
  { membership, id }: Known,
  { status, output, error, finished_at }: Pick<CommandRow, "status" | "output" | "error" | "finished_at">,
): void {
  db.raw
    .query(
      `UPDATE panel_commands SET status = ?, output = ?, error = ?, finished_at = ?, is_told = 0
       WHERE membership = ? AND id = ? AND finished_at IS NULL`,
    )
    .run(status, output, error, finished_at, membership, id);
}

/** The panel asks for it again, so the answer was lost. */
export function tellAgain(db: Store, { membership, id }: Known): void {
  db.raw.query("UPDATE panel_commands SET is_told = 0 WHERE membership = ? AND id = ?").run(membership, id);
}

/** The panel has acknowledged this status. */
export function markTold(db: Store, { membership, id }: Known, status: CommandStatus): void {
  const sql = "UPDATE panel_commands SET is_told = 1 WHERE membership = ? AND id = ? AND status = ?";
  db.raw.query(sql).run(membership, id, status);
}

/** What the panel has not acknowledged yet, oldest first; queued ones have nothing to tell. */
export function listUntold(db: Store, membership: string, limit: number): CommandRow[] {
  const sql = `SELECT * FROM panel_commands WHERE is_told = 0 AND status <> 'queued' AND membership = ?
               ORDER BY received_at, rowid LIMIT ?`;
  return db.raw.query<CommandRow, [string, number]>(sql).all(membership, limit);
}

export function nextQueued(db: Store, membership: string): CommandRow | null {
  const sql = `SELECT * FROM panel_commands WHERE is_told = 0 AND status = 'queued' AND membership = ?
               ORDER BY received_at, rowid LIMIT 1`;
  return db.raw.query<CommandRow, [string]>(sql).get(membership);
}

export function countQueued(db: Store): number {
  const sql = "SELECT count(*) AS count FROM panel_commands WHERE status = 'queued'";
  return db.raw.query<{ count: number }, []>(sql).get()?.count ?? 0;
}

export function listRunningCommands(db: Store): CommandRow[] {
  return db.raw.query<CommandRow, []>("SELECT * FROM panel_commands WHERE status = 'running'").all();
}

/** What is said of a command that was under way as the node left its panel. */
export const LEFT = "The node left the panel while this was under way; how far it came is not known.";

/** The membership is over: what was not begun never will be, what is under way has failed, and nothing is told any more. */
export function endCommands(db: Store, membership: string, now: number): void {
  db.raw.query("DELETE FROM panel_commands WHERE membership = ? AND status = 'queued'").run(membership);
  db.raw
    .query(
      `UPDATE panel_commands SET status = 'failed', output = NULL, error = ?, finished_at = ?
       WHERE membership = ? AND finished_at IS NULL`,
    )
    .run(LEFT, now, membership);
  db.raw.query("UPDATE panel_commands SET is_told = 1 WHERE membership = ? AND is_told = 0").run(membership);
}

/** Commands that ended before `before` and were acknowledged, or that ended so long ago that nobody asks: `longBefore`. */
export function deleteOldCommands(db: Store, before: number, longBefore: number): void {
  db.raw
    .query("DELETE FROM panel_commands WHERE (is_told = 1 AND finished_at < ?) OR finished_at < ?")
    .run(before, longBefore);
}

/** The highest generation seen of a type; -1 before the first. */
export function findGeneration(db: Store, membership: string, type: string): number {
  const sql = "SELECT generation FROM panel_generations WHERE membership = ? AND type = ?";
  return db.raw.query<{ generation: number }, [string, string]>(sql).get(membership, type)?.generation ?? -1;
}

export function putGeneration(db: Store, membership: string, type: string, generation: number): void {
  db.raw
    .query("INSERT OR REPLACE INTO panel_generations (membership, type, generation) VALUES (?, ?, ?)")
    .run(membership, type, generation);
}
