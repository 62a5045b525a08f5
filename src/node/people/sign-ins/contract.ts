import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { User } from "../users/contract.ts";

const tokenFields = { access_token: t.String(), refresh_token: t.String(), token_type: t.Literal("bearer") };

export const TokenPair = t.Object(tokenFields);
export type TokenPair = Static<typeof TokenPair>;

export const LoginResult = t.Object({ ...tokenFields, user: User });
export type LoginResult = Static<typeof LoginResult>;

/** What every way in but the password answers; both tokens also travel as cookies. */
export const SignedIn = t.Object({ access_token: t.String(), user: User });
export type SignedIn = Static<typeof SignedIn>;

/** The password was right; finish with `POST /api/auth/totp/verify` within five minutes. */
export const TotpRequired = t.Object({ totp_required: t.Literal(true), temp_token: t.String() });
export type TotpRequired = Static<typeof TotpRequired>;

export const fail = defineErrors({
  wrong_credentials: [401, "User name or password is wrong."],
});

export type SignInEvents = {
  "auth.signed_in": { user_id: string; session_id: string; ip: string; device: string; method: SignInMethod };
  "auth.sign_in_failed": { username: string; ip: string; method: SignInMethod };
};

export type SignInMethod =
  | "password"
  | "totp"
  | "recovery_code"
  | "passkey"
  | "approval"
  | "qr"
  | "unlock"
  | "invite"
  | "panel";
