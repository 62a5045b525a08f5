import type { Store } from "../../../kernel/db/store.ts";

/** Minutes without a sign of life after which the user's sessions lock; null never. */
export function findAutoLock(db: Store, userId: string): number | null {
  const sql = "SELECT minutes FROM auto_lock WHERE user_id = ?";
  return db.raw.query<{ minutes: number }, [string]>(sql).get(userId)?.minutes ?? null;
}

export function saveAutoLock(db: Store, userId: string, minutes: number | null): void {
  if (minutes === null) {
    db.raw.query("DELETE FROM auto_lock WHERE user_id = ?").run(userId);
    return;
  }
  db.raw.query("INSERT OR REPLACE INTO auto_lock (user_id, minutes) VALUES (?, ?)").run(userId, minutes);
}
