import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
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
});
export type User = Static<typeof User>;

export type TenantEvents = {
  "workspace.plan": PanelEvent & { plan: string; previous: string };
};

export const fail = defineErrors({
  last_owner: [
    409,
    "This is the workspace's only owner. Make another member an owner first.",
    () => ({ error: "last_owner" }),
  ],
});
