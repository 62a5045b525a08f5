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

const isOneOf = (kinds: readonly string[]): string => `kind IN (${kinds.map(() => "?").join(", ")})`;

/**
 * Those that are due and of none of these kinds. First what is of no use soonest: a link that somebody waits for does not stand behind a
 * hundred invitations.
 */
export const listDueBut = (db: SystemDb, kinds: readonly string[], now: number, limit: number): Promise<MailRow[]> =>
  db.all(`SELECT * FROM mail_queue WHERE due_at <= ? AND NOT (${isOneOf(kinds)}) ORDER BY expires_at, id LIMIT ?`, [
    now,
    ...kinds,
    limit,
  ]);

/** The first that is due of these kinds in each workspace that has any; a queue of 100,000 is asked in a few milliseconds. */
export const listDueFirsts = (db: SystemDb, kinds: readonly string[], now: number): Promise<MailRow[]> =>
  db.all(
    `WITH RECURSIVE workspace(tenant_id) AS (
       SELECT min(tenant_id) FROM mail_queue
       UNION ALL SELECT (SELECT min(tenant_id) FROM mail_queue WHERE tenant_id > workspace.tenant_id)
         FROM workspace WHERE workspace.tenant_id IS NOT NULL)
     SELECT q.* FROM workspace w JOIN mail_queue q ON q.id = (
       SELECT m.id FROM mail_queue m WHERE m.tenant_id = w.tenant_id AND m.due_at <= ? AND m.${isOneOf(kinds)}
       ORDER BY m.expires_at, m.id LIMIT 1)
     ORDER BY q.expires_at, q.id`,
    [now, ...kinds],
  );

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

/** Forgets one: it was sent, or will not be. Returns how many there were of it. */
export const deleteMail = (tx: SystemTx, id: string): Promise<number> =>
  tx.run("DELETE FROM mail_queue WHERE id = ?", [id]);
