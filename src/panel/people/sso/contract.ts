import { type Static, t } from "elysia";
import { noContent, redirects } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can, open } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Email, Id, Name } from "../../schemas.ts";
import { LoginBody } from "../sessions/contract.ts";

/** How many rules for roles a connector may have. */
const RULES_MAX = 50;
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

export const ConnectorInput = t.Object({
  name: Name,
  issuer: t.String({ minLength: 1, maxLength: 500 }),
  /** What the provider calls this panel: its client id. */
  oidc_client: t.String({ minLength: 1, maxLength: 255, pattern: "^[ -~]+$", description: "must be plain text" }),
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

export const Connector = t.Object({
  id: t.String(),
  kind: t.Literal("oidc"),
  name: t.String(),
  issuer: t.String(),
  oidc_client: t.String(),
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

/** `password` proves an account that was there before. */
export const ExchangeInput = t.Object({ code: Token, password: t.Optional(t.String({ maxLength: 1024 })) });
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
    "There is an account with this address already. Give its passphrase once, so that it is linked to your company's sign-in.",
    () => ({ existing_account: true }),
  ],
  sso_refused: [403, "{reason}", ({ cause }) => ({ cause })],
});

/** Why somebody was not let in. */
export type RefusalCause =
  | "unsolicited"
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

export type SsoEvents = {
  "sso.connector_add": OfConnector & { name: string; issuer: string };
  "sso.connector_change": OfConnector & { name: string; change: Record<string, unknown> };
  "sso.connector_state": OfConnector & { name: string; state: ConnectorState; previous: ConnectorState };
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
    body: t.Object({ email: Email }),
    out: t.Object({ connector_url: NullableText, name: NullableText }),
  },
  "GET /api/sso/{id}/start": { access: open(), params: Params, query: StartQuery, ...redirects() },
  "GET /api/sso/{id}/callback": { access: open(), params: Params, ...redirects() },
  "POST /api/auth/sso/exchange": { access: open(), body: ExchangeInput, out: LoginBody },
});
export type SsoApi = ApiOf<typeof ssoRoutes>;
