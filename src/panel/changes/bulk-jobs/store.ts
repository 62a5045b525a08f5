import { type RowsSource, rowsSource } from "../../../kernel/sql/rows-source.ts";
import type { NameSource } from "../../base.ts";
import type { SystemDb, SystemTx, TenantDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";
import type { JobStatus, Kind } from "./contract.ts";

/** A job as it is stored. Times in milliseconds; `target`, `params` and `plan` are JSON. */
export interface JobRow {
  tenant_id: string;
  id: string;
  kind: Kind;
  target: string;
  params: string;
  plan: string;
  status: JobStatus;
  total: number;
  next_no: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  ends_at: number;
  finished_at: number | null;
  idempotency_key: string | null;
  asked_digest: string;
}

/** With the name and the address of whoever began it; null when they are gone. */
export interface NamedJobRow extends JobRow {
  created_by_name: string | null;
  created_by_email: string | null;
}

const COLUMNS = `tenant_id, id, kind, target, params, plan, status, total, next_no, succeeded, failed, cancelled, created_by,
  created_at, updated_at, ends_at, finished_at, idempotency_key, asked_digest`;

const EMAIL = `SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id
  WHERE m.tenant_id = :tenant AND m.id = job.created_by`;
const named = ([members]: readonly NameSource[]): string =>
  `SELECT ${COLUMNS}, ${members ? `(${members.select("job.created_by")})` : "NULL"} AS created_by_name,
   (${EMAIL}) AS created_by_email FROM bulk_jobs job WHERE tenant_id = :tenant`;

/** Jobs of the workspace, the newest first; filters null for all. */
export function listJobs(
  db: TenantDb,
  members: readonly NameSource[],
  { kind, status, limit, offset }: { kind: Kind | null; status: JobStatus | null; limit: number; offset: number },
): Promise<NamedJobRow[]> {
  const conditions: [string, string | null][] = [
    ["kind = ?", kind],
    ["status = ?", status],
  ];
  const used = conditions.filter(([, value]) => value !== null);
  const where = used.map(([text]) => ` AND ${text}`).join("");
  const values = [...used.map(([, value]) => value), limit, offset];
  return db.all(`${named(members)}${where} ORDER BY id DESC LIMIT ? OFFSET ?`, values);
}

/** What the newest jobs of the workspace do, at most `limit`. */
export function listForSearch(
  db: TenantDb,
  limit: number,
): Promise<Pick<JobRow, "id" | "kind" | "params" | "status" | "total">[]> {
  return db.all(
    "SELECT id, kind, params, status, total FROM bulk_jobs WHERE tenant_id = :tenant ORDER BY id DESC LIMIT ?",
    [limit],
  );
}

export function findJob(db: TenantQueries, members: readonly NameSource[], id: string): Promise<NamedJobRow | null> {
  return db.get(`${named(members)} AND id = ?`, [id]);
}

/** The job that was begun with a key. */
export function findByKey(tx: TenantTx, key: string): Promise<Pick<JobRow, "id" | "asked_digest"> | null> {
  return tx.get("SELECT id, asked_digest FROM bulk_jobs WHERE tenant_id = :tenant AND idempotency_key = ?", [key]);
}

export async function countOpen(tx: TenantTx): Promise<number> {
  const sql = "SELECT count(*) AS count FROM bulk_jobs WHERE tenant_id = :tenant AND finished_at IS NULL";
  return Number((await tx.get<{ count: number }>(sql))?.count ?? 0);
}

export async function insertJob(tx: TenantTx, row: Omit<JobRow, "tenant_id">): Promise<void> {
  await tx.run(
    `INSERT INTO bulk_jobs (${COLUMNS}) VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[row.id, row.kind, row.target, row.params, row.plan, row.status, row.total, row.next_no, row.succeeded],
      ...[row.failed, row.cancelled, row.created_by, row.created_at, row.updated_at, row.ends_at, row.finished_at],
      ...[row.idempotency_key, row.asked_digest],
    ],
  );
}

/** A job that is not over, held still until the transaction ends; null when it is over or gone. */
export function lockOpen(tx: SystemTx, tenantId: string, id: string): Promise<JobRow | null> {
  return tx.get(
    `UPDATE bulk_jobs SET id = id WHERE tenant_id = ? AND id = ? AND finished_at IS NULL RETURNING ${COLUMNS}`,
    [tenantId, id],
  );
}

/** Keeps how far a job has come. */
export async function updateJob(
  tx: SystemTx,
  { tenant_id, id, status, next_no, succeeded, failed, cancelled, updated_at, finished_at }: JobRow,
): Promise<void> {
  await tx.run(
    `UPDATE bulk_jobs SET status = ?, next_no = ?, succeeded = ?, failed = ?, cancelled = ?, updated_at = ?, finished_at = ?
     WHERE tenant_id = ? AND id = ?`,
    [status, next_no, succeeded, failed, cancelled, updated_at, finished_at, tenant_id, id],
  );
}

/** One node of a job as it is stored. */
export interface ItemRow {
  no: number;
  node_id: string;
  hostname: string;
  status: "queued" | "sent" | "succeeded" | "failed" | "cancelled";
  command_id: string | null;
  /** The beginning of it when it is long. */
  output: string | null;
  is_output_cut: number;
  error: string | null;
  started_at: number | null;
  finished_at: number | null;
}

/** With what is known of its command while that is under way, and whether it said something. */
export interface FollowedItemRow extends Omit<ItemRow, "output" | "is_output_cut"> {
  command_status: string | null;
  has_output: number;
}

/** What the node of an item said. */
export type SaidRow = Pick<ItemRow, "no" | "output" | "is_output_cut">;

/** Characters of an error that an item keeps: jobs are told with all of their nodes. */
const ERROR_MAX = 200;

/** The order in which people look at what became of nodes. */
export const RANKS = { failed: 0, sent: 1, queued: 2, cancelled: 3, succeeded: 4 } as const satisfies Record<
  ItemRow["status"],
  number
>;
const RANK = `CASE i.status ${Object.entries(RANKS)
  .map(([status, rank]) => `WHEN '${status}' THEN ${rank}`)
  .join(" ")} END`;

/** The nodes of a job by their number, at most `limit` of those after `afterNo`. */
export function listItems(db: TenantDb, jobId: string, afterNo: number, limit: number): Promise<FollowedItemRow[]> {
  return db.all(
    `SELECT i.no, i.node_id, i.hostname, i.status, i.command_id, i.error, i.started_at, i.finished_at,
       CASE WHEN i.output <> '' THEN 1 ELSE 0 END AS has_output, c.status AS command_status FROM bulk_items i
     LEFT JOIN commands c ON i.status = 'sent' AND c.tenant_id = i.tenant_id AND c.id = i.command_id
     WHERE i.tenant_id = :tenant AND i.job_id = ? AND i.no > ? ORDER BY i.no LIMIT ?`,
    [jobId, afterNo, limit],
  );
}

/** What the first nodes of a job that said something said, in the order in which people look. */
export function listSaid(db: TenantDb, jobId: string, limit: number): Promise<SaidRow[]> {
  return db.all(
    `SELECT i.no, i.output, i.is_output_cut FROM bulk_items i
     WHERE i.tenant_id = :tenant AND i.job_id = ? AND i.output <> '' ORDER BY ${RANK}, i.no LIMIT ?`,
    [jobId, limit],
  );
}

/** The next nodes that nothing was done to yet. */
export function listNext(
  tx: SystemTx,
  { tenant_id, id, next_no }: Pick<JobRow, "tenant_id" | "id" | "next_no">,
  limit: number,
): Promise<Pick<ItemRow, "no" | "node_id">[]> {
  return tx.all(
    "SELECT no, node_id FROM bulk_items WHERE tenant_id = ? AND job_id = ? AND no >= ? ORDER BY no LIMIT ?",
    [tenant_id, id, next_no, limit],
  );
}

/** What became of a node. */
export type Result = Pick<ItemRow, "no" | "status" | "command_id" | "error">;

/** Writes many items at once. */
export interface ItemWriter {
  insert(tx: TenantTx, jobId: string, items: readonly Pick<ItemRow, "no" | "node_id" | "hostname">[]): Promise<void>;
  update(tx: SystemTx, job: Pick<JobRow, "tenant_id" | "id">, results: readonly Result[], at: number): Promise<void>;
}

export function itemWriter(engine: SystemDb["engine"]): ItemWriter {
  const fresh: RowsSource = rowsSource(engine, [
    ["no", "integer"],
    ["node_id", "text"],
    ["hostname", "text"],
  ]);
  const told = rowsSource(engine, [
    ["no", "integer"],
    ["status", "text"],
    ["command_id", "text"],
    ["error", "text"],
  ]);
  const insertSql = `INSERT INTO bulk_items (tenant_id, job_id, no, node_id, hostname, status)
    SELECT :tenant, CAST(? AS TEXT), no, node_id, hostname, 'queued' FROM (${fresh.sql}) AS given`;
  const updateSql = `UPDATE bulk_items SET status = told.status, command_id = told.command_id, error = told.error,
    started_at = CAST(? AS BIGINT), finished_at = CASE WHEN told.status = 'sent' THEN NULL ELSE CAST(? AS BIGINT) END
    FROM (${told.sql}) AS told WHERE bulk_items.tenant_id = ? AND bulk_items.job_id = ? AND bulk_items.no = told.no`;
  return {
    async insert(tx, jobId, items) {
      const rows = items.map(({ no, node_id, hostname }) => [no, node_id, hostname]);
      await tx.run(insertSql, [jobId, ...fresh.bind(rows)]);
    },
    async update(tx, { tenant_id, id }, results, at) {
      if (results.length === 0) return;
      const rows = results.map(({ no, status, command_id, error }) => [no, status, command_id, error]);
      await tx.run(updateSql, [at, at, ...told.bind(rows), tenant_id, id]);
    },
  };
}

/** Takes over what became of the commands of a job, of at most `limit` of them; gives how each ended. */
export function settleItems(
  tx: SystemTx,
  { tenant_id, id }: Pick<JobRow, "tenant_id" | "id">,
  limit: number,
): Promise<{ status: "succeeded" | "failed" | "cancelled" }[]> {
  const over = `SELECT i.no FROM bulk_items i JOIN commands o ON o.tenant_id = i.tenant_id AND o.id = i.command_id
    WHERE i.tenant_id = ? AND i.job_id = ? AND i.status = 'sent' AND o.finished_at IS NOT NULL ORDER BY i.no LIMIT ?`;
  return tx.all(
    `UPDATE bulk_items SET status = CASE c.status WHEN 'succeeded' THEN 'succeeded' WHEN 'cancelled' THEN 'cancelled' ELSE 'failed' END,
       output = c.output, is_output_cut = c.is_output_cut,
       error = CASE WHEN length(c.error) > ${ERROR_MAX} THEN substr(c.error, 1, ${ERROR_MAX - 1}) || '…' ELSE c.error END, started_at = coalesce(c.sent_at, bulk_items.started_at), finished_at = c.finished_at
     FROM commands c WHERE bulk_items.tenant_id = ? AND bulk_items.job_id = ? AND bulk_items.status = 'sent'
       AND bulk_items.no IN (${over})
       AND c.tenant_id = bulk_items.tenant_id AND c.id = bulk_items.command_id AND c.finished_at IS NOT NULL
     RETURNING bulk_items.status AS status`,
    [tenant_id, id, tenant_id, id, limit],
  );
}

/** Ends what nothing was done to yet; gives how many that were. */
export function cancelQueued(
  tx: SystemTx,
  { tenant_id, id }: Pick<JobRow, "tenant_id" | "id">,
  at: number,
): Promise<number> {
  return tx.run(
    `UPDATE bulk_items SET status = 'cancelled', finished_at = ? WHERE tenant_id = ? AND job_id = ? AND status = 'queued'`,
    [at, tenant_id, id],
  );
}

/** The commands of a job that are not over, as far as it knows. */
export async function listCommandIds(
  tx: SystemTx,
  { tenant_id, id }: Pick<JobRow, "tenant_id" | "id">,
): Promise<string[]> {
  const rows = await tx.all<{ command_id: string }>(
    "SELECT command_id FROM bulk_items WHERE tenant_id = ? AND job_id = ? AND status = 'sent' AND command_id IS NOT NULL",
    [tenant_id, id],
  );
  return rows.map(({ command_id }) => command_id);
}
