import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { openOrUser, user } from "../../access.ts";
import { LoginResult } from "../sign-ins/contract.ts";

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

/** With `temp_token`: finishes a login; `code` may be a recovery code. Without, signed in: turns TOTP on. */
export const TotpVerifyInput = t.Object({
  temp_token: t.Optional(t.String({ maxLength: 512 })),
  code: t.String({ minLength: 1, maxLength: 64 }),
});
export type TotpVerifyInput = Static<typeof TotpVerifyInput>;

export const TotpActivated = t.Object({ message: t.String(), totp_enabled: t.Literal(true) });
export const TotpVerifyResult = t.Union([LoginResult, TotpActivated]);
export type TotpVerifyResult = Static<typeof TotpVerifyResult>;

export const TotpStatus = t.Object({
  enabled: t.Boolean(),
  enabled_at: NullableText,
  recovery_codes_left: t.Integer(),
});
export type TotpStatus = Static<typeof TotpStatus>;

/** Either the password or a code (TOTP or recovery) of the account. */
export const Proof = t.Object({
  password: t.Optional(t.String({ maxLength: 1024 })),
  code: t.Optional(t.String({ maxLength: 64 })),
});
export type Proof = Static<typeof Proof>;

export const RecoveryCodes = t.Object({ codes: t.Array(t.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const fail = defineErrors({
  totp_already_on: [409, "Two-factor sign-in is on already. Turn it off first to set it up anew."],
  totp_not_on: [409, "Two-factor sign-in is not on for this account."],
  totp_not_started: [409, "Start with POST /api/auth/totp/enable: there is no secret to verify yet."],
  totp_code_wrong: [401, "This code is wrong, used or too old. Wait for the next one and try again."],
  totp_code_invalid: [400, "This code does not fit the secret. Check the clock of your phone and try the next code."],
  temp_token_refused: [401, "This sign-in took too long or was finished already. Start again with your password."],
  proof_required: [403, "Confirm with your password or a current code."],
  proof_wrong: [403, "The password or code is wrong."],
});

export type TotpEvents = {
  "totp.enabled": { user_id: string; ip: string };
  "totp.disabled": { user_id: string; ip: string };
  /** Somebody signed in wanted to turn it off or to have new recovery codes, with a wrong password or code. */
  "totp.proof_failed": { user_id: string; ip: string };
  "totp.recovery_codes_made": { user_id: string; ip: string };
  "totp.recovery_code_used": { user_id: string; ip: string; left: number };
};

export const totpRoutes = defineRoutes({
  "GET /api/auth/totp": { access: user(), out: TotpStatus },
  "POST /api/auth/totp/enable": { access: user(null, { keys: "never" }), out: TotpEnrolment },
  "POST /api/auth/totp/verify": { access: openOrUser(), body: TotpVerifyInput, out: TotpVerifyResult },
  "POST /api/auth/totp/disable": {
    access: user(null, { keys: "never" }),
    body: Proof,
    out: t.Object({ message: t.String() }),
  },
  /** The first ten need no proof; replacing them does. */
  "POST /api/auth/recovery-codes": {
    access: user(null, { keys: "never" }),
    body: t.Optional(Proof),
    out: RecoveryCodes,
  },
});
export type TotpApi = ApiOf<typeof totpRoutes>;
