import { type Static, t } from "elysia";
import { answersAs, noContent, redirects } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can, open } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id, KnownEmail, Name } from "../../schemas.ts";
import { LoginBody } from "../sessions/contract.ts";

/** How many rules for roles a connector may have. */
const RULES_MAX = 50;
/** How many certificates of one provider are believed at a time. */
export const CERTIFICATES_MAX = 4;
/** The longest description of a provider that is read. */
export const METADATA_MAX = 512 * 1024;
/** How many domains a workspace may say are its own. */
export const DOMAINS_MAX = 20;

/** What a provider can make somebody; owners are made by owners alone. */
export const GivenRole = t.Union([
  t.Literal("org_admin"),
  t.Literal("org_manager"),
  t.Literal("org_viewer"),
  t.Literal("org_teacher"),
]);
export type GivenRole = Static<typeof GivenRole>;

export const RoleRule = t.Object({ value: t.String({ minLength: 1, maxLength: 200 }), role: GivenRole });
export type RoleRule = Static<typeof RoleRule>;

const Claim = Nullable(
  t.String({ minLength: 1, maxLength: 100, pattern: "^[!-~]+$", description: "must be the name of a claim" }),
);

/** What a provider speaks: OpenID Connect or SAML 2.0. */
export const ConnectorKind = t.Union([t.Literal("oidc"), t.Literal("saml")]);
export type ConnectorKind = Static<typeof ConnectorKind>;

/** What only a provider of SAML has. */
export const SamlInput = t.Object({
  /** Where people sign in, by the binding HTTP-Redirect; null while it is not known. */
  sign_on_url: Nullable(t.String({ minLength: 1, maxLength: 1000 })),
  /** Certificates of the keys that it signs with, as PEM or base64: two while it changes from one to the next. */
  certificates: t.Array(t.String({ maxLength: 12_000 }), { maxItems: CERTIFICATES_MAX }),
  /** Where its metadata stands, looked at daily for new certificates; null for one whose certificates are given by hand. */
  metadata_url: Nullable(t.String({ minLength: 1, maxLength: 1000 })),
  signs_requests: t.Boolean(),
  /** Whether our metadata offers a key to encrypt with. */
  takes_encrypted: t.Boolean(),
  /** What it calls the mail address; null tries the usual names. */
  email_attribute: Claim,
});
export type SamlInput = Static<typeof SamlInput>;

export const ConnectorInput = t.Object({
  /** `oidc` unless told. */
  kind: t.Optional(ConnectorKind),
  name: Name,
  /** How the provider names itself: its issuer, or its entity id. */
  issuer: t.String({ maxLength: 500 }),
  /** What a provider of OpenID Connect calls this panel: its client id. */
  oidc_client: t.Optional(
    t.String({ minLength: 1, maxLength: 255, pattern: "^[ -~]+$", description: "must be plain text" }),
  ),
  /** Has to be there for SAML. */
  saml: t.Optional(SamlInput),
  /** Left out, the one that is kept stays; null takes it away. */
  client_secret: t.Optional(Nullable(t.String({ minLength: 1, maxLength: 1000 }))),
  role_claim: Claim,
  role_rules: t.Array(RoleRule, { maxItems: RULES_MAX }),
  default_role: Nullable(GivenRole),
});
export type ConnectorInput = Static<typeof ConnectorInput>;

export const Mark = t.Union([t.Literal("ok"), t.Literal("warn"), t.Literal("bad")]);

/** One thing that the provider said, or should have. */
export const TestRow = t.Object({
  what: t.String(),
  sent: NullableText,
  needed: t.String(),
  note: NullableText,
  mark: Mark,
});
export type TestRow = Static<typeof TestRow>;

/** How far a test came; null for what it did not come to. */
export const TestSteps = t.Object({
  answered: Nullable(t.Boolean()),
  signed_in: Nullable(t.Boolean()),
  came_back: Nullable(t.Boolean()),
  let_in: Nullable(t.Boolean()),
});

export const TestReport = t.Object({
  at: t.String(),
  ok: t.Boolean(),
  /** What is wrong, or that nothing is, in one line. */
  headline: t.String(),
  /** What to do about it. */
  advice: t.String(),
  steps: TestSteps,
  rows: t.Array(TestRow),
  /** What whoever signed in would be here; null where they would not be let in. */
  role: NullableText,
});
export type TestReport = Static<typeof TestReport>;

