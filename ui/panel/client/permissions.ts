import { user } from "./session.ts";
import type { RoleName } from "./types.ts";

/** Every permission that the page asks for. */
export const permissions = [
  "fleet:read",
  "fleet:write",
  "fleet:shell",
  "settings:read",
  "settings:write",
  "users:manage",
] as const;
type Permission = (typeof permissions)[number];

const granted: Record<RoleName, readonly Permission[]> = {
  org_owner: permissions,
  org_admin: permissions,
  org_manager: ["fleet:read", "fleet:write", "settings:read"],
  org_viewer: ["fleet:read", "settings:read"],
  org_teacher: [],
};

/** True when a role in a workspace carries the permission; the server has the last word. */
export function roleHas(role: RoleName, permission: Permission): boolean {
  return granted[role].includes(permission);
}

/** True when whoever is here may do it: by the role in the workspace, or as staff where that counts. */
export function may(permission: Permission, { ownRole = false }: { ownRole?: boolean } = {}): boolean {
  const who = user.value;
  if (!who) return false;
  return roleHas(who.role, permission) || (!ownRole && who.global_role === "admin");
}
