import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can, open } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { MailOutcome } from "../../platform/mail/contract.ts";
import { Id, LanguageCode, Name } from "../../schemas.ts";
import { RoleName } from "../tenants/contract.ts";

/** How many addresses one call may have. */
export const EMAILS_MAX = 50;
/** How many invitations of a workspace may be open at a time. */
export const OPEN_MAX = 500;

export const Invitation = t.Object({
  id: t.String(),
  email: t.String(),
  role: RoleName,
  state: t.Union([t.Literal("pending"), t.Literal("accepted"), t.Literal("expired")]),
  /** The name of the member who invited; null when they are gone. */
  invited_by: NullableText,
  created_at: t.String(),
  expires_at: t.String(),
  accepted_at: NullableText,
  /** What became of its last letter; null where none was sent, and once it is accepted. */
  mail: Nullable(MailOutcome),
});
export type Invitation = Static<typeof Invitation>;

export const InvitationList = t.Object({
  items: t.Array(Invitation),
  /** Whether this panel sends invitations by mail; without, whoever invites hands the links out. */
  by_mail: t.Boolean(),
});
export type InvitationList = Static<typeof InvitationList>;

export const BulkInput = t.Object({
  /** A text has addresses between commas, semicolons or lines. */
  emails: t.Union([t.String({ maxLength: 20_000 }), t.Array(t.String({ maxLength: 320 }), { maxItems: EMAILS_MAX })]),
  role: RoleName,
  /** What the letters are written in to people who chose no language; null, or nothing, leaves it to the workspace. */
  language: t.Optional(Nullable(LanguageCode)),
});
export type BulkInput = Static<typeof BulkInput>;

export const SkipReason = t.Union([
  t.Literal("invalid email"),
  t.Literal("already a member"),
  t.Literal("already invited"),
]);
export type SkipReason = Static<typeof SkipReason>;

/** `url` is the link to hand out, shown only now; null where it went by mail. */
export const Invited = t.Composite([Invitation, t.Object({ url: NullableText })]);
export type Invited = Static<typeof Invited>;

export const BulkDone = t.Object({
  invited: t.Array(Invited),
  skipped: t.Array(t.Object({ email: t.String(), reason: SkipReason })),
});
export type BulkDone = Static<typeof BulkDone>;

const InvitationParams = t.Object({ id: Id });
const Token = t.String({ minLength: 1, maxLength: 128 });

/** A new account needs `name` and `password`, one that exists its password or its bearer token. */
export const AcceptInput = t.Object({
  token: Token,
  password: t.Optional(t.String({ maxLength: 1024 })),
  name: t.Optional(Name),
});
export type AcceptInput = Static<typeof AcceptInput>;

export const Accepted = t.Object({
  accepted: t.Literal(true),
  /** The new membership. */
  user_id: t.String(),
  tenant_id: t.String(),
  existing_account: t.Boolean(),
  /** Said where the invitation was to own the workspace. */
  activated: t.Optional(t.Literal(true)),
});
export type Accepted = Static<typeof Accepted>;

export const InvitationLook = t.Object({
  email: t.String(),
  role: RoleName,
  workspace: t.String(),
  invited_by: NullableText,
  expires_at: t.String(),
  existing_account: t.Boolean(),
});
export type InvitationLook = Static<typeof InvitationLook>;

export const fail = defineErrors({
  invitation_not_found: [404, "There is no open invitation {id} in this workspace."],
  invitation_unknown: [
    404,
    "This invitation was used already, taken back, or has run out. Ask whoever invited you for another one.",
  ],
  invitation_proof_missing: [
    401,
    "There is an account with this address already. Give its passphrase, or sign in to it first.",
    () => ({ existing_account: true }),
  ],
  invitation_password_unusable: [400, "This password {reason}. Choose another one."],
  too_many_invitations: [409, "{limit} invitations of this workspace are open. Take some back first."],
  owner_invites_owners: [403, "Only an owner may invite somebody to be an owner."],
  already_here: [409, "This account is a member of the workspace already. Sign in instead."],
  access_was_ended: [
    403,
    "An owner or admin of the workspace ended this account's access, and alone can give it back.",
  ],
  workspace_closed: [403, "The workspace {name} is suspended, so nobody can join it now."],
  member_of_too_many: [409, "This account is in {limit} workspaces. Leave one of them first."],
  invitation_mail_off: [503, "This panel sends no mail. Copy the link of the invitation and send it yourself."],
});

const manage = can("users:manage", { ownRole: true });

export const invitationRoutes = defineRoutes({
  "GET /api/invitations": { access: manage, out: InvitationList },
  // 200 when nobody was invited.
  "POST /api/invitations/bulk": { access: manage, body: BulkInput, out: { 200: BulkDone, 201: BulkDone } },
  "POST /api/invitations/{id}/resend": { access: manage, params: InvitationParams, out: Invitation },
  /** A link to hand out, in place of the one that was copied before. */
  "POST /api/invitations/{id}/link": {
    access: manage,
    params: InvitationParams,
    out: t.Object({ url: t.String(), expires_at: t.String() }),
  },
  "DELETE /api/invitations/{id}": { access: manage, params: InvitationParams, ...noContent() },
  // By POST, so that the token stands in no address and no log.
  "POST /api/auth/invitation/look": { access: open(), body: t.Object({ token: Token }), out: InvitationLook },
  "POST /api/auth/accept-invite": { access: open(), body: AcceptInput, out: Accepted },
});
export type InvitationApi = ApiOf<typeof invitationRoutes>;

export type InvitationEvents = {
  "team.invite": PanelEvent & { invitation_id: string; email: string; role: RoleName };
  "team.invite_resend": PanelEvent & { invitation_id: string; email: string };
  /** Somebody took a link to hand out. */
  "team.invite_link": PanelEvent & { invitation_id: string; email: string };
  "team.invite_revoke": PanelEvent & { invitation_id: string; email: string };
  /** Somebody became a member by an invitation. */
  "account.join": PanelEvent & { invitation_id: string; email: string; role: RoleName; invited_by: string };
};
