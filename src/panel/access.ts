/** The kinds of rules that a route of the panel can ask for: nothing, a session, a permission in the workspace, or the token of its directory. */
import type { RuleKinds } from "../kernel/http/access.ts";

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

/** From the greatest role to the least. */
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

/** Every permission that a role carries. */
export const permissionsOf = (role: RoleName): readonly string[] => GRANTED[role];

const ROLES = Object.keys(GRANTED).filter(isRoleName);

/** True when whoever has `role` may do whatever `other` may. */
export const isAtLeast = (role: RoleName, other: RoleName): boolean => ROLES.indexOf(role) <= ROLES.indexOf(other);

/** The roles that carry a permission. */
export const rolesWith = (permission: Permission): RoleName[] => ROLES.filter((role) => holds(role, permission));

/** True for the name of a role. */
export function isRoleName(name: string): name is RoleName {
  return Object.hasOwn(GRANTED, name);
}

/** Lets everybody through. */
export type OpenRule = Readonly<{
  kind: "open";
  /** Also what a page of another site posts; nothing that is done then may rest on the cookies of the visitor. */
  foreign?: true;
}>;

/** Anyone, without credentials. */
export const open = (extra: Pick<OpenRule, "foreign"> = {}): OpenRule => Object.freeze({ kind: "open", ...extra });

/** Asks for a permission in the workspace that the caller's token names. */
export type PermissionRule = Readonly<{
  kind: "permission";
  /** Null lets every signed-in caller through. */
  permission: Permission | null;
  /** Only the staff of the panel, whatever their role in this workspace, and with a second factor. */
  staff?: true;
  /** Only the role in the workspace counts; staff hold nothing more here. */
  ownRole?: true;
  /** Takes a token that has expired, as long as it can still be renewed. */
  whileExpired?: true;
  /** Answers while the workspace is suspended. */
  whileSuspended?: true;
  /** Answers to a member who has no second factor in a workspace that wants one, or came in another way than it wants. */
  whileUnenrolled?: true;
  /** Ends sessions of the caller's: it answers also when their account has done as much lately as it may. */
  endsSessions?: true;
}>;

/** Asks for the token of a workspace's directory, which keeps its members in step and does nothing else. */
export type DirectoryRule = Readonly<{ kind: "directory" }>;

/** What a route of the panel asks of its caller. */
export type PanelRule = OpenRule | PermissionRule | DirectoryRule;

/** The directory of a workspace. */
export const directory = (): DirectoryRule => Object.freeze({ kind: "directory" });

/** Members whose role carries the permission, and staff. With `ownRole` staff count by their role alone. */
export const can = (permission: Permission, extra: Pick<PermissionRule, "ownRole"> = {}): PermissionRule =>
  Object.freeze({ kind: "permission", permission, ...extra });

/** Everybody who is signed in. */
export const signedIn = (
  extra: Pick<PermissionRule, "whileExpired" | "whileSuspended" | "whileUnenrolled" | "endsSessions"> = {},
): PermissionRule => Object.freeze({ kind: "permission", permission: null, ...extra });

/** The staff of the panel, from whatever workspace of theirs. */
export const staffOnly = (): PermissionRule =>
  Object.freeze({ kind: "permission", permission: null, staff: true, whileSuspended: true });

/** What the kernel has to know of the panel's rules. */
export const panelRules: RuleKinds<PanelRule> = {
  open: { print: ({ foreign }) => `open${foreign ? " foreign" : ""}`, schemes: {} },
  directory: { print: () => "directory", schemes: { directory: { type: "http", scheme: "bearer" } } },
  permission: {
    print({ permission, staff, ownRole, whileExpired, whileSuspended, whileUnenrolled, endsSessions }) {
      const exceptions = `${whileExpired ? " while-expired" : ""}${whileSuspended ? " while-suspended" : ""}${whileUnenrolled ? " while-unenrolled" : ""}${endsSessions ? " ends-sessions" : ""}`;
      return `${staff ? "staff" : (permission ?? "signed-in")}${ownRole ? " own-role" : ""}${exceptions}`;
    },
    schemes: {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      cookie: { type: "apiKey", in: "cookie", name: "access_token" },
    },
  },
};
