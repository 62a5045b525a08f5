import type { SystemDb, TenantDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";

/** A recording; times in milliseconds. */
export interface RecordingRow {
  id: string;
  node_id: string;
  app: string;
  member_id: string;
  who: string;
  started_at: number;
  duration_ms: number;
  bytes: number;
  chunks: number;
  chain: string;
  sealed_key: string;
  state: "open" | "whole" | "truncated";
}

const COLUMNS = "id, node_id, app, member_id, who, started_at, duration_ms, bytes, chunks, chain, sealed_key, state";
const OF_NODE = `SELECT ${COLUMNS} FROM terminal_recordings WHERE tenant_id = :tenant AND node_id = ?`;
const FIRST = `${OF_NODE} ORDER BY started_at DESC, id DESC LIMIT ?`;
const NEXT = `${OF_NODE} AND (started_at < ? OR (started_at = ? AND id < ?)) ORDER BY started_at DESC, id DESC LIMIT ?`;
const ONE = `${OF_NODE} AND id = ?`;

/** The recordings of a node, the newest first; those before `after` where that is given. */
export function listOfNode(
  db: TenantDb,
  nodeId: string,
  after: RecordingRow | null,
  limit: number,
): Promise<RecordingRow[]> {
  if (after === null) return db.all(FIRST, [nodeId, limit]);
  return db.all(NEXT, [nodeId, after.started_at, after.started_at, after.id, limit]);
}

export const findRecording = (db: TenantDb, nodeId: string, id: string): Promise<RecordingRow | null> =>
  db.get(ONE, [nodeId, id]);

/** Whether the workspace wants what is shown on terminals kept. */
export async function wantsRecordings(db: TenantQueries): Promise<boolean> {
  const row = await db.get<{ record_terminal_sessions: number }>(
    "SELECT record_terminal_sessions FROM tenants WHERE tenant_id = :tenant",
  );
  return row?.record_terminal_sessions !== 0;
}

/** What a file and its row take beside whole blocks of what is in it, so that empty ones are not for nothing. */
export const BLOCK_BYTES = 4_096;
const TAKEN = `coalesce(sum((bytes + ${BLOCK_BYTES - 1}) / ${BLOCK_BYTES} * ${BLOCK_BYTES} + ${BLOCK_BYTES}), 0)`;

/** Bytes that the recordings of the caller's workspace take on the disk. */
export async function sumBytes(db: TenantQueries): Promise<number> {
  const row = await db.get<{ bytes: number }>(
    `SELECT ${TAKEN} AS bytes FROM terminal_recordings WHERE tenant_id = :tenant`,
  );
  return Number(row?.bytes ?? 0);
}

/** Bytes that all recordings of the panel take on the disk. */
export async function sumAllBytes(db: SystemDb): Promise<number> {
  const row = await db.get<{ bytes: number }>(`SELECT ${TAKEN} AS bytes FROM terminal_recordings`);
  return Number(row?.bytes ?? 0);
}

/** How somebody is called. */
export async function findName(db: TenantQueries, memberId: string): Promise<string> {
  const row = await db.get<{ display_name: string }>(
    `SELECT a.display_name FROM members m JOIN accounts a ON a.id = m.account_id
     WHERE m.tenant_id = :tenant AND m.id = ?`,
    [memberId],
  );
  return row?.display_name ?? "";
}

export async function insertRecording(tx: TenantTx, row: RecordingRow): Promise<void> {
  await tx.run(
    `INSERT INTO terminal_recordings (tenant_id, id, node_id, app, member_id, who, started_at, sealed_key)
     VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?)`,
    [row.id, row.node_id, row.app, row.member_id, row.who, row.started_at, row.sealed_key],
  );
}

/** Notes how far one has come. */
export async function updateRecording(
  tx: TenantTx,
  id: string,
  {
    duration_ms,
    bytes,
    chunks,
    chain,
    state,
  }: Pick<RecordingRow, "duration_ms" | "bytes" | "chunks" | "chain" | "state">,
): Promise<void> {
  await tx.run(
    `UPDATE terminal_recordings SET duration_ms = ?, bytes = ?, chunks = ?, chain = ?, state = ?
     WHERE tenant_id = :tenant AND id = ?`,
    [duration_ms, bytes, chunks, chain, state, id],
  );
}

/** Those that a former run of the panel has left open end where they are. */
export async function closeLeftOpen(db: SystemDb): Promise<void> {
  await db.run("UPDATE terminal_recordings SET state = 'truncated' WHERE state = 'open'");
}

/** Recordings that began before a time. */
export function listBefore(db: SystemDb, before: number, limit: number): Promise<{ tenant_id: string; id: string }[]> {
  return db.all(
    "SELECT tenant_id, id FROM terminal_recordings WHERE started_at < ? AND state <> 'open' ORDER BY started_at LIMIT ?",
    [before, limit],
  );
}

export async function deleteRecording(db: SystemDb, tenantId: string, id: string): Promise<void> {
  await db.run("DELETE FROM terminal_recordings WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** Of some ids those that are known, in whatever workspace. */
export async function findKnown(db: SystemDb, ids: readonly string[]): Promise<Set<string>> {
  const places = ids.map(() => "?").join(", ");
  const rows = await db.all<{ id: string }>(`SELECT id FROM terminal_recordings WHERE id IN (${places})`, [...ids]);
  return new Set(rows.map(({ id }) => id));
}
