import type { Store } from "../../../kernel/db/store.ts";

export interface TotpRow {
  user_id: string;
  secret: string;
  enabled_at: string | null;
  last_step: number;
}

export function findTotp(db: Store, userId: string): TotpRow | null {
  return db.raw.query<TotpRow, [string]>("SELECT * FROM totp WHERE user_id = ?").get(userId);
}

/** Keeps a secret that is not active yet, replacing an earlier one. */
export function saveDraft(db: Store, userId: string, secret: string): void {
  db.raw.query("INSERT OR REPLACE INTO totp (user_id, secret) VALUES (?, ?)").run(userId, secret);
}

export function markEnabled(db: Store, userId: string, enabledAt: string): void {
  db.raw.query("UPDATE totp SET enabled_at = ? WHERE user_id = ?").run(enabledAt, userId);
}

/** Claims a time step; false when its code, or a later one, was accepted before. */
export function claimStep(db: Store, userId: string, step: number): boolean {
  const sql = "UPDATE totp SET last_step = ? WHERE user_id = ? AND last_step < ?";
  return db.raw.query(sql).run(step, userId, step).changes === 1;
}

export function deleteTotp(db: Store, userId: string): void {
  db.raw.query("DELETE FROM totp WHERE user_id = ?").run(userId);
}

export function insertRecoveryCode(db: Store, userId: string, hash: string): void {
  db.raw.query("INSERT INTO recovery_codes (user_id, hash) VALUES (?, ?)").run(userId, hash);
}

/** Uses a recovery code up; false when it is unknown or was used before. */
export function deleteRecoveryCode(db: Store, userId: string, hash: string): boolean {
  const sql = "DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?";
  return db.raw.query(sql).run(userId, hash).changes === 1;
}

export function deleteRecoveryCodes(db: Store, userId: string): void {
  db.raw.query("DELETE FROM recovery_codes WHERE user_id = ?").run(userId);
}

export function countRecoveryCodes(db: Store, userId: string): number {
  const sql = "SELECT count(*) AS count FROM recovery_codes WHERE user_id = ?";
  return db.raw.query<{ count: number }, [string]>(sql).get(userId)?.count ?? 0;
}
