import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { KnownEmail } from "../../schemas.ts";

/** An invitation is the first way in of an account that the operator made; a reset leads back into one. */
export const LinkKind = t.Union([t.Literal("invite"), t.Literal("reset")]);
export type LinkKind = Static<typeof LinkKind>;

const Token = t.String({ minLength: 1, maxLength: 128 });

export const accountLinkRoutes = defineRoutes({
  // By POST, so that the token stands in no address and no log.
  "POST /api/auth/link/look": {
    access: open(),
    body: t.Object({ token: Token }),
    out: t.Object({ kind: LinkKind, email: t.String(), display_name: t.String(), expires_at: t.String() }),
  },
  "POST /api/auth/link/use": {
    access: open(),
    body: t.Object({ token: Token, password: t.String({ maxLength: 1024 }) }),
    out: t.Object({ status: t.Literal("ok"), email: t.String() }),
  },
  /** How somebody who forgot their password gets back in. */
  "GET /api/auth/recovery": { access: open(), out: t.Object({ by_mail: t.Boolean() }) },
  // The answer is the same for every address, so that nobody learns who has an account.
  "POST /api/auth/forgot-password": {
    access: open(),
    body: t.Object({ email: KnownEmail }),
    out: t.Object({ status: t.Literal("accepted") }),
  },
});
export type AccountLinkApi = ApiOf<typeof accountLinkRoutes>;

export type AccountLinkEvents = {
  /** The operator made a link, by command. */
  "account.link": PanelEvent & { member_id: string; kind: LinkKind };
  /** A link was mailed to the owner of an account, as somebody asked for. */
  "account.reset_mailed": PanelEvent & { member_id: string };
  /** Somebody chose a password with one. */
  "account.link_used": PanelEvent & { member_id: string; kind: LinkKind };
  /** The operator made somebody platform staff, or ended that. */
  "account.staff": PanelEvent & { member_id: string; staff: boolean };
};

export const fail = defineErrors({
  link_unknown: [404, "This link was used already, has run out, or a newer one took its place. Ask for another one."],
  mail_off: [
    503,
    "This panel sends no mail. Ask whoever runs it for a link: `orrery-panel reset-password --email {email}` prints one.",
  ],
  link_password_unusable: [400, "This password {reason}. Choose another one."],
});
