import type { User } from "./contract.ts";
import type { UserRow } from "./store.ts";

/** A user as the API shows one. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    created_at: row.created_at,
    avatar_url: null,
    disabled: row.disabled_at !== null,
  };
}
