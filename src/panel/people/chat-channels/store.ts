import type { PanelTx } from "../../base.ts";
import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";
import { isLanguage } from "../../languages.ts";
import { makerMay } from "../../makers.ts";
import type { LeastSeverity, Service } from "./contract.ts";
import type { Speaker } from "./render.ts";

/** A room of a chat; times in milliseconds. */
export interface ChannelRow {
  tenant_id: string;
  id: string;
  name: string;
  service: Service;
  sealed_url: string;
  kinds: string;
  least_severity: LeastSeverity;
  next_at: number;
  failures: number;
  last_error: string | null;
  sent_at: number | null;
  dropped: number;
  /** Since when every message failed; null where the last one arrived. */
  failing_since: number | null;
  /** Since when nothing is sent there any more because of that. */
  off_at: number | null;
  /** 1 while the member who answers for it may not have it: nothing is sent, and nothing waits for it. */
  is_paused: number;
}

/** Holds for a channel whose member may have it; one without a member on record belongs to whoever may change settings. */
const IS_ALLOWED = makerMay("chat_channels", "created_by", "settings:write");
const COLUMNS = `tenant_id, id, name, service, sealed_url, kinds, least_severity, next_at, failures, last_error, sent_at, dropped,
  failing_since, off_at, CASE WHEN ${IS_ALLOWED} THEN 0 ELSE 1 END AS is_paused`;
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
export type Chosen = Pick<
  ChannelRow,
  "tenant_id" | "id" | "name" | "service" | "sealed_url" | "kinds" | "least_severity"
>;

export async function insertChannel(tx: SystemTx, row: Chosen & { created_by: string }, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO chat_channels (tenant_id, id, name, service, sealed_url, kinds, least_severity, created_at, created_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.tenant_id, row.id, row.name, row.service, row.sealed_url, row.kinds, row.least_severity, at, row.created_by],
  );
}

/** Changes one; what went wrong before says nothing any more. */
export async function updateChannel(tx: SystemTx, row: Chosen): Promise<void> {
  await tx.run(
    `UPDATE chat_channels SET name = ?, service = ?, sealed_url = ?, kinds = ?, least_severity = ?, next_at = 0, failures = 0,
     last_error = NULL, failing_since = NULL, off_at = NULL WHERE tenant_id = ? AND id = ?`,
    [row.name, row.service, row.sealed_url, row.kinds, row.least_severity, row.tenant_id, row.id],
  );
}

/** Makes a member answer for one; what waits is tried at once. */
export async function updateMaker(tx: SystemTx, tenantId: string, id: string, memberId: string): Promise<void> {
  const sql = "UPDATE chat_channels SET created_by = ?, next_at = 0, paused_at = NULL WHERE tenant_id = ? AND id = ?";
  await tx.run(sql, [memberId, tenantId, id]);
}

/** Forgets of channels that are at work again that they were paused. */
export async function forgetPauses(db: SystemDb): Promise<void> {
  await db.run(`UPDATE chat_channels SET paused_at = NULL WHERE paused_at IS NOT NULL AND ${IS_ALLOWED}`);
}

/** Channels that are paused, of which nobody was told; of those that are off anyway nobody is. */
export function listUntoldPauses(
  db: SystemDb,
  limit: number,
): Promise<Pick<ChannelRow, "tenant_id" | "id" | "name">[]> {
  const sql = `SELECT tenant_id, id, name FROM chat_channels WHERE paused_at IS NULL AND off_at IS NULL AND NOT ${IS_ALLOWED}
    ORDER BY id LIMIT ?`;
  return db.all(sql, [limit]);
}

/** Notes that one is paused; false when it is not, or that was noted already. */
export async function notePause(tx: SystemTx, tenantId: string, id: string, at: number): Promise<boolean> {
  const sql = `UPDATE chat_channels SET paused_at = ? WHERE tenant_id = ? AND id = ? AND paused_at IS NULL AND NOT ${IS_ALLOWED}`;
  return (await tx.run(sql, [at, tenantId, id])) === 1;
}

