import { toIso } from "../../../lib/clock.ts";
import { checkPassword, hashPassword } from "../../../shared/password/index.ts";
import type { NodeContext } from "../../context.ts";
import { revokeSessionsOf } from "../sessions/index.ts";
import { fail, type User, type UserChange, type UserInput } from "./contract.ts";
import { presentUser } from "./present.ts";
import { countActiveAdmins, findCredentials, findUser, insertUser, updatePasswordHash, updateUser } from "./store.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "ids">;

async function hashNewPassword(
  password: string,
  username: string,
  field: "password" | "new_password",
): Promise<string> {
  const reason = checkPassword(password, username);
  if (reason !== null) throw fail("password_unusable", { field, reason });
  return hashPassword(password);
}

/**
 * Creates an account. `isAllowed` is asked inside the transaction that inserts, for rules that must hold at that very
 * moment. Throws `username_taken`, `password_unusable`.
 */
export async function createUser({ db, clock, ids }: Deps, input: UserInput, isAllowed?: () => void): Promise<User> {
  const password_hash = await hashNewPassword(input.password, input.username, "password");
  return db.tx(() => {
    isAllowed?.();
    if (findCredentials(db, input.username)) throw fail("username_taken", { username: input.username });
    const row = {
      id: ids.next("usr"),
      username: input.username,
      role: input.role,
      created_at: toIso(clock.now()),
      disabled_at: null,
    };
    insertUser(db, { ...row, password_hash });
    return presentUser(row);
  });
}

/** Changes role or active state; a disabled user's sessions end at once. Throws `user_not_found`, `last_admin`. */
export function changeUser({ db, clock }: Deps, id: string, change: UserChange): User {
  return db.tx(() => {
    const row = findUser(db, id);
    if (!row) throw fail("user_not_found", { id });
    const isDisabled = change.disabled ?? row.disabled_at !== null;
    const next = {
      ...row,
      role: change.role ?? row.role,
      disabled_at: isDisabled ? (row.disabled_at ?? toIso(clock.now())) : null,
    };
    updateUser(db, next);
    if (countActiveAdmins(db) === 0) throw fail("last_admin");
    if (isDisabled) revokeSessionsOf({ db, clock }, id, null);
    return presentUser(next);
  });
}

/**
 * Sets a new password and ends every session of the user but `keepSessionId`. `isAllowed` is asked inside the
 * transaction that writes. Throws `password_unusable`.
 */
export async function changePassword(
  { db, clock }: Pick<Deps, "db" | "clock">,
  user: { id: string; username: string },
  password: string,
  keepSessionId: string | null,
  isAllowed?: () => void,
): Promise<void> {
  const hash = await hashNewPassword(password, user.username, "new_password");
  db.tx(() => {
    isAllowed?.();
    updatePasswordHash(db, user.id, hash);
    revokeSessionsOf({ db, clock }, user.id, keepSessionId);
  });
}

/** The way back in from the host: new password, account active again, all sessions ended. Throws `user_not_found`. */
export async function resetPassword(
  { db, clock }: Pick<Deps, "db" | "clock">,
  username: string,
  password: string,
): Promise<void> {
  const row = findCredentials(db, username);
  if (!row) throw fail("user_not_found", { id: username });
  await changePassword({ db, clock }, row, password, null);
  db.tx(() => updateUser(db, { id: row.id, role: row.role, disabled_at: null }));
}
