import type { Whose } from "../lib/fair-turns.ts";
import { holds, type Permission, type RoleName } from "./access.ts";
import type { TenantDb } from "./data/tenant-db.ts";

/** Who acts, and the only database they can reach: that of the workspace their token names. */
export interface Actor {
  account_id: string;
  /** The membership in the workspace. */
  member_id: string;
  tenant_id: string;
  role: RoleName;
  /** Of the panel's staff, with a second factor: who has none has the rights of their role alone. */
  is_staff: boolean;
  session_id: string;
  /** True when the workspace's own sign-in let them in: such a session is good for this workspace and nothing of the account. */
  is_wsl: boolean;
  db: TenantDb;
}

/** True for members whose role carries the permission, and for staff. */
export function may({ role, is_staff }: Pick<Actor, "role" | "is_staff">, permission: Permission): boolean {
  return is_staff || holds(role, permission);
}

const DIRECTORY_OF = "directory of ";

/** True for the name under which is counted what the directory of a workspace does. */
export const isDirectory = (counted: string): boolean => counted.startsWith(DIRECTORY_OF);

/**
 * The name under which is counted what an account does, or the directory of a workspace with all its tokens. What is done through a
 * workspace's own sign-in is counted for itself: whoever has the say about that must not use up what the account may do elsewhere.
 */
export const countedAs = ({
  account_id,
  tenant_id,
  is_wsl,
}: Pick<Actor, "account_id" | "tenant_id"> & { is_wsl?: boolean }): string => {
  if (account_id === "directory") return `${DIRECTORY_OF}${tenant_id}`;
  return is_wsl ? `${account_id} in ${tenant_id}` : account_id;
};

/** For whom is worked when an actor is answered, as fair turns count it; null for whoever is not signed in. */
export const whoseOf = ({ tenant_id, account_id }: Pick<Actor, "tenant_id" | "account_id">): Whose | null =>
  tenant_id === "" ? null : [tenant_id, account_id];
