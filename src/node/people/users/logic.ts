import { toIso } from "../../../lib/clock.ts";
import { type Asker, checkPassword, FOR_PROGRAM, forAccount, hashPassword } from "../../../shared/password/index.ts";
import type { Role } from "../../access.ts";
import { fail, type User, type UserChange, type UserCreated, type UserInput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { presentUser } from "./present.ts";
import * as store from "./store.ts";

type PasswordNeeds = Pick<Needs, "db" | "sessions"> & { lists: Pick<Needs["lists"], "lastingWays"> };

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** Who changes an account and from where, for the audit log. */
export interface ChangedBy {
  actor_id: string;
  ip: string;
}

/** What goes on when an account gets a new password; all else that lets somebody in ends. */
export interface Going {
  session_id: string | null;
  device_id: string | null;
  /** Kinds of lasting ways, by their names. */
  kept: readonly string[];
  /** Where the change comes from. */
  ip: string;
  /** Who waits for the hash of the password. */
  whose: Asker;
}

/** How many of each kind of lasting way ended, by its name. */
export type EndedWays = Record<string, number>;

/** Letters and digits that nobody takes for one another. */
const READABLE = "ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const TEMPORARY_LENGTH = 14;

async function hashNewPassword(
  password: string,
  username: string,
  field: "password" | "new_password",
  whose: Asker,
): Promise<string> {
  const reason = checkPassword(password, username);
  if (reason !== null) throw fail("password_unusable", { field, reason });
  return hashPassword(password, whose);
}

/** A new account before it is stored. */
export interface NewAccount {
  username: string;
  password: string;
  role: Role;
  /** Who waits for the hash of the password. */
  whose: Asker;
  /** The password was made by the node or an admin and has to be changed at the first sign-in. */
  isTemporary?: boolean;
}

/** What else belongs to the creation of an account, in its transaction: what either throws undoes everything. */
export interface Along {
  /** Asked first, for rules that must hold at that very moment. */
  isAllowed?(): void;
  /** Stores and tells what goes with the new account. */
  also?(user: User): void;
}

/** Creates an account. Throws `username_taken`, `password_unusable`. */
export async function createUser(
  { db, clock, ids }: Pick<Needs, "db" | "clock" | "ids">,
  input: NewAccount,
  { isAllowed, also }: Along = {},
): Promise<User> {
  const password_hash = await hashNewPassword(input.password, input.username, "password", input.whose);
  return db.tx(() => {
    isAllowed?.();
    if (store.findCredentials(db, input.username)) {
      throw fail("username_taken", { field: "username", username: input.username });
    }
    const row = {
      id: ids.next("usr"),
      username: input.username,
      role: input.role,
      created_at: toIso(clock.now()),
      disabled_at: null,
      must_change_password: input.isTemporary ? 1 : 0,
    };
    store.insertUser(db, { ...row, password_hash });
    const user = presentUser({ ...row, avatar_sha256: null });
    also?.(user);
    return user;
  });
}

/** Tells of a new account. */
export function tellCreated({ bus }: Pick<Needs, "bus">, by: ChangedBy, { id, username, role }: User): void {
  bus.emit("user.created", { ...by, user_id: id, username, role });
}

/** Creates an account for somebody else, with a temporary password unless one is given. Throws like `createUser`. */
export async function addUser(needs: Needs, by: ChangedBy, input: UserInput): Promise<UserCreated> {
  const temporary = input.password === undefined ? needs.ids.code(TEMPORARY_LENGTH, READABLE) : undefined;
  const password = input.password ?? temporary ?? "";
  const account = { ...input, password, whose: forAccount(by.actor_id, by.ip), isTemporary: temporary !== undefined };
  const user = await createUser(needs, account, { also: (created) => tellCreated(needs, by, created) });
  return temporary === undefined ? user : { ...user, temporary_password: temporary };
}

/**
 * Changes name, role or active state; a disabled user's sessions end at once. Throws `user_not_found`, `username_taken`,
 * `last_admin`, `key_cannot_raise` for an API key that gives anybody more than they have.
 */
export function changeUser(
  { db, clock, bus, sessions, lists }: Needs,
  { isKey = false, ...by }: ChangedBy & { isKey?: boolean },
  id: string,
  change: UserChange,
): User {
  return db.tx(() => {
    const row = getUser(db, id);
    const wasDisabled = row.disabled_at !== null;
    const isDisabled = change.disabled ?? wasDisabled;
    const isRaised = RANK[change.role ?? row.role] > RANK[row.role] || (wasDisabled && !isDisabled);
    if (isKey && (isRaised || change.username !== undefined)) throw fail("key_cannot_raise");
    const disabled_at = isDisabled ? (row.disabled_at ?? toIso(clock.now())) : null;
    const username = change.username ?? row.username;
    const holder = store.findCredentials(db, username);
    if (holder && holder.id !== id) throw fail("username_taken", { field: "username", username });
    const next = { ...row, username, role: change.role ?? row.role, disabled_at };
    store.updateUser(db, next);
    if (store.countActiveAdmins(db) === 0) throw fail("last_admin");
    if (isDisabled) sessions.cutAllOf(id, null);
    if (isDisabled || next.role !== "admin") for (const { endGivenBy } of lists.lastingWays.all()) endGivenBy?.(id);
    if (username !== row.username) bus.emit("user.renamed", { ...by, user_id: id, from: row.username, to: username });
    if (next.role !== row.role) bus.emit("user.role_changed", { ...by, user_id: id, from: row.role, to: next.role });
    if (isDisabled !== wasDisabled) bus.emit(isDisabled ? "user.disabled" : "user.enabled", { ...by, user_id: id });
    return presentUser(next);
  });
}

/** Holds until the account has another password, or is gone. */
export function underThisPassword(db: Needs["db"], id: string): () => boolean {
  const hashNow = (): string | null => {
    const user = store.findUser(db, id);
    return user ? (store.findCredentials(db, user.username)?.password_hash ?? null) : null;
  };
  const proven = hashNow();
  return () => proven !== null && hashNow() === proven;
}

/** The account with this id. Throws `user_not_found`. */
export function getUser(db: Needs["db"], id: string): store.UserRow {
  const row = store.findUser(db, id);
  if (!row) throw fail("user_not_found", { id });
  return row;
}

/**
 * Sets a new password and ends every other way into the account but those that are `going` on: whoever has got in once must
 * not stay. `before` is called first inside the transaction that writes, for rules that must hold at that very moment;
 * `after` last, with what has ended. Throws `password_unusable`.
 */
export async function changePassword(
  { db, sessions, lists }: PasswordNeeds,
  user: { id: string; username: string },
  password: string,
  going: Going,
  { before, after }: { before?(): void; after?(ended: EndedWays): void } = {},
): Promise<void> {
  const hash = await hashNewPassword(password, user.username, "new_password", going.whose);
  db.tx(() => {
    before?.();
    store.updatePasswordHash(db, user.id, hash);
    sessions.cutAllOf(user.id, going.session_id);
    if (going.session_id !== null) sessions.standAlone(going.session_id);
    const by = { ip: going.ip, spare_device_id: going.device_id };
    const ended: EndedWays = {};
    for (const { name, endAllOf } of lists.lastingWays.all()) {
      if (name !== null && going.kept.includes(name)) continue;
      const count = endAllOf(user.id, by);
      if (name !== null) ended[name] = (ended[name] ?? 0) + count;
    }
    after?.(ended);
  });
}

/**
 * The way back in from the host: new password, account active again, all sessions and all ways that are not `kept` ended.
 * `along` is called inside the same transaction, for what else goes with it. Throws `user_not_found`, `password_unusable`.
 */
export async function resetPassword(
  needs: PasswordNeeds,
  username: string,
  password: string,
  kept: readonly string[],
  along: (userId: string, ended: EndedWays) => void = () => {},
): Promise<void> {
  const row = store.findCredentials(needs.db, username);
  if (!row) throw fail("user_not_found", { id: username });
  const going = { session_id: null, device_id: null, kept, ip: "host", whose: FOR_PROGRAM };
  await changePassword(needs, row, password, going, {
    before: () => store.updateUser(needs.db, { ...row, disabled_at: null }),
    after: (ended) => along(row.id, ended),
  });
}
