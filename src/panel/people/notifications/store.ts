import type { SqlValue } from "../../../kernel/sql/port.ts";
import type { PanelTx } from "../../base.ts";
import type { SystemDb, SystemTx, TenantDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";
import type { Notice } from "../../event-meaning.ts";
import type { MailOutcome } from "../../platform/mail/contract.ts";
import {
  isUnreachable,
  joinOutcome,
  OUTCOME_COLUMNS,
  type OutcomeColumns,
  readOutcome,
} from "../../platform/mail/index.ts";

/** A notification as it is stored; times in milliseconds. */
export interface NotificationRow extends Omit<Notice, "to" | "words"> {
  id: string;
  title: string;
  body: string;
  permission: string;
  member_id: string;
  created_at: number;
}

const INSERT = `INSERT INTO notifications (tenant_id, id, kind, severity, title, body, link, permission, member_id, created_at,
  translations) VALUES`;

/** Writes one. In a transaction of one workspace it belongs to that one, whatever it says. */
export async function insertNotification(
  tx: PanelTx,
  tenantId: string,
  row: NotificationRow & { translations: string },
): Promise<void> {
  const { id, kind, severity, title, body, link, permission, member_id, created_at, translations } = row;
  const values = [id, kind, severity, title, body, link, permission, member_id, created_at, translations];
  if ("tenant_id" in tx) await tx.run(`${INSERT} (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values);
  else await tx.run(`${INSERT} (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [tenantId, ...values]);
}

/** Who reads: what they may see, and what they do not want to. */
export interface Reader {
  member_id: string;
  permissions: readonly string[];
  muted: readonly string[];
}

/** As many places as there are permissions and kinds at most, so that the statement is always the same one. */
const PERMISSIONS_MAX = 12;
const KINDS_MAX = 8;
const places = (count: number): string => Array.from({ length: count }, () => "?").join(", ");
const padded = (values: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => values[index] ?? "-");

/** `tenant` is where the workspace's id stands: `:tenant`, or a place for it. */
const mineIn = (
  tenant: ":tenant" | "?",
): string => `n.tenant_id = ${tenant} AND n.created_at >= ? AND n.permission IN ('', ${places(PERMISSIONS_MAX)})
  AND n.member_id IN ('', ?) AND n.kind NOT IN (${places(KINDS_MAX)})`;
const mineValues = ({ member_id, permissions, muted }: Reader, since: number): SqlValue[] => [
  ...[since, ...padded(permissions, PERMISSIONS_MAX), member_id],
  ...padded(muted, KINDS_MAX),
];

const fromIn = (tenant: ":tenant" | "?"): string => `FROM notifications n
  LEFT JOIN notification_reads r ON r.tenant_id = n.tenant_id AND r.notification_id = n.id AND r.member_id = ?
  LEFT JOIN notification_members m ON m.tenant_id = n.tenant_id AND m.member_id = ?
  WHERE ${mineIn(tenant)}`;
const FROM = fromIn(":tenant");
const READ_AT = "coalesce(r.read_at, CASE WHEN n.id <= m.read_up_to THEN m.read_all_at END)";
const LIST = `SELECT n.id, n.kind, n.severity, n.title, n.body, n.link, n.permission, n.member_id, n.created_at, ${READ_AT} AS read_at
  ${FROM} AND n.id < ?`;
const UNREAD = `AND ${READ_AT} IS NULL`;

/** What a reader is told, the newest first. */
export function listNotifications(
  db: TenantDb,
  reader: Reader,
  { since, before, unread, limit }: { since: number; before: string; unread: boolean; limit: number },
): Promise<(NotificationRow & { read_at: number | null })[]> {
  const values = [reader.member_id, reader.member_id, ...mineValues(reader, since), before, limit];
  return db.all(`${LIST} ${unread ? UNREAD : ""} ORDER BY n.id DESC LIMIT ?`, values);
}

/** The same for a member of any workspace. */
export async function countUnreadOf(db: SystemDb, tenantId: string, reader: Reader, since: number): Promise<number> {
  const values = [reader.member_id, reader.member_id, tenantId, ...mineValues(reader, since)];
  const row = await db.get<{ count: number }>(`SELECT count(*) AS count ${fromIn("?")} ${UNREAD}`, values);
  return Number(row?.count ?? 0);
}

export async function countUnread(db: TenantQueries, reader: Reader, since: number): Promise<number> {
  const values = [reader.member_id, reader.member_id, ...mineValues(reader, since)];
  const row = await db.get<{ count: number }>(`SELECT count(*) AS count ${FROM} ${UNREAD}`, values);
  return Number(row?.count ?? 0);
}

/** True when the reader is told of this one. */
export async function isToldTo(tx: TenantTx, reader: Reader, since: number, id: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM notifications n WHERE ${mineIn(":tenant")} AND n.id = ?`;
  return (await tx.get(sql, [...mineValues(reader, since), id])) !== null;
}

export async function markRead(tx: TenantTx, memberId: string, id: string, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO notification_reads (tenant_id, notification_id, member_id, read_at) VALUES (:tenant, ?, ?, ?)
     ON CONFLICT (tenant_id, notification_id, member_id) DO NOTHING`,
    [id, memberId, at],
  );
}

/** Everything that there is now counts as read by the member; single marks go. */
export async function markAllRead(tx: TenantTx, memberId: string, upTo: string, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO notification_members (tenant_id, member_id, read_up_to, read_all_at) VALUES (:tenant, ?, ?, ?)
     ON CONFLICT (tenant_id, member_id) DO UPDATE SET read_up_to = excluded.read_up_to, read_all_at = excluded.read_all_at`,
    [memberId, upTo, at],
  );
  await tx.run("DELETE FROM notification_reads WHERE tenant_id = :tenant AND member_id = ? AND notification_id <= ?", [
    memberId,
    upTo,
  ]);
}

/** What a member chose, as JSON; null where nothing. */
export function findPreferences(
  db: TenantQueries,
  memberId: string,
): Promise<{ preferences: string | null; delivery: string | null } | null> {
  const sql = "SELECT preferences, delivery FROM notification_members WHERE tenant_id = :tenant AND member_id = ?";
  return db.get(sql, [memberId]);
}

/** What members of any workspaces chose, as JSON by member. */
export async function listPreferences(
  db: SystemDb,
  members: readonly { tenant_id: string; member_id: string }[],
): Promise<Map<string, string>> {
  const places = members.map(() => "(tenant_id = ? AND member_id = ?)").join(" OR ");
  const rows = await db.all<{ member_id: string; preferences: string }>(
    `SELECT member_id, preferences FROM notification_members WHERE preferences IS NOT NULL AND (${places})`,
    members.flatMap(({ tenant_id, member_id }) => [tenant_id, member_id]),
  );
  return new Map(rows.map(({ member_id, preferences }) => [member_id, preferences]));
}

/** What became of the last letter of the workspace to a member; null where none was sent. */
export async function findOwnOutcome(db: TenantQueries, memberId: string): Promise<MailOutcome | null> {
  const row = await db.get<OutcomeColumns>(
    `SELECT ${OUTCOME_COLUMNS} FROM members m JOIN accounts a ON a.id = m.account_id
     ${joinOutcome("m.tenant_id", "a.email")} WHERE m.tenant_id = :tenant AND m.id = ?`,
    [memberId],
  );
  return row && readOutcome(row);
}

export async function savePreferences(tx: TenantTx, memberId: string, preferences: string): Promise<void> {
  await tx.run(
    `INSERT INTO notification_members (tenant_id, member_id, preferences) VALUES (:tenant, ?, ?)
     ON CONFLICT (tenant_id, member_id) DO UPDATE SET preferences = excluded.preferences`,
    [memberId, preferences],
  );
}

export async function saveDelivery(tx: TenantTx, memberId: string, delivery: string): Promise<void> {
  await tx.run("UPDATE notification_members SET delivery = ? WHERE tenant_id = :tenant AND member_id = ?", [
    ...[delivery, memberId],
  ]);
}

/** Has everything that waits for a member come at `at`. */
export async function delayWaiting(tx: TenantTx, memberId: string, at: number): Promise<void> {
  await tx.run("UPDATE notification_waiting SET due_at = ? WHERE tenant_id = :tenant AND member_id = ?", [
    ...[at, memberId],
  ]);
}

/** Notifications of all workspaces that no letters were queued for yet, the oldest first. */
export function listUnmailed(db: SystemDb, limit: number): Promise<(NotificationRow & { tenant_id: string })[]> {
  return db.all(
    `SELECT tenant_id, id, kind, severity, title, body, link, permission, member_id, created_at FROM notifications
     WHERE mailed_at IS NULL ORDER BY id LIMIT ?`,
    [limit],
  );
}

/** False when that was done already. */
export async function markMailed(tx: SystemTx, tenantId: string, id: string, at: number): Promise<boolean> {
  const sql = "UPDATE notifications SET mailed_at = ? WHERE tenant_id = ? AND id = ? AND mailed_at IS NULL";
  return (await tx.run(sql, [at, tenantId, id])) === 1;
}

/** Somebody who chose how to hear. */
export interface Chooser {
  member_id: string;
  role: string;
  email: string;
  preferences: string;
  delivery: string | null;
}

const CHOOSER = `SELECT m.id AS member_id, m.role, a.email, p.preferences, p.delivery FROM notification_members p
  JOIN members m ON m.tenant_id = p.tenant_id AND m.id = p.member_id JOIN accounts a ON a.id = m.account_id`;

/** They chose anything, may enter, and have an address that somebody reads. */
const REACHED = `p.preferences IS NOT NULL AND m.status = 'active' AND NOT ${isUnreachable("p.tenant_id", "a.email")}`;

/** Those of a workspace to whom letters may go. */
export function listChoosers(tx: SystemTx, tenantId: string): Promise<Chooser[]> {
  return tx.all(
    `${CHOOSER} WHERE p.tenant_id = ? AND ${REACHED}
    ORDER BY m.id LIMIT 5000`,
    [tenantId],
  );
}

/** One of them; null for everybody else. */
export function findChooser(tx: SystemTx, tenantId: string, memberId: string): Promise<Chooser | null> {
  return tx.get(`${CHOOSER} WHERE p.tenant_id = ? AND p.member_id = ? AND ${REACHED}`, [tenantId, memberId]);
}

/** Who has an address and may enter the workspace; null for nobody. */
export function findMemberAt(
  db: SystemDb,
  tenantId: string,
  address: string,
): Promise<Pick<Chooser, "member_id" | "role"> | null> {
  return db.get(
    `SELECT m.id AS member_id, m.role FROM members m JOIN accounts a ON a.id = m.account_id
     WHERE m.tenant_id = ? AND a.email = ? AND m.status = 'active'`,
    [tenantId, address],
  );
}

/** Has a notification told to a member later; once, however often it is said. */
export async function insertWaiting(
  tx: SystemTx,
  row: { tenant_id: string; member_id: string; notification_id: string; due_at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO notification_waiting (tenant_id, member_id, notification_id, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, member_id, notification_id) DO NOTHING`,
    [row.tenant_id, row.member_id, row.notification_id, row.due_at],
  );
}

