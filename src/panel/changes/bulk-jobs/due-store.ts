import { rowsSource } from "../../../kernel/sql/rows-source.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { CommandKey } from "../commands/index.ts";

/** Which job. */
export interface JobKey {
  tenant_id: string;
  id: string;
}

/** Where nothing stands before. */
export const FIRST: JobKey = { tenant_id: "", id: "" };

/**
 * Jobs with nodes that nothing was begun on yet, of all workspaces that are not suspended and in the order of these: at most `limit` of those
 * after one.
 */
export function listUnbegun(db: SystemDb, after: JobKey, limit: number): Promise<JobKey[]> {
  return db.all(
    `SELECT tenant_id, id FROM bulk_jobs job WHERE status = 'running' AND next_no < total AND (tenant_id, id) > (?, ?)
     AND NOT EXISTS (SELECT 1 FROM tenants t WHERE t.tenant_id = job.tenant_id AND t.status = 'suspended')
     ORDER BY tenant_id, id LIMIT ?`,
    [after.tenant_id, after.id, limit],
  );
}

/** Makes the function that gives the jobs which wait for any of these commands. */
export function waitingFinder(
  engine: SystemDb["engine"],
): (db: SystemDb, commands: readonly Pick<CommandKey, "tenant_id" | "id">[]) => Promise<JobKey[]> {
  const ended = rowsSource(engine, [
    ["tenant_id", "text"],
    ["id", "text"],
  ]);
  const sql = `SELECT DISTINCT i.tenant_id, i.job_id AS id FROM (${ended.sql}) AS ended CROSS JOIN bulk_items i
    WHERE i.tenant_id = ended.tenant_id AND i.command_id = ended.id AND i.status = 'sent'`;
  return (db, commands) => db.all(sql, ended.bind(commands.map(({ tenant_id, id }) => [tenant_id, id])));
}

/** A node that was told. */
export interface ToldItem extends JobKey {
  no: number;
  /** 1 once what it was told is over. */
  is_over: number;
}

/** Before all of them. */
export const FIRST_TOLD: ToldItem = { ...FIRST, no: -1, is_over: 0 };

/** Nodes of all jobs that were told and whose answer is not taken over yet: at most `limit` of those after one. */
export function listTold(db: SystemDb, after: ToldItem, limit: number): Promise<ToldItem[]> {
  return db.all(
    `SELECT i.tenant_id, i.job_id AS id, i.no, CASE WHEN c.finished_at IS NULL THEN 0 ELSE 1 END AS is_over FROM bulk_items i
     LEFT JOIN commands c ON c.tenant_id = i.tenant_id AND c.id = i.command_id
     WHERE i.status = 'sent' AND (i.tenant_id, i.job_id, i.no) > (?, ?, ?) ORDER BY i.tenant_id, i.job_id, i.no LIMIT ?`,
    [after.tenant_id, after.id, after.no, limit],
  );
}
