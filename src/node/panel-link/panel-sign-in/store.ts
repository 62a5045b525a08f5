import type { Store } from "../../../kernel/db/store.ts";

/** The user that an account of the panel is on this node, and as what it came last; null before its first sign-in. */
export function findLinkedUser(db: Store, accountId: string): { user_id: string; role: string | null } | null {
  const sql = "SELECT user_id, role FROM panel_accounts WHERE account_id = ?";
  return db.raw.query<{ user_id: string; role: string | null }, [string]>(sql).get(accountId);
}

/** Remembers as what an account came. */
export function updateRoleTold(db: Store, accountId: string, role: string): void {
  db.raw.query("UPDATE panel_accounts SET role = ? WHERE account_id = ?").run(role, accountId);
}

export function insertLinkedUser(
  db: Store,
  row: { account_id: string; user_id: string; email: string; role: string; linked_at: string },
): void {
  db.raw
    .query("INSERT INTO panel_accounts (account_id, user_id, email, role, linked_at) VALUES (?, ?, ?, ?, ?)")
    .run(row.account_id, row.user_id, row.email, row.role, row.linked_at);
}

/** Uses an identity; false when it was used before. Those that ended before `now` are forgotten. */
export function useIdentity(db: Store, id: string, until: number, now: number): boolean {
  db.raw.query("DELETE FROM panel_identities_used WHERE until < ?").run(now);
  const sql = "INSERT INTO panel_identities_used (id, until) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
  return db.raw.query(sql).run(id, until).changes === 1;
}
