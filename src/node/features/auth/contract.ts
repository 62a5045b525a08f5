import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { Password, User, Username } from "../users/contract.ts";

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

const tokenFields = { access_token: t.String(), refresh_token: t.String(), token_type: t.Literal("bearer") };

export const TokenPair = t.Object(tokenFields);
export type TokenPair = Static<typeof TokenPair>;

export const LoginResult = t.Object({ ...tokenFields, user: User });
export type LoginResult = Static<typeof LoginResult>;

/** The token may come from the cookie instead, so a body is not required. */
export const RefreshInput = t.Optional(t.Object({ refresh_token: t.Optional(t.String({ maxLength: 512 })) }));
export type RefreshInput = Static<typeof RefreshInput>;

/** Signing out takes any token, also one that could never have been ours. */
export const LogoutInput = t.Optional(t.Object({ refresh_token: t.Optional(t.String()) }));
export type LogoutInput = Static<typeof LogoutInput>;

export const PasswordChange = t.Object({ current_password: Password, new_password: Password });
export type PasswordChange = Static<typeof PasswordChange>;

export const Me = t.Object({ ...User.properties, locked: t.Optional(t.Boolean()) });
export type Me = Static<typeof Me>;

export const Message = t.Object({ message: t.String() });

export const fail = defineErrors({
  setup_done: [409, "This node has its owner already. Sign in instead."],
  claim_token_wrong: [
    403,
    "The claim token is missing or wrong. The installer printed it; `orrery-node install` shows it again.",
  ],
  refresh_missing: [401, "There is no refresh token in the cookie or the body. Sign in again."],
  wrong_credentials: [401, "User name or password is wrong."],
});

/** What the sign-in chapter tells the rest of the node. */
export type AuthEvents = {
  "auth.owner_created": { user_id: string; username: string; ip: string };
  "auth.signed_in": { user_id: string; session_id: string; ip: string; device: string };
  "auth.sign_in_failed": { username: string; ip: string };
  "auth.signed_out": { session_id: string };
  "auth.password_changed": { user_id: string; ip: string };
};

export type AuthApi = {
  "POST /api/auth/setup": { in: SetupInput; out: SetupResult };
  "POST /api/auth/login": { in: LoginInput; out: LoginResult };
  "POST /api/auth/refresh": { in: RefreshInput; out: TokenPair };
  "POST /api/auth/logout": { in: LogoutInput; out: { message: string } };
  "GET /api/auth/me": { out: Me };
  "POST /api/auth/change-password": { in: PasswordChange; out: { message: string } };
};
