import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { type Static, type TSchema, t } from "elysia";
import { Nullable } from "../../kernel/http/schema.ts";

/** What `navigator.credentials.create/get` takes, in JSON form (`PublicKeyCredential.parse…OptionsFromJSON`): the browser's affair. */
const AnyOptions = t.Record(t.String(), t.Unknown());
const challengeOf = <Options extends TSchema>(publicKey: Options) =>
  t.Object({ session_id: t.String(), options: t.Object({ publicKey }) });

/** Begins a registration. */
export const NewChallenge = challengeOf(
  t.Unsafe<Omit<PublicKeyCredentialCreationOptionsJSON, "extensions">>(AnyOptions),
);
export type NewChallenge = Static<typeof NewChallenge>;

/** Begins a sign-in. */
export const UseChallenge = challengeOf(
  t.Unsafe<Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">>(AnyOptions),
);
export type UseChallenge = Static<typeof UseChallenge>;

const Base64Url = t.String({ maxLength: 65_536, pattern: "^[A-Za-z0-9_-]*$" });
const credentialFields = {
  id: t.String({ minLength: 1, maxLength: 2048, pattern: "^[A-Za-z0-9_-]+$" }),
  rawId: t.String({ minLength: 1, maxLength: 2048, pattern: "^[A-Za-z0-9_-]+$" }),
  type: t.Literal("public-key"),
  authenticatorAttachment: t.Optional(t.Union([t.Literal("platform"), t.Literal("cross-platform"), t.Null()])),
  clientExtensionResults: t.Optional(t.Record(t.String(), t.Unknown())),
};

/** `PublicKeyCredential.toJSON()` of a registration. */
export const NewCredential = t.Object({
  ...credentialFields,
  response: t.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    authenticatorData: t.Optional(Base64Url),
    publicKey: t.Optional(Base64Url),
    publicKeyAlgorithm: t.Optional(t.Number()),
    transports: t.Optional(t.Array(t.String({ maxLength: 32 }), { maxItems: 10 })),
  }),
});
export type NewCredential = Static<typeof NewCredential>;

/** `PublicKeyCredential.toJSON()` of a sign-in. */
export const UsedCredential = t.Object({
  ...credentialFields,
  response: t.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: t.Optional(Nullable(Base64Url)),
  }),
});
export type UsedCredential = Static<typeof UsedCredential>;

/** An authenticator's answer to a challenge. */
export const PasskeyProof = t.Object({ session_id: t.String({ maxLength: 128 }), credential: UsedCredential });
export type PasskeyProof = Static<typeof PasskeyProof>;
