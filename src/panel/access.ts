import type { OpenRule, RuleKinds } from "../kernel/http/access.ts";
import type { Permission } from "./permissions.ts";

export { open } from "../kernel/http/access.ts";

/** Asks for a permission in the workspace that the caller's token names. */
export type PermissionRule = Readonly<{
  kind: "permission";
  /** Null lets every signed-in caller through. */
  permission: Permission | null;
  /** Only the role in the workspace counts; staff hold nothing more here. */
  ownRole?: true;
  /** Takes a token that has expired, as long as it can still be renewed. */
  whileExpired?: true;
  /** Answers while the workspace is suspended. */
  whileSuspended?: true;
}>;

/** What a route of the panel asks of its caller. */
export type PanelRule = OpenRule | PermissionRule;

/** Members whose role carries the permission, and staff. With `ownRole` staff count by their role alone. */
export const can = (permission: Permission, extra: Pick<PermissionRule, "ownRole"> = {}): PermissionRule =>
  Object.freeze({ kind: "permission", permission, ...extra });

/** Everybody who is signed in. */
export const signedIn = (extra: Pick<PermissionRule, "whileExpired" | "whileSuspended"> = {}): PermissionRule =>
  Object.freeze({ kind: "permission", permission: null, ...extra });

/** What the kernel has to know of the panel's rules. */
export const panelRules: RuleKinds<PanelRule> = {
  open: { print: () => "open", schemes: {} },
  permission: {
    print({ permission, ownRole, whileExpired, whileSuspended }) {
      const exceptions = `${whileExpired ? " while-expired" : ""}${whileSuspended ? " while-suspended" : ""}`;
      return `${permission ?? "signed-in"}${ownRole ? " own-role" : ""}${exceptions}`;
    },
    schemes: {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      cookie: { type: "apiKey", in: "cookie", name: "access_token" },
    },
  },
};
