import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { plainCharacter } from "../../../lib/plain-text.ts";
import { can, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { MailOutcome } from "../../platform/mail/contract.ts";
import { Id } from "../../schemas.ts";
import { RoleName } from "../tenants/contract.ts";

const person = { id: t.String(), email: t.String(), display_name: t.String(), role: RoleName };

const whereabouts = {
  presence: t.Union([t.Literal("online"), t.Literal("idle"), t.Literal("offline")]),
  last_seen_at: NullableText,
  /** The path of the page they look at; null for who is not here, or uses the panel without its pages. */
  current_page: NullableText,
};

export const MemberPresence = t.Object({ ...person, ...whereabouts });
export type MemberPresence = Static<typeof MemberPresence>;

export const Member = t.Object({
  ...person,
  /** A disabled member keeps their entry, but cannot enter. */
  status: t.Union([t.Literal("active"), t.Literal("disabled")]),
  ...whereabouts,
});
export type Member = Static<typeof Member>;

/** A member as the list of the team shows them. */
export const TeamMember = t.Object({
  ...Member.properties,
  /** Whether more than a password guards their account; null for callers who do not manage the team. */
  second_factor: t.Union([t.Boolean(), t.Null()]),
  /** What became of the last letter of this workspace to their address; null where none was sent, and for those callers. */
  mail: Nullable(MailOutcome),
  /** One of the panel's staff, who came by a permit: comes and goes with it, and stays a viewer. */
  is_visitor: t.Boolean(),
});
export type TeamMember = Static<typeof TeamMember>;

export const MembersQuery = t.Object({ active_only: t.Optional(t.Union([t.Literal("true"), t.Literal("false")])) });
export const MemberParams = t.Object({ id: Id });

export const RoleInput = t.Object({ role: RoleName });
export const RoleChanged = t.Object({ id: t.String(), email: t.String(), role: RoleName, previous_role: RoleName });
export type RoleChanged = Static<typeof RoleChanged>;

/** How many members a list has at most. */
export const MEMBERS_MAX = 5000;

export const PageSeen = t.Object({
  page: t.String({
    maxLength: 200,
    pattern: `^/(?!/)${plainCharacter("[^?#\\\\]")}*$`,
    description: "must be the path of a page: it begins with /, and has no query and no invisible characters",
  }),
});

export const PresenceQuery = t.Object({ limit: t.Integer({ minimum: 1, maximum: MEMBERS_MAX, default: MEMBERS_MAX }) });

export const PresenceList = t.Object({
  /** Who is here, online or idle; those heard of last come first. */
  users: t.Array(MemberPresence),
  /** All who may enter the workspace, the first ones first. */
  members: t.Array(MemberPresence),
});
export type PresenceList = Static<typeof PresenceList>;

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
  /** Everybody but the one owner lost their access, because the owner's account is another person's now. */
  "team.clear": PanelEvent & { member_id: string; count: number };
  "team.role_change": PanelEvent & { member_id: string; role: RoleName; previous_role: RoleName };
};

export const fail = defineErrors({
  member_not_found: [404, "There is no member {id} in this workspace."],
  remove_self: [409, "You cannot remove yourself. Leave the workspace instead."],
  member_active: [409, "{name} has access to this workspace already."],
  member_is_visitor: [
    409,
    "{name} is of the staff of this panel, and in this workspace only while it lets support in. Begin or end that under Settings, Access for support.",
  ],
  owner_required: [
    403,
    "Only an owner may make somebody an owner, change an owner's role, or remove an owner and take them back.",
  ],
});

export const teamRoutes = defineRoutes({
  "GET /api/team/members": { access: signedIn(), query: MembersQuery, out: t.Array(TeamMember) },
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
  "GET /api/presence": { access: signedIn(), query: PresenceQuery, out: PresenceList },
  "POST /api/presence/heartbeat": {
    access: signedIn(),
    body: PageSeen,
    ...noContent(),
  },
});
export type TeamApi = ApiOf<typeof teamRoutes>;