export const ConnectorState = t.Union([t.Literal("off"), t.Literal("on"), t.Literal("enforced")]);
export type ConnectorState = Static<typeof ConnectorState>;

export const CertificateState = t.Union([t.Literal("ok"), t.Literal("ending"), t.Literal("expired")]);
export type CertificateState = Static<typeof CertificateState>;

export const Certificate = t.Object({
  pem: t.String(),
  subject: t.String(),
  /** SHA-256, as people compare it. */
  fingerprint: t.String(),
  expires_at: t.String(),
  /** `ending` within 30 days. One that has expired is believed on: it stands here because somebody put it here. */
  state: CertificateState,
});
export type Certificate = Static<typeof Certificate>;

/** What only a connector of SAML has. */
export const SamlConnector = t.Object({
  sign_on_url: NullableText,
  certificates: t.Array(Certificate),
  metadata_url: NullableText,
  /** When the metadata was looked at last, and what was wrong then. */
  metadata_checked_at: NullableText,
  metadata_problem: NullableText,
  signs_requests: t.Boolean(),
  takes_encrypted: t.Boolean(),
  email_attribute: NullableText,
  /** What the provider has to know: our name, where answers come, and our certificate. The name is where our metadata stands. */
  entity_id: t.String(),
  acs_url: t.String(),
  own_certificate: Nullable(Certificate),
});

export const Connector = t.Object({
  id: t.String(),
  kind: ConnectorKind,
  name: t.String(),
  issuer: t.String(),
  /** Null for SAML. */
  oidc_client: NullableText,
  /** Null for OpenID Connect. */
  saml: Nullable(SamlConnector),
  has_secret: t.Boolean(),
  role_claim: NullableText,
  role_rules: t.Array(RoleRule),
  default_role: Nullable(GivenRole),
  state: ConnectorState,
  /** True when a test of it as it is now went well. */
  tested: t.Boolean(),
  /** The last test, for those who may change the connector. */
  last_test: Nullable(TestReport),
  /** What the provider has to know: where people come back to. */
  redirect_uri: t.String(),
  /** Where people begin who come by a link. */
  start_url: t.String(),
  /** How many members came in through it. */
  members: t.Integer(),
  updated_at: t.String(),
});
export type Connector = Static<typeof Connector>;

export const ConnectorList = t.Object({
  items: t.Array(Connector),
  /** Said where the plan of the workspace has no single sign-on. */
  required_plan: t.Optional(t.String()),
  /** Owners who could come in without it, should it fail. */
  owners: t.Array(t.Object({ member_id: t.String(), name: t.String(), email: t.String(), has_factor: t.Boolean() })),
});
export type ConnectorList = Static<typeof ConnectorList>;

export const Domain = t.Object({
  id: t.String(),
  host: t.String(),
  purpose: t.Literal("sso"),
  /** What has to stand in the DNS. */
  txt_name: t.String(),
  txt_value: t.String(),
  /** `failing` is one whose proof is gone; after 14 days it is nobody's again. */
  state: t.Union([t.Literal("pending"), t.Literal("verified"), t.Literal("failing")]),
  verified_at: NullableText,
  checked_at: NullableText,
});
export type Domain = Static<typeof Domain>;

const Params = t.Object({ id: Id });
const Token = t.String({ minLength: 1, maxLength: 128 });

export const StartQuery = t.Object({
  /** A path of the dashboard to go on to. */
  return_to: t.Optional(t.String({ maxLength: 2000 })),
  /** Whom the provider should ask for. */
  login_hint: t.Optional(t.String({ maxLength: 254 })),
  /** Begins a test rather than a sign-in. */
  test: t.Optional(Token),
});

export const MetadataInput = t.Object({
  /** The text of it, or where it stands. */
  metadata: t.Optional(t.String({ minLength: 1, maxLength: METADATA_MAX })),
  url: t.Optional(t.String({ minLength: 1, maxLength: 1000 })),
});
export type MetadataInput = Static<typeof MetadataInput>;

/** A provider as it describes itself. */
export const MetadataFound = t.Object({
  issuer: t.String(),
  sign_on_url: t.String(),
  certificates: t.Array(Certificate),
  wants_signed_requests: t.Boolean(),
});

