/** The kinds of rules that a route of the panel can ask for: nothing, a session, or a permission in the workspace. */
import { open, type PermissionRule, type Rule, can as rule } from "../kernel/http/access.ts";

export { open };

/** Rules that routes of the panel can have. */
export type PanelRule = Extract<Rule, { kind: "open" }> | PermissionRule;

const ALL = [
  "fleet:read",
  "fleet:write",
  "fleet:shell",
  "settings:read",
  "settings:write",
  "users:manage",
  "tickets:read",
  "tickets:write",
] as const;

/** Every permission that a route of the panel can ask for. */
export type Permission = (typeof ALL)[number];

/** What a member can be in a workspace. */
export type RoleName = "org_owner" | "org_admin" | "org_manager" | "org_viewer" | "org_teacher";

const GRANTED: Record<RoleName, readonly string[]> = {
  org_owner: ALL,
  org_admin: ALL,
  org_manager: ["fleet:read", "fleet:write", "settings:read", "tickets:read", "tickets:write"],
  org_viewer: ["fleet:read", "settings:read", "tickets:read"],
  org_teacher: ["tickets:read"],
};

/** True when a role in a workspace carries the permission. */
export function holds(role: RoleName, permission: string): boolean {
  return GRANTED[role].includes(permission);
}

/** Members whose role carries the permission, and staff. With `ownRole` staff count by their role alone. */
export function can(permission: Permission, extra: Pick<PermissionRule, "ownRole"> = {}): PermissionRule {
  return rule(permission, extra);
}

/** Everybody who is signed in. */
export function signedIn(extra: Pick<PermissionRule, "whileExpired" | "whileSuspended"> = {}): PermissionRule {
  return rule(null, extra);
}
