import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { open, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { MailOutcome } from "../../platform/mail/contract.ts";
import { Email } from "../../schemas.ts";

export const EmailStatus = t.Object({
  email: t.String(),
  /** Somebody has opened a link that went there. */
  verified: t.Boolean(),
  /** The address that is to take its place once a link that went there is opened. */
  pending: NullableText,
  /** Whether this panel sends mail at all. */
  by_mail: t.Boolean(),
  /** What became of the last letter to it, of the account or of this workspace: one that was not taken comes first. */
  mail: Nullable(MailOutcome),
});
export type EmailStatus = Static<typeof EmailStatus>;

export type EmailProofEvents = {
  /** Somebody proved that they read what is sent to the address of their account. */
  "account.email_verify": PanelEvent & { member_id: string };
  "account.email_change": PanelEvent & { member_id: string; email: string; previous: string };
};

export const fail = defineErrors({
  email_mail_off: [
    409,
    "This panel sends no mail, so no address can prove itself. Ask whoever runs it to set mail up.",
  ],
  email_verified: [409, "This address has proven itself already, and letters reach it."],
  email_given_up: [
    409,
    "This account had to give its address up, because whoever its domain is of gave it to somebody. Choose another one.",
  ],
  email_same: [409, "This is the address of your account already."],
  email_link_unknown: [
    404,
    "This link was used already, has run out, or another address was chosen. Ask for another one.",
  ],
  email_sign_in_first: [
    403,
    "Nobody is signed in here to the account that wants this address. Sign in to it in this browser, then open the link again. If you have no such account, do nothing.",
  ],
  email_limit: [409, "This account had so many addresses that it can only take one of those again, or keep this one."],
  email_in_use: [409, "Another account has this address by now. Choose another one."],
});

const Accepted = t.Object({ status: t.Literal("accepted") });

export const emailProofRoutes = defineRoutes({
  "GET /api/auth/email": { access: signedIn(), out: EmailStatus },
  // The answer is the same for an address that has an account, so that nobody learns of it.
  "PUT /api/auth/email": { access: signedIn(), body: t.Object({ email: Email }), out: { 202: Accepted } },
  "DELETE /api/auth/email": { access: signedIn(), out: t.Object({ status: t.Literal("dropped") }) },
  "POST /api/auth/email/send": { access: signedIn(), out: { 202: Accepted } },
  // By POST, so that the token stands in no address and no log, and no program that looks at letters uses it up.
  "POST /api/auth/email/confirm": {
    access: open(),
    body: t.Object({ token: t.String({ minLength: 1, maxLength: 128 }) }),
    out: t.Object({ status: t.Literal("ok"), email: t.String(), changed: t.Boolean() }),
  },
});
export type EmailProofApi = ApiOf<typeof emailProofRoutes>;