/** `password` proves an account that was there before. */
export const ExchangeInput = t.Object({
  code: Token,
  password: t.Optional(t.String({ maxLength: 1024 })),
  /** Whoever comes knows nothing of the account that has their address: where nobody ever proved it, they get one of their own. */
  anew: t.Optional(t.Boolean()),
});
export type ExchangeInput = Static<typeof ExchangeInput>;

export const fail = defineErrors({
  connector_not_found: [404, "There is no sign-in {id} in this workspace."],
  connector_limit: [409, "This workspace has a sign-in of its own already. Change that one, or delete it first."],
  connector_in_use: [
    409,
    "People come in through this sign-in. Turn it off before you name another provider or client.",
  ],
  connector_off: [409, "This sign-in is off. Turn it on first."],
  issuer_unusable: [422, "This address of a provider cannot be used: {reason}"],
  connector_kind: [409, "This sign-in speaks the other protocol. Delete it, then add one that speaks the new one."],
  connector_incomplete: [409, "This sign-in does not know its provider yet. Give the provider's metadata first."],
  provider_field_missing: [422, "A provider of this kind needs {field}."],
  sign_on_unusable: [422, "This address to sign in at cannot be used: it has to begin with https://."],
  certificate_unusable: [422, "This certificate cannot be used: {reason}"],
  metadata_unusable: [422, "This metadata cannot be used: {reason}"],
  metadata_unreachable: [502, "The metadata could not be fetched: {reason}"],
  not_tested: [409, "This sign-in was not tested as it is now. Run a test that goes well first."],
  domain_unverified: [409, "No domain of this workspace is verified yet. Verify the one of your mail addresses first."],
  owner_needed: [403, "Only an owner of the workspace may do this.", () => ({ error: "forbidden" })],
  owner_not_through: [
    409,
    "No owner came in through this sign-in within the last hour. Sign out and in through it once, so that nobody is locked out.",
  ],
  break_glass_not_found: [404, "There is no active owner {id} in this workspace."],
  break_glass_factor: [409, "{name} has no second factor. Who can come in without single sign-on needs one first."],
  domain_not_found: [404, "There is no domain {id} in this workspace."],
  domain_unusable: [422, "This is no domain of mail addresses. Give one such as example.org."],
  domain_known: [409, "This domain is in the list already."],
  domain_limit: [409, "A workspace can have {limit} domains. Remove one first."],
  domain_taken: [409, "Another workspace has proven that this domain is its own. Ask support if that is wrong."],
  domain_needed: [409, "This sign-in is on and needs a verified domain. Turn it off before you remove the last one."],
  txt_missing: [
    409,
    "The record is not there yet: {txt_name} has {found}. It can take an hour until everybody sees a new one; then check again.",
  ],
  dns_failed: [503, "The name servers did not answer. Try again in a minute."],
  sso_code_unknown: [
    401,
    "This sign-in took too long, was used already or began in another browser. Start again from the page of signing in.",
  ],
  sso_proof_missing: [
    401,
    "There is an account that has this address, or had it before. Give its passphrase once, so that it is linked to your company's sign-in.",
    () => ({ existing_account: true }),
  ],
  sso_refused: [403, "{reason}", ({ cause }) => ({ cause })],
});

/** Why somebody was not let in. */
export type RefusalCause =
  | "unsolicited"
  | "replay"
  | "other_browser"
  | "mix_up"
  | "changed"
  | "off"
  | "provider"
  | "unreachable"
  | "answer"
  | "signature"
  | "claims"
  | "clock"
  | "email_missing"
  | "email_unverified"
  | "domain"
  | "role"
  | "access_ended"
  | "other_person"
  | "suspended"
  | "closed"
  | "too_many";

type OfConnector = PanelEvent & { connector_id: string };

/** For how many days a certificate is still good, at most; 0 for one that has ended. */
export type CertificateLeft = 0 | 1 | 7 | 30;

/** The end of the last certificate of a provider. `follows` says that its metadata is looked at for the next one. */
export interface CertificateEnding {
  name: string;
  ends_at: string;
  left: CertificateLeft;
  follows: boolean;
}

