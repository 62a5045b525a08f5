import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, NullableText } from "../../../kernel/http/schema.ts";
import { NewChallenge, NewCredential, PasskeyProof, UseChallenge } from "../../../shared/webauthn/contract.ts";
import { open, user } from "../../access.ts";
import { SignedIn } from "../sign-ins/contract.ts";

export const Passkey = t.Object({
  id: t.String(),
  name: t.String(),
  created_at: t.String(),
  last_used_at: NullableText,
});
export type Passkey = Static<typeof Passkey>;

export const PasskeyList = t.Object({ passkeys: t.Array(Passkey) });
export const PasskeyName = t.Object({ name: NameText(64) });
export const PasskeyParams = t.Object({ id: t.String() });
export const PasskeyCreated = t.Object({ id: t.String(), name: t.String(), created_at: t.String() });
export type PasskeyCreated = Static<typeof PasskeyCreated>;

export const PasskeyRegistration = t.Object({
  session_id: t.String({ maxLength: 128 }),
  name: PasskeyName.properties.name,
  credential: NewCredential,
});
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** The passkey did not check who holds it, and the account wants two factors: finish with `POST /api/auth/totp/verify`. */
export const PasskeyTotpRequired = t.Object({
  totp_required: t.Literal(true),
  user_id: t.String(),
  temp_token: t.String(),
});

export const PasskeyLoginResult = t.Union([SignedIn, PasskeyTotpRequired]);
export type PasskeyLoginResult = Static<typeof PasskeyLoginResult>;

export const fail = defineErrors({
  passkeys_unavailable: [409, "Passkeys do not work here: {reason}"],
  passkey_challenge_gone: [400, "This passkey request is over five minutes old or was used already. Start again."],
  passkey_invalid: [400, "The browser's answer does not fit this request. Start again."],
  passkey_refused: [401, "This passkey was not accepted."],
  passkey_not_found: [404, "There is no passkey {id} of yours."],
  passkey_known: [409, "This passkey is registered already."],
  passkey_limit: [409, "An account can have {limit} passkeys. Delete one first."],
});

export type PasskeyEvents = {
  "passkey.registered": { user_id: string; passkey_id: string; name: string; ip: string };
  "passkey.deleted": { user_id: string; passkey_id: string; name: string; ip: string };
  "passkey.counter_regressed": { user_id: string; passkey_id: string; stored: number; offered: number; ip: string };
};

export const passkeyRoutes = defineRoutes({
  "GET /api/auth/passkeys": { access: user(), out: PasskeyList },
  "PATCH /api/auth/passkeys/{id}": { access: user(), params: PasskeyParams, body: PasskeyName, out: Passkey },
  "DELETE /api/auth/passkeys/{id}": { access: user(), params: PasskeyParams, ...noContent() },
  "POST /api/auth/passkeys/register/begin": { access: user(null, { keys: "never" }), out: NewChallenge },
  "POST /api/auth/passkeys/register/finish": {
    access: user(null, { keys: "never" }),
    body: PasskeyRegistration,
    out: PasskeyCreated,
  },
  "POST /api/auth/passkeys/login/begin": { access: open(), out: UseChallenge },
  "POST /api/auth/passkeys/login/finish": { access: open(), body: PasskeyProof, out: PasskeyLoginResult },
});
export type PasskeyApi = ApiOf<typeof passkeyRoutes>;