/** Members for whom something is due. */
export function listDueMembers(
  db: SystemDb,
  now: number,
  limit: number,
): Promise<{ tenant_id: string; member_id: string }[]> {
  return db.all(
    `SELECT tenant_id, member_id FROM notification_waiting WHERE due_at <= ?
     GROUP BY tenant_id, member_id ORDER BY min(due_at), tenant_id, member_id LIMIT ?`,
    [now, limit],
  );
}

/** Takes out what is due for a member, the oldest first. */
export async function takeDue(
  tx: SystemTx,
  tenantId: string,
  memberId: string,
  now: number,
): Promise<Pick<NotificationRow, "id" | "kind" | "permission" | "member_id">[]> {
  const rows = await tx.all<Pick<NotificationRow, "id" | "kind" | "permission" | "member_id">>(
    `SELECT n.id, n.kind, n.permission, n.member_id FROM notification_waiting w
     JOIN notifications n ON n.tenant_id = w.tenant_id AND n.id = w.notification_id
     WHERE w.tenant_id = ? AND w.member_id = ? AND w.due_at <= ? ORDER BY n.id`,
    [tenantId, memberId, now],
  );
  await tx.run("DELETE FROM notification_waiting WHERE tenant_id = ? AND member_id = ? AND due_at <= ?", [
    ...[tenantId, memberId, now],
  ]);
  return rows;
}

/** One notification with the name of its workspace, for its letter. */
export function findForLetter(
  db: SystemDb,
  tenantId: string,
  id: string,
): Promise<(NotificationRow & { workspace: string; translations: string | null }) | null> {
  return db.get(
    `SELECT n.id, n.kind, n.severity, n.title, n.body, n.link, n.permission, n.member_id, n.created_at, n.translations, t.name AS workspace
     FROM notifications n JOIN tenants t ON t.tenant_id = n.tenant_id WHERE n.tenant_id = ? AND n.id = ?`,
    [tenantId, id],
  );
}
