import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { open, openUntilSetUp, user } from "../../access.ts";
import { LoginResult, TokenPair, TotpRequired } from "../sign-ins/contract.ts";
import { Kept, Password, User, Username } from "../users/contract.ts";

export const SetupInput = t.Object({
  username: Username,
  password: Password,
  claim_token: t.Optional(t.String({ maxLength: 200 })),
});
export type SetupInput = Static<typeof SetupInput>;

export const SetupResult = t.Object({
  message: t.String(),
  user: t.Object({ id: t.String(), username: t.String(), created_at: t.String() }),
});
export type SetupResult = Static<typeof SetupResult>;

export const LoginInput = t.Object({ username: t.String({ maxLength: 256 }), password: Password });
export type LoginInput = Static<typeof LoginInput>;

export const LoginOutcome = t.Union([LoginResult, TotpRequired]);
export type LoginOutcome = Static<typeof LoginOutcome>;

/** The token may come from the cookie instead, so a body is not required. */
export const RefreshInput = t.Optional(t.Object({ refresh_token: t.Optional(t.String({ maxLength: 512 })) }));
export type RefreshInput = Static<typeof RefreshInput>;

/**
 * Signing out takes any body, also one that says nothing: it always answers 200, so nothing may be refused before its handler
 * has read what it can.
 */
const anyBody: { readonly parse: "none"; readonly detail: Readonly<Record<string, unknown>> } = {
  parse: "none",
  detail: {
    requestBody: {
      required: false,
      content: {
        "application/json": { schema: { type: "object", properties: { refresh_token: { type: "string" } } } },
      },
    },
  },
};

/** API keys, paired apps, passkeys and WebDAV passwords end with the old password, unless they are `keep`. */
export const PasswordChange = t.Object({ current_password: Password, new_password: Password, keep: Kept });
export type PasswordChange = Static<typeof PasswordChange>;

export const Me = t.Object({
  ...User.properties,
  locked: t.Optional(t.Boolean()),
  /** True while the password is a temporary one: everything else answers 403 until it is changed. */
  must_change_password: t.Optional(t.Boolean()),
});
export type Me = Static<typeof Me>;

export const CpStatus = t.Object({
  connected: t.Boolean(),
  panel_url: NullableText,
  /** Whether the sign-in page offers the control panel as a way in. */
  sign_in_available: t.Boolean(),
});
export type CpStatus = Static<typeof CpStatus>;

export const Message = t.Object({ message: t.String() });

export const fail = defineErrors({
  setup_done: [409, "This node has its owner already. Sign in instead."],
  claim_token_wrong: [
    403,
    "The claim token is missing or wrong. The installer printed it; `orrery-node install` shows it again.",
  ],
  setup_host_refused: [
    403,
    "Setup is refused under the name {host}, which another site could have pointed here. Open this server by its address, or set SERVICE_WEBAUTHN_RP_ID={host} and restart it.",
  ],
  refresh_missing: [401, "There is no refresh token in the cookie or the body. Sign in again."],
  password_change_required: [403, "Your password is a temporary one. Change it first."],
});

/** What the sign-in chapter tells the rest of the node. */
export type AuthEvents = {
  "auth.owner_created": { user_id: string; username: string; ip: string };
  "auth.signed_out": { user_id: string; session_id: string; ip: string };
  /** `ended` counts the API keys, paired apps, passkeys and WebDAV passwords that ended with the old password. */
  "auth.password_changed": { user_id: string; ip: string; ended: Record<string, number> };
  /** The password that holds now was wrong. */
  "auth.password_change_failed": { user_id: string; ip: string };
  /** From the host itself, which also takes the second factor off; `ip` says `host`. */
  "auth.password_reset": { user_id: string; ip: string; ended: Record<string, number> };
};

export const authRoutes = defineRoutes({
  "POST /api/auth/setup": { access: openUntilSetUp(), body: SetupInput, out: SetupResult },
  "POST /api/auth/login": { access: open(), body: LoginInput, out: LoginOutcome },
  "POST /api/auth/refresh": { access: open(), body: RefreshInput, out: TokenPair },
  "POST /api/auth/logout": { access: open(), out: Message, ...anyBody },
  "GET /api/auth/me": { access: user(null, { whileLocked: true, whileTemporary: true }), out: Me },
  "GET /api/auth/cp-status": { access: open(), out: CpStatus },
  "POST /api/auth/change-password": {
    access: user(null, { whileTemporary: true, keys: "never" }),
    body: PasswordChange,
    out: Message,
  },
});
export type AuthApi = ApiOf<typeof authRoutes>;
