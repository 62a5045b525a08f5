import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { upgradeWire } from "../../../shared/plans/index.ts";
import type { PanelEvent } from "../../event-meaning.ts";

export const RoleName = t.Union([
  t.Literal("org_owner"),
  t.Literal("org_admin"),
  t.Literal("org_manager"),
  t.Literal("org_viewer"),
  t.Literal("org_teacher"),
]);
export type RoleName = Static<typeof RoleName>;

export const Mode = t.Union([t.Literal("business"), t.Literal("msp"), t.Literal("family"), t.Literal("school")]);
export type Mode = Static<typeof Mode>;

/** A person in the current workspace: `id` is the membership, `account_id` the same in all workspaces. */
export const User = t.Object({
  id: t.String(),
  tenant_id: t.String(),
  account_id: t.String(),
  email: t.String(),
  display_name: t.String(),
  role: RoleName,
  global_role: Nullable(t.Literal("admin")),
  email_verified: t.Boolean(),
  onboarding_completed: t.Boolean(),
  tenant_name: t.String(),
  tenant_mode: Mode,
  /** The workspace wants a second factor, and this person has none: little else answers until they have. */
  mfa_enrollment_required: t.Optional(t.Literal(true)),
  /** The workspace wants its members to come in through its own sign-in, of this id; little else answers until they have. */
  sso_required: t.Optional(t.String()),
  /** Whoever runs the panel suspended the workspace: little else answers than the ways elsewhere. */
  workspace_suspended: t.Optional(t.Literal(true)),
});
export type User = Static<typeof User>;

export type TenantEvents = {
  "workspace.plan": PanelEvent & { plan: string; previous: string };
  /** An account never proved its address, which whoever the domain is of has given to somebody. */
  "account.address_release": PanelEvent & { member_id: string; email: string };
};

export const fail = defineErrors({
  upgrade_required: [
    402,
    "{what} part of the {required_plan} plan; this workspace is on the {current_plan} plan. Upgrade to use this.",
    upgradeWire,
  ],
  last_owner: [
    409,
    "This is the workspace's only owner. Make another member an owner first.",
    () => ({ error: "last_owner" }),
  ],
  break_glass_kept: [
    409,
    "{name} is the owner who can come in without single sign-on. Name another one there first.",
    () => ({ error: "last_owner" }),
  ],
  no_workspace: [403, "This account has no workspace it can enter. Ask an owner to let you in again."],
});
