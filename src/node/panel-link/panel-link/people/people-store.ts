import type { Store } from "../../../../kernel/db/store.ts";

/** A row of `panel_people`: somebody of the panel, and who they are here. */
export interface PersonRow {
  membership: string;
  account_id: string;
  user_id: string;
  email: string;
  linked_at: string;
  /** As what they came last; null for those who came before this was written down. */
  role: string | null;
  /** When what let them in ended with the membership; null while it goes on. */
  ended_at: string | null;
  /** Until when the workspace lets them in who are staff of the panel, by the panel's clock; null for its own people. */
  visit_until: number | null;
}

type Known = Pick<PersonRow, "membership" | "account_id">;

/** Somebody who has been here; null before the first time. */
export function findPerson(db: Store, { membership, account_id }: Known): PersonRow | null {
  const sql = "SELECT * FROM panel_people WHERE membership = ? AND account_id = ?";
  return db.raw.query<PersonRow, [string, string]>(sql).get(membership, account_id);
}

/** Remembers as what somebody came. */
export function updateRoleTold(db: Store, { membership, account_id }: Known, role: string): void {
  const sql = "UPDATE panel_people SET role = ? WHERE membership = ? AND account_id = ?";
  db.raw.query(sql).run(role, membership, account_id);
}

export function insertPerson(db: Store, row: Omit<PersonRow, "ended_at">): void {
  const sql = `INSERT INTO panel_people (membership, account_id, user_id, email, linked_at, role, visit_until)
               VALUES (?, ?, ?, ?, ?, ?, ?)`;
  db.raw
    .query(sql)
    .run(row.membership, row.account_id, row.user_id, row.email, row.linked_at, row.role, row.visit_until);
}

/** Notes that what let somebody in has ended; null when it goes on again. */
export function markEnded(db: Store, userId: string, at: string | null): void {
  db.raw.query("UPDATE panel_people SET ended_at = ? WHERE user_id = ?").run(at, userId);
}

/** Those whom another membership than this one lets in; with null, everybody whom any lets in. */
export function listOthers(db: Store, membership: string | null): PersonRow[] {
  const sql = "SELECT * FROM panel_people WHERE ended_at IS NULL AND membership IS NOT ? ORDER BY linked_at";
  return db.raw.query<PersonRow, [string | null]>(sql).all(membership);
}

/** How many a membership lets in. */
export function countPeople(db: Store, membership: string | null): number {
  const sql = "SELECT count(*) AS count FROM panel_people WHERE ended_at IS NULL AND membership = ?";
  return db.raw.query<{ count: number }, [string | null]>(sql).get(membership)?.count ?? 0;
}

/** Remembers until when the workspace lets somebody in; null for its own people. */
export function updateVisit(db: Store, { membership, account_id }: Known, until: number | null): void {
  const sql = "UPDATE panel_people SET visit_until = ? WHERE membership = ? AND account_id = ?";
  db.raw.query(sql).run(until, membership, account_id);
}

/** Staff of the panel whom a workspace lets in. */
export function listVisits(db: Store): (PersonRow & { visit_until: number })[] {
  const sql = "SELECT * FROM panel_people WHERE ended_at IS NULL AND visit_until IS NOT NULL ORDER BY linked_at";
  return db.raw.query<PersonRow & { visit_until: number }, []>(sql).all();
}
