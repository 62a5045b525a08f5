import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { can, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";
import { RoleName } from "../tenants/contract.ts";

export const Member = t.Object({
  id: t.String(),
  email: t.String(),
  display_name: t.String(),
  role: RoleName,
  /** A disabled member keeps their entry, but cannot enter. */
  status: t.Union([t.Literal("active"), t.Literal("disabled")]),
  presence: t.Union([t.Literal("online"), t.Literal("idle"), t.Literal("offline")]),
  last_seen_at: NullableText,
  current_page: NullableText,
});
export type Member = Static<typeof Member>;

export const MembersQuery = t.Object({ active_only: t.Optional(t.Union([t.Literal("true"), t.Literal("false")])) });
export const MemberParams = t.Object({ id: Id });

export const RoleInput = t.Object({ role: RoleName });
export const RoleChanged = t.Object({ id: t.String(), email: t.String(), role: RoleName, previous_role: RoleName });
export type RoleChanged = Static<typeof RoleChanged>;

/** `mode` says what became of the membership: it stays, disabled, when the audit log names it. */
export const MemberRemoved = t.Object({
  id: t.String(),
  status: t.Literal("removed"),
  mode: t.Union([t.Literal("deleted"), t.Literal("disabled")]),
});
export type MemberRemoved = Static<typeof MemberRemoved>;

export type TeamEvents = {
  "team.restore": PanelEvent & { member_id: string; role: RoleName };
  "team.remove": PanelEvent & { member_id: string; name: string; email: string; role: RoleName };
  "team.role_change": PanelEvent & { member_id: string; role: RoleName; previous_role: RoleName };
};

export const fail = defineErrors({
  member_not_found: [404, "There is no member {id} in this workspace."],
  remove_self: [409, "You cannot remove yourself. Leave the workspace instead."],
  member_active: [409, "{name} has access to this workspace already."],
  owner_required: [
    403,
    "Only an owner may make somebody an owner, change an owner's role, or remove an owner and take them back.",
  ],
});

export const teamRoutes = defineRoutes({
  "GET /api/team/members": { access: signedIn(), query: MembersQuery, out: t.Array(Member) },
  "PUT /api/team/members/{id}/role": {
    access: can("users:manage", { ownRole: true }),
    params: MemberParams,
    body: RoleInput,
    out: RoleChanged,
  },
  "DELETE /api/team/members/{id}": {
    access: can("users:manage", { ownRole: true }),
    params: MemberParams,
    out: MemberRemoved,
  },
  "POST /api/team/members/{id}/restore": {
    access: can("users:manage", { ownRole: true }),
    params: MemberParams,
    out: Member,
  },
});
export type TeamApi = ApiOf<typeof teamRoutes>;
