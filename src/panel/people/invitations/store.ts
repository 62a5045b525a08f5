import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx, TenantDb, TenantTx } from "../../data/tenant-db.ts";
import { joinOutcome, OUTCOME_COLUMNS, type OutcomeColumns } from "../../platform/mail/index.ts";
import type { RoleName } from "../tenants/contract.ts";
import type { SkipReason } from "./contract.ts";

/** An invitation; times in milliseconds. */
export interface InvitationRow {
  id: string;
  email: string;
  role: RoleName;
  invited_by: string;
  inviter: string | null;
  /** What the inviter wants it written in; null where that is up to the workspace. */
  language: string | null;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
}

const INVITER = `(SELECT a.display_name FROM members m JOIN accounts a ON a.id = m.account_id
  WHERE m.tenant_id = i.tenant_id AND m.id = i.invited_by) AS inviter`;
const COLUMNS = `i.id, i.email, i.role, i.invited_by, ${INVITER}, i.language, i.created_at, i.expires_at, i.accepted_at`;
const INVITATION = `SELECT ${COLUMNS}, ${OUTCOME_COLUMNS} FROM invitations i ${joinOutcome("i.tenant_id", "i.email")}
  WHERE i.tenant_id`;

/** An invitation with what became of its letter. */
export type ToldRow = InvitationRow & OutcomeColumns;

/** The invitations of a workspace, those still open and the newest first. */
export function listInvitations(db: TenantDb, limit: number): Promise<ToldRow[]> {
  return db.all(
    `${INVITATION} = :tenant ORDER BY (CASE WHEN i.accepted_at IS NULL THEN 0 ELSE 1 END), i.created_at DESC, i.id LIMIT ?`,
    [limit],
  );
}

/** One that was not accepted yet, run out or not. */
export function findOpen(tx: SystemTx, tenantId: string, id: string): Promise<ToldRow | null> {
  return tx.get(`${INVITATION} = ? AND i.id = ? AND i.accepted_at IS NULL`, [tenantId, id]);
}

/** How many may still be accepted. */
export async function countOpen(tx: SystemTx, tenantId: string, now: number): Promise<number> {
  const row = await tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM invitations WHERE tenant_id = ? AND accepted_at IS NULL AND expires_at > ?",
    [tenantId, now],
  );
  return row?.count ?? 0;
}

/** How many may still be accepted, in all workspaces. */
export const countAllOpen = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM invitations WHERE accepted_at IS NULL AND expires_at > ?", [now]);

/** Ends all that may still be accepted, with the links of all: they have run out and can be sent again. */
export const endAll = (tx: SystemTx, now: number): Promise<number> =>
  tx.run(
    `UPDATE invitations SET link_hash = NULL, letter_hash = NULL,
       expires_at = CASE WHEN expires_at > ? THEN ? ELSE expires_at END WHERE accepted_at IS NULL`,
    [now, now],
  );

/** Why somebody is not invited; null when nothing speaks against it. */
export async function findObstacle(
  tx: SystemTx,
  tenantId: string,
  email: string,
  now: number,
): Promise<SkipReason | null> {
  const member = await tx.get(
    "SELECT 1 AS one FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = ? AND a.email = ?",
    [tenantId, email],
  );
  if (member) return "already a member";
  const open = await tx.get(
    "SELECT 1 AS one FROM invitations WHERE tenant_id = ? AND email = ? AND accepted_at IS NULL AND expires_at > ?",
    [tenantId, email, now],
  );
  return open ? "already invited" : null;
}

