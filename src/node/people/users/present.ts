import type { User } from "./contract.ts";
import type { UserRow } from "./store.ts";

/** A user as the API shows one. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    created_at: row.created_at,
    avatar_url: row.avatar_sha256 === null ? null : `/api/avatars/${row.avatar_sha256}.png`,
    disabled: row.disabled_at !== null,
  };
}