/** Deletes those of a workspace. */
export function deleteChannelsOf(tx: SystemTx, tenantId: string): Promise<Pick<ChannelRow, "id" | "name">[]> {
  return tx.all("DELETE FROM chat_channels WHERE tenant_id = ? RETURNING id, name", [tenantId]);
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

/** Where the workspace's id stands in a statement of either kind of transaction, and its value. */
const tenantPlace = (tx: PanelTx): string => ("tenant_id" in tx ? ":tenant" : "?");
const tenantValue = (tx: PanelTx, tenantId: string): string[] => ("tenant_id" in tx ? [] : [tenantId]);

/** Has every channel of the workspace that hears the kind, and is at work, tell of it. */
export async function insertWaiting(
  tx: PanelTx,
  tenantId: string,
  kind: string,
  { id, severity, title, body, link, queued_at }: WaitingRow,
): Promise<void> {
  await tx.run(
    `INSERT INTO chat_waiting (tenant_id, channel_id, id, severity, title, body, link, queued_at)
     SELECT chat_channels.tenant_id, chat_channels.id, ?, ?, ?, ?, ?, CAST(? AS BIGINT) FROM chat_channels
     WHERE chat_channels.tenant_id = ${tenantPlace(tx)} AND kinds LIKE ? AND off_at IS NULL AND ${IS_ALLOWED}
     AND (least_severity = 'warning' OR CAST(? AS TEXT) = 'critical')`,
    [...[id, severity, title, body, link, queued_at, ...tenantValue(tx, tenantId)], ...[`%"${kind}"%`, severity]],
  );
}

/** The language that a workspace speaks, in a transaction of either kind. */
export async function findLanguage(tx: PanelTx, tenantId: string): Promise<Speaker["language"]> {
  const sql = `SELECT language FROM tenants WHERE tenant_id = ${tenantPlace(tx)}`;
  const row = await tx.get<{ language: string | null }>(sql, tenantValue(tx, tenantId));
  return isLanguage(row?.language) ? row.language : "en";
}

/**
 * Channels at work for which something waits and whose time has come: the first of each workspace, then the second, and so on, of as many
 * as those in any order, so that none stands first by its time.
 */
export function listDue(db: SystemDb, now: number, limit: number): Promise<Pick<ChannelRow, "tenant_id" | "id">[]> {
  return db.all(
    `SELECT tenant_id, id FROM (SELECT tenant_id, id, row_number() OVER (PARTITION BY tenant_id ORDER BY next_at, id) AS place
       FROM chat_channels WHERE next_at <= ? AND ${IS_ALLOWED} AND EXISTS (SELECT 1 FROM chat_waiting w
       WHERE w.tenant_id = chat_channels.tenant_id AND w.channel_id = chat_channels.id)) AS due
     ORDER BY place, random() LIMIT ?`,
    [now, limit],
  );
}

/** What waits for a channel since `since`, the oldest first. */
export function listWaiting(
  db: SystemDb,
  { tenant_id, id }: ChannelRow,
  since: number,
  limit: number,
): Promise<WaitingRow[]> {
  return db.all(
    `SELECT id, severity, title, body, link, queued_at FROM chat_waiting
     WHERE tenant_id = ? AND channel_id = ? AND queued_at >= ? ORDER BY id LIMIT ?`,
    [tenant_id, id, since, limit],
  );
}

/** How much waits for a channel since before a time. */
export async function countOld(db: SystemDb, { tenant_id, id }: ChannelRow, before: number): Promise<number> {
  const sql = "SELECT count(*) AS count FROM chat_waiting WHERE tenant_id = ? AND channel_id = ? AND queued_at < ?";
  return Number((await db.get<{ count: number }>(sql, [tenant_id, id, before]))?.count ?? 0);
}

/** Forgets that. */
export async function deleteOld(tx: SystemTx, { tenant_id, id }: ChannelRow, before: number): Promise<void> {
  await tx.run("DELETE FROM chat_waiting WHERE tenant_id = ? AND channel_id = ? AND queued_at < ?", [
    ...[tenant_id, id, before],
  ]);
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

/** Forgets what waited since before a time, and of the rest all but the latest `most`; gives how much that was. */
export function deleteLate(tx: SystemTx, { tenant_id, id }: ChannelRow, before: number, most: number): Promise<number> {
  return tx.run(
    `DELETE FROM chat_waiting WHERE tenant_id = ? AND channel_id = ? AND (queued_at < ? OR id <= (SELECT w.id FROM chat_waiting w
       WHERE w.tenant_id = ? AND w.channel_id = ? ORDER BY w.id DESC LIMIT 1 OFFSET ?))`,
    [tenant_id, id, before, tenant_id, id, most],
  );
}

/** What became of the last tries. */
export async function updateState(tx: SystemTx, row: ChannelRow): Promise<void> {
  await tx.run(
    `UPDATE chat_channels SET next_at = ?, failures = ?, last_error = ?, sent_at = ?, dropped = ?, failing_since = ?, off_at = ?
     WHERE tenant_id = ? AND id = ?`,
    [
      ...[row.next_at, row.failures, row.last_error, row.sent_at, row.dropped, row.failing_since, row.off_at],
      ...[row.tenant_id, row.id],
    ],
  );
}

/** The name of a workspace, and the language that it speaks. */
export async function findSpeaker(db: SystemDb | SystemTx, tenantId: string): Promise<Speaker> {
  const sql = "SELECT name, language FROM tenants WHERE tenant_id = ?";
  const row = await db.get<{ name: string; language: string | null }>(sql, [tenantId]);
  return { name: row?.name ?? "", language: isLanguage(row?.language) ? row.language : "en" };
}
