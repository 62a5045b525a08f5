import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

/** A letter that waits; times in milliseconds. */
export interface MailRow {
  id: string;
  /** The workspace that it speaks for; empty where it speaks for none. */
  tenant_id: string;
  kind: string;
  address: string;
  /** JSON. */
  facts: string;
  tries: number;
  due_at: number;
  expires_at: number;
}

/** Adds one. */
export async function insertMail(tx: SystemTx, row: MailRow): Promise<void> {
  await tx.run(
    "INSERT INTO mail_queue (id, tenant_id, kind, address, facts, tries, due_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [row.id, row.tenant_id, row.kind, row.address, row.facts, row.tries, row.due_at, row.expires_at],
  );
}

/**
 * Those whose turn has come. First what is of no use soonest: a link that somebody waits for does not stand behind a hundred
 * invitations.
 */
export const listDueMail = (db: SystemDb, now: number, limit: number): Promise<MailRow[]> =>
  db.all("SELECT * FROM mail_queue WHERE due_at <= ? ORDER BY expires_at, id LIMIT ?", [now, limit]);

/** How many wait, and when the first of them is due; null when none waits. */
export async function findQueue(db: SystemDb): Promise<{ waiting: number; next_due_at: number | null }> {
  const row = await db.get<{ waiting: number; next_due_at: number | null }>(
    "SELECT COUNT(*) AS waiting, MIN(due_at) AS next_due_at FROM mail_queue",
  );
  return { waiting: Number(row?.waiting ?? 0), next_due_at: row?.next_due_at == null ? null : Number(row.next_due_at) };
}

/** Counts a try that failed; the next one is later. */
export async function postponeMail(tx: SystemTx, id: string, tries: number, dueAt: number): Promise<void> {
  await tx.run("UPDATE mail_queue SET tries = ?, due_at = ? WHERE id = ?", [tries, dueAt, id]);
}

/** Forgets one: it was sent, or will not be. */
export async function deleteMail(tx: SystemTx, id: string): Promise<void> {
  await tx.run("DELETE FROM mail_queue WHERE id = ?", [id]);
}
