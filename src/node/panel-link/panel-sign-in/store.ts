import type { Store } from "../../../kernel/db/store.ts";

/** Uses an identity; false when it was used before. Those that ended before `now` are forgotten. */
export function useIdentity(db: Store, id: string, until: number, now: number): boolean {
  db.raw.query("DELETE FROM panel_identities_used WHERE until < ?").run(now);
  const sql = "INSERT INTO panel_identities_used (id, until) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
  return db.raw.query(sql).run(id, until).changes === 1;
}
