import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { admin, open } from "../../access.ts";
import { SignedIn, TotpRequired } from "../sign-ins/contract.ts";
import { Kept, Password, RoleName, User, Username, UserParams } from "../users/contract.ts";

/** An account whose owner chooses the password by themselves. */
export const InviteInput = t.Object({ username: Username, role: RoleName });
export type InviteInput = Static<typeof InviteInput>;

/** `link` is a path of this node with the token in its fragment, which browsers never send; shown once. */
export const Invite = t.Object({ user: User, link: t.String(), token: t.String(), expires_at: t.String() });
export type Invite = Static<typeof Invite>;

/** A link that waits to be opened: whoever has it chooses the password of `username` until `expires_at`. */
export const OpenInvite = t.Object({
  user_id: t.String(),
  username: t.String(),
  made_by: t.Object({ id: t.String(), username: t.String() }),
  expires_at: t.String(),
});
export type OpenInvite = Static<typeof OpenInvite>;

export const InviteToken = t.Object({ token: t.String({ minLength: 1, maxLength: 128 }) });
/** `lasting` counts what lets people into the account besides its password, and ends with the old one unless it is kept. */
export const InviteInfo = t.Object({
  username: t.String(),
  role: RoleName,
  expires_at: t.String(),
  lasting: t.Object({ keys: t.Integer(), devices: t.Integer(), passkeys: t.Integer(), webdav: t.Integer() }),
});
export type InviteInfo = Static<typeof InviteInfo>;
export const InviteAcceptance = t.Object({ ...InviteToken.properties, password: Password, keep: Kept });
export type InviteAcceptance = Static<typeof InviteAcceptance>;
/** An account with a second factor asks for it here too: finish with `POST /api/auth/totp/verify`. */
export const InviteAccepted = t.Union([SignedIn, TotpRequired]);
export type InviteAccepted = Static<typeof InviteAccepted>;
export const InviteParams = UserParams;

export const fail = defineErrors({
  invite_refused: [
    401,
    "This invitation was used, replaced or is too old, or whoever made it may no longer invite. Ask for a new one.",
  ],
  invite_not_found: [404, "No link waits for this account: it was used or withdrawn, or is too old."],
  invite_self: [409, "A link is for somebody else's account. Change your own passphrase in your settings."],
});

export type InviteEvents = {
  "invite.created": { actor_id: string; user_id: string; username: string; ip: string };
  "invite.withdrawn": { actor_id: string; user_id: string; ip: string };
  "invite.accepted": { user_id: string; ip: string; ended: Record<string, number> };
};

export const inviteRoutes = defineRoutes({
  "POST /api/users/invites": { access: admin("users", { keys: "never" }), body: InviteInput, out: Invite },
  /** A new link for an account; the old one stops working. Also the way to reset somebody's password. */
  "POST /api/users/{id}/invite": { access: admin("users", { keys: "never" }), params: InviteParams, out: Invite },
  "GET /api/users/invites": { access: admin("users"), out: t.Array(OpenInvite) },
  "DELETE /api/users/{id}/invite": { access: admin("users"), params: InviteParams, ...noContent() },
  "POST /api/auth/invites/look": { access: open(), body: InviteToken, out: InviteInfo },
  "POST /api/auth/invites/accept": { access: open(), body: InviteAcceptance, out: InviteAccepted },
});
export type InviteApi = ApiOf<typeof inviteRoutes>;
