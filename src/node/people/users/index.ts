/** Users: the accounts of this node, their roles and passwords. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { endAfterReturn } from "./after-return.ts";
import { fail, type User, type UserChange } from "./contract.ts";
import { userMeanings } from "./events.ts";
import {
  type Along,
  type ChangedBy,
  changePassword,
  changeUser,
  createUser,
  type EndedWays,
  type Going,
  getUser,
  type NewAccount,
  resetPassword,
  tellCreated,
  underThisPassword,
} from "./logic.ts";
import init from "./migrations/0001_users.sql" with { type: "text" };
import profile from "./migrations/0002_profile.sql" with { type: "text" };
import leaving from "./migrations/0003_leaving.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createRemoval } from "./remove.ts";
import { bindUserRoutes } from "./routes.ts";
import { type Shut, shutAccount } from "./shut.ts";
import {
  type Credentials,
  countActiveAdmins,
  countUsers,
  findCredentials,
  findUser,
  isAvatarUsed,
  type UserRow,
  updateAvatar,
} from "./store.ts";

export { fail as usersFail, type User } from "./contract.ts";
export type { ChangedBy, EndedWays } from "./logic.ts";
export { presentUser } from "./present.ts";
export { countUsers, type UserRow } from "./store.ts";

export const usersFeature = defineFeature({
  name: "users",
  events: userMeanings,
  migrations: [init, profile, leaving],
  errors: fail.table,
});

/** The accounts of this node. What writes joins the caller's transaction, if there is one. */
export interface Users extends Part {
  count(): number;
  countActiveAdmins(): number;
  find(id: string): UserRow | null;
  /** The account with this id. Throws `user_not_found`. */
  get(id: string): UserRow;
  /** The account behind a user name (case does not matter) with its password hash. */
  findCredentials(username: string): Credentials | null;
  /** Holds until the account has another password: what was proven or allowed under the one before is worth nothing then. */
  underThisPassword(id: string): () => boolean;
  /** Creates an account. Throws `username_taken`, `password_unusable`. */
  create(account: NewAccount, along?: Along): Promise<User>;
  /** Tells of a new account. */
  tellCreated(by: ChangedBy, user: User): void;
  /** Changes role or active state; a disabled user's sessions end at once. Throws `user_not_found`, `last_admin`. */
  change(by: ChangedBy, id: string, change: UserChange): User;
  /**
   * Sets a new password and ends every other way into the account but those that are `going` on. `before` is called first
   * inside the transaction that writes, for rules that must hold at that very moment; `after` last, with what has ended.
   * Throws `password_unusable`.
   */
  changePassword(
    user: { id: string; username: string },
    password: string,
    going: Going,
    along?: { before?(): void; after?(ended: EndedWays): void },
  ): Promise<void>;
  /**
   * The way back in from the host: new password, account active again, all sessions and all lasting ways that are not
   * `kept` ended. `along` is called inside the same transaction. Throws `user_not_found`, `password_unusable`.
   */
  resetPassword(
    username: string,
    password: string,
    kept: readonly string[],
    along?: (userId: string, ended: EndedWays) => void,
  ): Promise<void>;
  /**
   * For data of an earlier day: all sessions end, and what lasts of the kinds that are named. Tells how many ways of the other kinds
   * still let people in.
   */
  endAfterReturn(kinds: readonly string[]): EndedWays;
  /**
   * Ends all that lets somebody into an account, its password too, and switches it off, also the last admin's: `disabled_at` is `at`
   * where it was on. Called inside a transaction. Throws `user_not_found`.
   */
  shut(by: ChangedBy, id: string, at: string): Shut;
  /** Notes which picture the account shows; null for none. */
  updateAvatar(id: string, sha256: string | null): void;
  /** True while some account shows the picture. */
  isAvatarUsed(sha256: string): boolean;
}

export function createUsers(needs: Needs): Users {
  const { db, lists } = needs;
  const removal = createRemoval(needs);
  lists.names.add((id) => findUser(db, id)?.username ?? null);
  lists.roles.add((id) => {
    const user = findUser(db, id);
    return user?.disabled_at === null ? user.role : null;
  });
  return {
    feature: usersFeature,
    count: () => countUsers(db),
    countActiveAdmins: () => countActiveAdmins(db),
    find: (id) => findUser(db, id),
    get: (id) => getUser(db, id),
    findCredentials: (username) => findCredentials(db, username),
    underThisPassword: (id) => underThisPassword(db, id),
    create: (account, along) => createUser(needs, account, along),
    tellCreated: (by, user) => tellCreated(needs, by, user),
    change: (by, id, change) => changeUser(needs, by, id, change),
    changePassword: (user, password, going, along) => changePassword(needs, user, password, going, along),
    resetPassword: (username, password, kept, along) => resetPassword(needs, username, password, kept, along),
    endAfterReturn: (kinds) => endAfterReturn(needs, kinds),
    shut: (by, id, at) => shutAccount(needs, by, id, at),
    updateAvatar: (id, sha256) => updateAvatar(db, id, sha256),
    isAvatarUsed: (sha256) => isAvatarUsed(db, sha256),
    routes: [bindUserRoutes(needs, removal)],
    jobs: [removal.job],
    // What was cut off with the program goes on.
    start: () => void removal.goOn(),
  };
}
