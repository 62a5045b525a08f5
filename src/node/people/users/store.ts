import type { Store } from "../../../kernel/db/store.ts";
import type { Role } from "../../access.ts";

/** A row of `users` without its password hash. */
export interface UserRow {
  id: string;
  username: string;
  role: Role;
  created_at: string;
  disabled_at: string | null;
  avatar_sha256: string | null;
  /** 1 while the password is a temporary one. */
  must_change_password: number;
}

/** A row with the hash of its password. */
export type Credentials = UserRow & { password_hash: string };

/** A row without what every account starts with. */
export type NewUserRow = Omit<UserRow, "avatar_sha256"> & { password_hash: string };

const COLUMNS = "id, username, role, created_at, disabled_at, avatar_sha256, must_change_password";

export function countUsers(db: Store): number {
  const sql = "SELECT count(*) AS count FROM users WHERE leaving_at IS NULL";
  return db.raw.query<{ count: number }, []>(sql).get()?.count ?? 0;
}

export function countActiveAdmins(db: Store): number {
  const sql = "SELECT count(*) AS count FROM users WHERE role = 'admin' AND disabled_at IS NULL";
  return db.raw.query<{ count: number }, []>(sql).get()?.count ?? 0;
}

export function listUsers(db: Store): UserRow[] {
  return db.raw
    .query<UserRow, []>(`SELECT ${COLUMNS} FROM users WHERE leaving_at IS NULL ORDER BY created_at, id`)
    .all();
}

export function findUser(db: Store, id: string): UserRow | null {
  return db.remember(`user ${id}`, () =>
    db.raw.query<UserRow, [string]>(`SELECT ${COLUMNS} FROM users WHERE id = ? AND leaving_at IS NULL`).get(id),
  );
}

/** The account behind a user name (case does not matter) with its password hash. */
export function findCredentials(db: Store, username: string): Credentials | null {
  const sql = `SELECT ${COLUMNS}, password_hash FROM users WHERE username = ? AND leaving_at IS NULL`;
  return db.raw.query<Credentials, [string]>(sql).get(username);
}

export function insertUser(db: Store, row: NewUserRow): void {
  db.raw
    .query(
      `INSERT INTO users (id, username, password_hash, role, created_at, disabled_at, must_change_password)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.id, row.username, row.password_hash, row.role, row.created_at, row.disabled_at, row.must_change_password);
}

export function updateUser(db: Store, row: Pick<UserRow, "id" | "username" | "role" | "disabled_at">): void {
  const sql = "UPDATE users SET username = ?, role = ?, disabled_at = ? WHERE id = ?";
  db.raw.query(sql).run(row.username, row.role, row.disabled_at, row.id);
}

/** Stores a password that the user chose, which ends the need to change a temporary one. */
export function updatePasswordHash(db: Store, id: string, hash: string): void {
  db.raw.query("UPDATE users SET password_hash = ?, must_change_password = 0 WHERE id = ?").run(hash, id);
}

/** Notes which picture the account shows; null for none. */
export function updateAvatar(db: Store, id: string, sha256: string | null): void {
  db.raw.query("UPDATE users SET avatar_sha256 = ? WHERE id = ?").run(sha256, id);
}

/** True while some account shows the picture. */
export function isAvatarUsed(db: Store, sha256: string): boolean {
  return db.raw.query("SELECT 1 FROM users WHERE avatar_sha256 = ? LIMIT 1").get(sha256) !== null;
}

/** Removes the account; what other features keep about it goes with it by foreign key. */
export function deleteUser(db: Store, id: string): void {
  db.raw.query("DELETE FROM users WHERE id = ?").run(id);
}

/** Takes an account out of everybody's sight: nobody signs in to it, its name is free, and its row stays for what it keeps. */
export function letLeave(db: Store, id: string, at: string): void {
  const sql =
    "UPDATE users SET leaving_at = ?1, disabled_at = coalesce(disabled_at, ?1), username = '~' || id WHERE id = ?2";
  db.raw.query(sql).run(at, id);
}

/** Accounts that are leaving, by their ids. */
export function listLeaving(db: Store): string[] {
  return db.raw
    .query<{ id: string }, []>("SELECT id FROM users WHERE leaving_at IS NOT NULL ORDER BY leaving_at")
    .all()
    .map(({ id }) => id);
}