/** Puts one in place of an earlier one to the same address that ran out. */
export async function insertInvitation(
  tx: SystemTx,
  tenantId: string,
  row: Pick<InvitationRow, "id" | "email" | "role" | "invited_by" | "language" | "created_at" | "expires_at"> & {
    link_hash: string | null;
  },
): Promise<void> {
  await tx.run("DELETE FROM invitations WHERE tenant_id = ? AND email = ? AND accepted_at IS NULL", [
    tenantId,
    row.email,
  ]);
  await tx.run(
    `INSERT INTO invitations (tenant_id, id, email, role, invited_by, link_hash, language, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[tenantId, row.id, row.email, row.role, row.invited_by],
      ...[row.link_hash, row.language, row.created_at, row.expires_at],
    ],
  );
}

/** Makes one good for longer, by whoever sends it now. */
export async function prolong(
  tx: SystemTx,
  tenantId: string,
  id: string,
  { expires_at, invited_by }: Pick<InvitationRow, "expires_at" | "invited_by">,
): Promise<void> {
  await tx.run("UPDATE invitations SET expires_at = ?, invited_by = ? WHERE tenant_id = ? AND id = ?", [
    expires_at,
    invited_by,
    tenantId,
    id,
  ]);
}

/** Another link to hand out; the former one opens nothing any more. */
export async function replaceLink(tx: SystemTx, tenantId: string, id: string, hash: string): Promise<void> {
  await tx.run("UPDATE invitations SET link_hash = ? WHERE tenant_id = ? AND id = ?", [hash, tenantId, id]);
}

/** Deletes what may still be accepted in a workspace, and what ran out; gives the former. */
export async function deleteAllOpen(
  tx: SystemTx,
  tenantId: string,
  now: number,
): Promise<Pick<InvitationRow, "id" | "email">[]> {
  const open = "FROM invitations WHERE tenant_id = ? AND accepted_at IS NULL";
  const sql = `SELECT id, email ${open} AND expires_at > ? ORDER BY id`;
  const ended = await tx.all<Pick<InvitationRow, "id" | "email">>(sql, [tenantId, now]);
  await tx.run(`DELETE ${open}`, [tenantId]);
  return ended;
}

/** Deletes what may still be accepted by an address, and what ran out; gives the former. */
export async function deleteOpenTo(
  tx: TenantTx,
  email: string,
  now: number,
): Promise<Pick<InvitationRow, "id" | "email">[]> {
  const open = "FROM invitations WHERE tenant_id = :tenant AND email = ? AND accepted_at IS NULL";
  const all = await tx.all<Pick<InvitationRow, "id" | "email" | "expires_at">>(
    `SELECT id, email, expires_at ${open} ORDER BY id`,
    [email],
  );
  if (all.length > 0) await tx.run(`DELETE ${open}`, [email]);
  return all.filter(({ expires_at }) => expires_at > now);
}

export async function deleteInvitation(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM invitations WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** An invitation as whoever holds its link sees it. */
export interface OfferRow extends InvitationRow {
  tenant_id: string;
  workspace: string;
  tenant_status: "active" | "suspended";
  /** When the workspace was made. */
  workspace_since: number;
  letter_hash: string | null;
}

const OFFER = `SELECT ${COLUMNS}, i.tenant_id, i.letter_hash, t.name AS workspace, t.status AS tenant_status,
  t.created_at AS workspace_since FROM invitations i JOIN tenants t ON t.tenant_id = i.tenant_id
  WHERE i.accepted_at IS NULL AND i.expires_at > ? AND t.deleted_at IS NULL`;

/** The one whose link or letter has this token. */
export function findOffer(db: SystemDb | SystemTx, hash: string, now: number): Promise<OfferRow | null> {
  return db.get(`${OFFER} AND (i.link_hash = ? OR i.letter_hash = ?)`, [now, hash, hash]);
}

/** The one that a letter is about. */
export function findOfferById(
  db: SystemDb | SystemTx,
  tenantId: string,
  id: string,
  now: number,
): Promise<OfferRow | null> {
  return db.get(`${OFFER} AND i.tenant_id = ? AND i.id = ?`, [now, tenantId, id]);
}

/** The token of the letter that is about to be sent; the one of an earlier letter opens nothing any more. */
export async function replaceLetter(tx: SystemTx, tenantId: string, id: string, hash: string): Promise<void> {
  await tx.run("UPDATE invitations SET letter_hash = ? WHERE tenant_id = ? AND id = ?", [hash, tenantId, id]);
}

/** False when somebody was quicker. */
export async function markAccepted(tx: SystemTx, tenantId: string, id: string, at: number): Promise<boolean> {
  const marked = await tx.run(
    `UPDATE invitations SET accepted_at = ?, link_hash = NULL, letter_hash = NULL
     WHERE tenant_id = ? AND id = ? AND accepted_at IS NULL AND expires_at > ?`,
    [at, tenantId, id, at],
  );
  return marked === 1;
}

/** Forgets what was accepted or ran out before a time. */
export async function deleteOld(db: SystemDb, before: number): Promise<void> {
  await db.run("DELETE FROM invitations WHERE expires_at < ? OR accepted_at < ?", [before, before]);
}