export type SsoEvents = {
  "sso.connector_add": OfConnector & { name: string; issuer: string };
  "sso.connector_change": OfConnector & { name: string; change: Record<string, unknown> };
  "sso.connector_state": OfConnector & { name: string; state: ConnectorState; previous: ConnectorState };
  /** The provider's metadata has other certificates than before. */
  "sso.certificates_change": OfConnector & { name: string; certificates: string[] };
  "sso.certificate_ending": OfConnector & CertificateEnding;
  "sso.connector_remove": OfConnector & { name: string };
  "sso.test": OfConnector & { name: string; ok: boolean; result: string };
  "sso.refused": OfConnector & { cause: RefusalCause; reason: string; email: string | null };
  "sso.domain_add": PanelEvent & { domain_id: string; host: string };
  "sso.domain_verify": PanelEvent & { domain_id: string; host: string };
  "sso.domain_remove": PanelEvent & { domain_id: string; host: string };
  /** Its proof was gone for 14 days. */
  "sso.domain_lapse": PanelEvent & { domain_id: string; host: string };
  "account.sso_sign_in": PanelEvent;
  /** Somebody whom the provider named became a member. */
  "account.sso_join": PanelEvent & { email: string; role: string };
  /** An account that was there before was linked to somebody at the provider. */
  "account.sso_link": PanelEvent & { email: string };
  /** The provider gave a member another role. */
  "account.sso_role": PanelEvent & { role: string; previous_role: string };
};

/** The form that the binding HTTP-POST sends. */
const takesAnswer = () => ({
  detail: {
    requestBody: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object" as const,
            required: ["SAMLResponse", "RelayState"],
            properties: { SAMLResponse: { type: "string" as const }, RelayState: { type: "string" as const } },
          },
        },
      },
    },
    responses: { 303: { description: "Leads on to a page" } },
  },
});

const read = can("settings:read");
const write = can("settings:write", { ownRole: true });

export const ssoRoutes = defineRoutes({
  "GET /api/sso/connectors": { access: read, out: ConnectorList },
  "POST /api/sso/connectors": { access: write, body: ConnectorInput, out: Connector },
  "PUT /api/sso/connectors/{id}": { access: write, params: Params, body: ConnectorInput, out: Connector },
  "DELETE /api/sso/connectors/{id}": { access: write, params: Params, ...noContent() },
  "POST /api/sso/connectors/{id}/test": { access: write, params: Params, out: t.Object({ url: t.String() }) },
  "POST /api/sso/connectors/{id}/turn-on": { access: write, params: Params, out: Connector },
  "POST /api/sso/connectors/{id}/turn-off": { access: write, params: Params, out: Connector },
  /** Nobody comes in another way from then on, but for one owner. */
  "POST /api/sso/connectors/{id}/enforce": {
    access: write,
    params: Params,
    body: t.Object({ break_glass_member_id: Id }),
    out: Connector,
  },
  "GET /api/domains": { access: read, out: t.Object({ items: t.Array(Domain) }) },
  "POST /api/domains": { access: write, body: t.Object({ host: t.String({ maxLength: 253 }) }), out: Domain },
  "POST /api/domains/{id}/verify": { access: write, params: Params, out: Domain },
  "DELETE /api/domains/{id}": { access: write, params: Params, ...noContent() },
  /** Where somebody with this address signs in; null for every address that no workspace has to do with. */
  "POST /api/sso/discover": {
    access: open(),
    body: t.Object({ email: KnownEmail }),
    out: t.Object({ connector_url: NullableText, name: NullableText }),
  },
  "GET /api/sso/{id}/start": { access: open(), params: Params, query: StartQuery, ...redirects() },
  "GET /api/sso/{id}/callback": { access: open(), params: Params, query: "any", ...redirects() },
  /** Reads a provider's metadata, and changes nothing. */
  "POST /api/sso/read-metadata": { access: write, body: MetadataInput, out: MetadataFound },
  /** Our metadata for a provider of SAML. */
  "GET /api/sso/{id}/metadata": { access: open(), params: Params, ...answersAs("application/samlmetadata+xml") },
  /** Takes the answer of a provider of SAML, which the browser posts from there. */
  "POST /api/sso/{id}/acs": { access: open({ foreign: true }), params: Params, parse: "none", ...takesAnswer() },
  /** Where the browser goes on from there, with the cookie that it did not bring along. */
  "GET /api/sso/{id}/finish": { access: open(), params: Params, query: "any", ...redirects() },
  "POST /api/auth/sso/exchange": { access: open(), body: ExchangeInput, out: LoginBody },
});
export type SsoApi = ApiOf<typeof ssoRoutes>;
