import type { PanelTx } from "../../base.ts";
import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";
import type { Service } from "./contract.ts";

/** A room of a chat; times in milliseconds. */
export interface ChannelRow {
  tenant_id: string;
  id: string;
  name: string;
  service: Service;
  sealed_url: string;
  kinds: string;
  next_at: number;
  failures: number;
  last_error: string | null;
  sent_at: number | null;
  dropped: number;
}

const COLUMNS = "tenant_id, id, name, service, sealed_url, kinds, next_at, failures, last_error, sent_at, dropped";
const WAITING = `(SELECT count(*) FROM chat_waiting w WHERE w.tenant_id = chat_channels.tenant_id
  AND w.channel_id = chat_channels.id) AS waiting`;

/** The channels of the caller's workspace. */
export function listChannels(db: TenantDb): Promise<(ChannelRow & { waiting: number })[]> {
  return db.all(`SELECT ${COLUMNS}, ${WAITING} FROM chat_channels WHERE tenant_id = :tenant ORDER BY created_at, id`);
}

export function findChannel(tx: SystemTx | SystemDb, tenantId: string, id: string): Promise<ChannelRow | null> {
  return tx.get(`SELECT ${COLUMNS} FROM chat_channels WHERE tenant_id = ? AND id = ?`, [tenantId, id]);
}

export async function countChannels(tx: SystemTx, tenantId: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM chat_channels WHERE tenant_id = ?";
  return (await tx.get<{ count: number }>(sql, [tenantId]))?.count ?? 0;
}

/** What people choose about one. */
export type Chosen = Pick<ChannelRow, "tenant_id" | "id" | "name" | "service" | "sealed_url" | "kinds">;

export async function insertChannel(tx: SystemTx, row: Chosen, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO chat_channels (tenant_id, id, name, service, sealed_url, kinds, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [row.tenant_id, row.id, row.name, row.service, row.sealed_url, row.kinds, at],
  );
}

/** Changes one; what went wrong before says nothing any more. */
export async function updateChannel(tx: SystemTx, row: Chosen): Promise<void> {
  await tx.run(
    `UPDATE chat_channels SET name = ?, service = ?, sealed_url = ?, kinds = ?, next_at = 0, failures = 0, last_error = NULL
     WHERE tenant_id = ? AND id = ?`,
    [row.name, row.service, row.sealed_url, row.kinds, row.tenant_id, row.id],
  );
}

export async function deleteChannel(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM chat_channels WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** One thing to be told. */
export interface WaitingRow {
  id: string;
  severity: string;
  title: string;
  body: string;
  link: string;
  queued_at: number;
}

/** Has every channel of the workspace that hears the kind tell of it. */
export async function insertWaiting(
  tx: PanelTx,
  tenantId: string,
  kind: string,
  { id, severity, title, body, link, queued_at }: WaitingRow,
): Promise<void> {
  await tx.run(
    `INSERT INTO chat_waiting (tenant_id, channel_id, id, severity, title, body, link, queued_at)
     SELECT c.tenant_id, c.id, ?, ?, ?, ?, ?, CAST(? AS BIGINT) FROM chat_channels c
     WHERE c.tenant_id = ${"tenant_id" in tx ? ":tenant" : "?"} AND c.kinds LIKE ?`,
    [id, severity, title, body, link, queued_at, ...("tenant_id" in tx ? [] : [tenantId]), `%"${kind}"%`],
  );
}

/** Channels for which something waits and whose time has come. */
export function listDue(db: SystemDb, now: number, limit: number): Promise<ChannelRow[]> {
  return db.all(
    `SELECT ${COLUMNS} FROM chat_channels WHERE next_at <= ? AND EXISTS (SELECT 1 FROM chat_waiting w
       WHERE w.tenant_id = chat_channels.tenant_id AND w.channel_id = chat_channels.id) ORDER BY next_at, id LIMIT ?`,
    [now, limit],
  );
}

/** What waits for a channel, the oldest first. */
export function listWaiting(db: SystemDb, { tenant_id, id }: ChannelRow, limit: number): Promise<WaitingRow[]> {
  return db.all(
    `SELECT id, severity, title, body, link, queued_at FROM chat_waiting WHERE tenant_id = ? AND channel_id = ?
     ORDER BY id LIMIT ?`,
    [tenant_id, id, limit],
  );
}

/** Forgets what was told, and nothing that was written down meanwhile. */
export async function deleteTold(
  tx: SystemTx,
  { tenant_id, id }: ChannelRow,
  told: readonly Pick<WaitingRow, "id">[],
): Promise<void> {
  const places = told.map(() => "?").join(", ");
  await tx.run(`DELETE FROM chat_waiting WHERE tenant_id = ? AND channel_id = ? AND id IN (${places})`, [
    ...[tenant_id, id],
    ...told.map((one) => one.id),
  ]);
}

/** Forgets what waited since before a time; gives how much that was. */
export function deleteLate(tx: SystemTx, { tenant_id, id }: ChannelRow, before: number): Promise<number> {
  return tx.run("DELETE FROM chat_waiting WHERE tenant_id = ? AND channel_id = ? AND queued_at < ?", [
    ...[tenant_id, id, before],
  ]);
}

export async function updateState(
  tx: SystemTx,
  { tenant_id, id, next_at, failures, last_error, sent_at, dropped }: ChannelRow,
): Promise<void> {
  await tx.run(
    `UPDATE chat_channels SET next_at = ?, failures = ?, last_error = ?, sent_at = ?, dropped = ?
     WHERE tenant_id = ? AND id = ?`,
    [next_at, failures, last_error, sent_at, dropped, tenant_id, id],
  );
}

export async function findWorkspaceName(db: SystemDb | SystemTx, tenantId: string): Promise<string> {
  const row = await db.get<{ name: string }>("SELECT name FROM tenants WHERE tenant_id = ?", [tenantId]);
  return row?.name ?? "";
}
