import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, NullableText } from "../../../kernel/http/schema.ts";
import {
  NewChallenge,
  NewCredential,
  PasskeyProof,
  UseChallenge,
  UsedCredential,
} from "../../../shared/webauthn/contract.ts";
import { open, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";
import { LoginBody } from "../sessions/contract.ts";

/** What finishes a sign-in whose password was right. */
export const FactorMethod = t.Union([t.Literal("totp"), t.Literal("webauthn"), t.Literal("recovery_code")]);
export type FactorMethod = Static<typeof FactorMethod>;

/** The password was right, and the account has a second factor. */
export const FactorAwaited = t.Object({
  mfa_required: t.Literal(true),
  methods: t.Array(FactorMethod),
  /** The membership in the workspace that signing in leads to. */
  user_id: t.String(),
  /** Good for five minutes and as many tries. */
  mfa_token: t.String(),
});
export type FactorAwaited = Static<typeof FactorAwaited>;

/** To be shown once: the URI as a QR code, the secret for typing. Nothing changes until a code of it is verified. */
export const TotpEnrolment = t.Object({
  /** `otpauth://totp/…` */
  provisioning_uri: t.String(),
  /** Base 32. */
  secret: t.String(),
  /** The QR code of the URI: one text per row, `1` is dark. */
  qr: t.Array(t.String()),
});
export type TotpEnrolment = Static<typeof TotpEnrolment>;

const Code = t.String({ minLength: 1, maxLength: 64 });
const Token = t.String({ maxLength: 128 });

export const TotpStatus = t.Object({
  enabled: t.Boolean(),
  enabled_at: NullableText,
  recovery_codes_left: t.Integer(),
});
export type TotpStatus = Static<typeof TotpStatus>;

/** `code` may be a recovery code. `user_id` counts only where the operator lets it. */
export const CodeProof = t.Object({
  mfa_token: t.Optional(Token),
  user_id: t.Optional(t.String({ maxLength: 64 })),
  code: Code,
});
export type CodeProof = Static<typeof CodeProof>;

export const SecurityKey = t.Object({
  id: t.String(),
  name: t.String(),
  created_at: t.String(),
  last_used_at: NullableText,
});
export type SecurityKey = Static<typeof SecurityKey>;

export const KeyName = t.Object({ name: NameText(64) });
export const KeyParams = t.Object({ id: Id });

/** Without `session_id` it answers what this session asked for last. */
export const KeyRegistration = t.Object({
  session_id: t.Optional(Token),
  name: KeyName.properties.name,
  credential: NewCredential,
});
export type KeyRegistration = Static<typeof KeyRegistration>;

/** The passphrase of an account without second factor, else a code of the app or a key. */
export const StepUp = t.Object({
  password: t.Optional(t.String({ maxLength: 1024 })),
  code: t.Optional(Code),
  session_id: t.Optional(Token),
  credential: t.Optional(UsedCredential),
});
export type StepUp = Static<typeof StepUp>;

/** Until when what changes the ways in asks for no other proof. */
export const SteppedUp = t.Object({ status: t.Literal("ok"), expires_at: t.String() });
export type SteppedUp = Static<typeof SteppedUp>;

const Done = t.Object({ status: t.Literal("ok") });

export const fail = defineErrors({
  mfa_token_required: [
    401,
    "Sign in with your passphrase first; its answer carries the mfa_token that belongs here.",
    () => ({ error: "mfa_token_required" }),
  ],
  mfa_token_refused: [
    401,
    "This sign-in took too long, was tried too often or is finished. Start again with your passphrase.",
  ],
  factor_code_wrong: [401, "This code is wrong, was used or is too old. Wait for the next one and try again."],
  key_refused: [401, "This key was not accepted. Use one that you added to your account, or another way."],
  key_challenge_gone: [
    404,
    "This request is over five minutes old, was used already or is not of this session. Start again.",
  ],
  key_invalid: [400, "The browser's answer does not fit this request. Start again."],
  key_known: [409, "This key is registered already."],
  key_limit: [409, "An account can have {limit} keys. Remove one first."],
  key_not_found: [404, "There is no security key {id} of yours."],
  keys_unavailable: [409, "Security keys do not work here: {reason}"],
  totp_already_on: [409, "An authenticator app is set up already. Remove it first to set up another one."],
  totp_not_on: [409, "No authenticator app is set up for this account."],
  totp_not_started: [409, "Start with POST /api/auth/totp/enable: there is no secret to verify yet."],
  totp_code_invalid: [400, "This code does not fit the secret. Check the clock of your phone and try the next code."],
  no_factor: [409, "Recovery codes stand in for a second factor, and there is none yet. Add one first."],
  factor_wanted: [
    409,
    "The workspace {name} wants a second factor of its members, and this is your last one. Add another one first.",
  ],
  step_up_missing: [400, "Give one proof: password, code, or session_id with credential."],
  step_up_refused: [403, "This proof was not accepted. Check it and try again."],
});

/** The kinds of factors there are. */
export type FactorKind = "totp" | "key";

export type FactorEvents = {
  "account.factor_add": PanelEvent & { factor: FactorKind; name: string };
  "account.factor_remove": PanelEvent & { factor: FactorKind; name: string };
  /** The operator took every factor off an account, by command. */
  "account.factor_reset": PanelEvent & { member_id: string };
  /**
   * Somebody got in by a link, and what was added while the address was unproven was taken off; `left` where the membership is not
   * theirs.
   */
  "account.claim": PanelEvent & { member_id: string; left: boolean };
  "account.recovery_codes": PanelEvent;
  /** Somebody signed in with more than a password. */
  "account.factor_sign_in": PanelEvent & { method: FactorMethod | "passkey" };
  /** Somebody who knows the password, or is signed in, gave a wrong code or key. */
  "account.factor_failed": PanelEvent & { member_id: string; method: FactorMethod | "passkey" | "password" };
  /** The counter of a key went backwards: it may have been copied. */
  "account.key_copied": PanelEvent & { member_id: string; name: string };
};

/** Answers before there is a second factor, where the workspace wants one. */
const access = signedIn({ whileUnenrolled: true });

export const factorRoutes = defineRoutes({
  "GET /api/auth/totp": { access, out: TotpStatus },
  "POST /api/auth/totp/enable": { access, out: TotpEnrolment },
  "POST /api/auth/totp/verify": {
    access,
    body: t.Object({ code: Code }),
    out: t.Object({ message: t.String(), totp_enabled: t.Literal(true) }),
  },
  "POST /api/auth/totp/verify-login": { access: open(), body: CodeProof, out: LoginBody },
  "POST /api/auth/totp/disable": { access, out: Done },
  "POST /api/auth/recovery-codes": { access, out: t.Object({ codes: t.Array(t.String()) }) },
  "POST /api/auth/webauthn/login/begin": {
    access: open(),
    body: t.Object({ mfa_token: t.Optional(Token) }),
    out: UseChallenge,
  },
  "POST /api/auth/webauthn/login/finish": { access: open(), body: PasskeyProof, out: LoginBody },
  "POST /api/auth/webauthn/register/begin": { access, out: NewChallenge },
  "POST /api/auth/webauthn/register/finish": { access, body: KeyRegistration, out: SecurityKey },
  "GET /api/auth/webauthn/credentials": { access, out: t.Object({ credentials: t.Array(SecurityKey) }) },
  "PATCH /api/auth/webauthn/credentials/{id}": { access, params: KeyParams, body: KeyName, out: SecurityKey },
  "DELETE /api/auth/webauthn/credentials/{id}": { access, params: KeyParams, out: Done },
  /** Without password: the authenticator knows the account and has to check who holds it. */
  "POST /api/auth/passkeys/login/begin": { access: open(), out: UseChallenge },
  "POST /api/auth/passkeys/login/finish": { access: open(), body: PasskeyProof, out: LoginBody },
  "POST /api/auth/step-up/begin": { access, out: UseChallenge },
  "POST /api/auth/step-up": { access, body: StepUp, out: SteppedUp },
});
export type FactorApi = ApiOf<typeof factorRoutes>;
