import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { open, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import type { Language } from "../../languages.ts";
import { Email, KnownEmail, LanguageCode, Name } from "../../schemas.ts";
import { FactorAwaited } from "../factors/contract.ts";
import { LoginBody } from "../sessions/contract.ts";
import { Mode, User } from "../tenants/contract.ts";

const Password = t.String({ maxLength: 1024 });
const Ref = t.Optional(
  t.String({ minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9_-]+$", description: "must be a referral code" }),
);

export const RegisterInput = t.Object({ email: Email, password: Password, name: Name, ref: Ref });
export type RegisterInput = Static<typeof RegisterInput>;
export const RegisterQuery = t.Object({ ref: Ref });

export const Registered = t.Object({
  id: t.String(),
  email: t.String(),
  name: t.String(),
  tenant_id: t.String(),
  created_at: t.String(),
});
export type Registered = Static<typeof Registered>;

export const LoginInput = t.Object({ email: KnownEmail, password: Password });
export type LoginInput = Static<typeof LoginInput>;

export const ProfileInput = t.Object({ name: Name });

/** What letters to somebody are written in: what they chose, in all their workspaces; null leaves it to each of these. */
export const LanguageInput = t.Object({ language: Nullable(LanguageCode) });
/** `otherwise` is what holds in this workspace for as long as nothing is chosen. */
export const LanguageState = t.Object({ language: Nullable(LanguageCode), otherwise: LanguageCode });
export type LanguageState = Static<typeof LanguageState>;

export const PasswordChange = t.Object({ old_password: Password, new_password: Password });
export const PasswordChangeEither = t.Object({
  old_password: t.Optional(Password),
  current_password: t.Optional(Password),
  new_password: Password,
});

/** `{}` says that the person is through. */
export const OnboardingInput = t.Object({ mode: t.Optional(Mode), complete: t.Optional(t.Boolean()) });
export type OnboardingInput = Static<typeof OnboardingInput>;

export const Done = t.Object({ status: t.Literal("ok") });

export type AccountEvents = {
  "account.register": PanelEvent;
  "account.sign_in": PanelEvent;
  /** Somebody gave a wrong password for the account of this member. */
  "account.sign_in_failed": PanelEvent & { member_id: string };
  "account.sign_out": PanelEvent;
  /** Somebody is through with their first steps. */
  "account.onboarding": PanelEvent;
  "account.password_change": PanelEvent;
  "account.profile_change": PanelEvent & { name: string };
  "account.language_change": PanelEvent & { language: Language | null };
};

export const fail = defineErrors({
  email_taken: [409, "There is an account with this email address already. Sign in instead."],
  wrong_credentials: [401, "Email address or password is wrong."],
  wrong_password: [403, "The current password is wrong."],
  password_unusable: [400, "This password {reason}. Choose another one."],
});

/** Going on and going away must work wherever somebody is. */
const always = signedIn({ whileExpired: true, whileSuspended: true, whileUnenrolled: true, endsSessions: true });

export const accountRoutes = defineRoutes({
  "POST /api/auth/register": { access: open(), query: RegisterQuery, body: RegisterInput, out: Registered },
  "POST /api/auth/login": { access: open(), body: LoginInput, out: t.Union([LoginBody, FactorAwaited]) },
  "GET /api/auth/me": { access: signedIn({ whileSuspended: true, whileUnenrolled: true }), out: User },
  "PUT /api/auth/profile": { access: signedIn(), body: ProfileInput, out: User },
  "GET /api/auth/language": { access: signedIn(), out: LanguageState },
  "PUT /api/auth/language": { access: signedIn(), body: LanguageInput, out: LanguageState },
  "POST /api/auth/change-password": { access: signedIn({ endsSessions: true }), body: PasswordChange, out: Done },
  "POST /api/auth/password": { access: signedIn({ endsSessions: true }), body: PasswordChangeEither, out: Done },
  "POST /api/auth/onboarding": { access: signedIn(), body: OnboardingInput, out: LoginBody },
  "POST /api/auth/refresh": { access: always, out: LoginBody },
  "POST /api/auth/logout": { access: always, out: Done },
});
export type AccountApi = ApiOf<typeof accountRoutes>;
