import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { CODE_VERIFIER } from "../../../shared/panel-identity/index.ts";
import { can, open, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { RoleName } from "../../people/tenants/contract.ts";

const NodeId = t.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", description: "must be the id of a node" });
const Uri = t.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: "^https?://[\\x21-\\x7e]+$",
  description: "must be a web address",
});

/** What a node asks for when it sends somebody here (RFC 6749, section 4.1.1, with PKCE). */
const AUTHORIZATION = {
  response_type: t.Literal("code"),
  /** The node's instance id. */
  client_id: NodeId,
  /** One of the addresses that the node itself reports; compared letter by letter. */
  redirect_uri: Uri,
  /** Given back as it came. */
  state: t.String({
    minLength: 8,
    maxLength: 512,
    pattern: "^[\\x21-\\x7e]+$",
    description: "must be text without spaces",
  }),
  code_challenge: t.String({ pattern: "^[A-Za-z0-9_-]{43}$", description: "must be a SHA-256 in base64url" }),
  code_challenge_method: t.Literal("S256"),
};

export const AuthorizationQuery = t.Object(AUTHORIZATION);
export type AuthorizationQuery = Static<typeof AuthorizationQuery>;

export const ConsentInput = t.Object({ ...AUTHORIZATION, approve: t.Boolean() });
export type ConsentInput = Static<typeof ConsentInput>;

/** Who asks, and what it is going to learn. */
export const Preflight = t.Object({
  client: t.Object({ id: t.String(), hostname: t.String(), redirect_host: t.String() }),
  user: t.Object({ email: t.String(), display_name: t.String(), role: RoleName }),
  workspace: t.Object({ id: t.String(), name: t.String() }),
});
export type Preflight = Static<typeof Preflight>;

export const NodeParams = t.Object({ id: NodeId });
/** Good once, for 60 seconds. */
export const Impersonation = t.Object({ session_url: t.String() });

/** Where the browser goes next: back to the node, with a code or with `error=access_denied`. */
export const Consent = t.Object({ redirect_to: t.String() });

export const TokenInput = t.Object({
  grant_type: t.Literal("authorization_code"),
  code: t.String({ minLength: 1, maxLength: 128 }),
  redirect_uri: Uri,
  client_id: NodeId,
  code_verifier: t.String({ pattern: CODE_VERIFIER }),
  client_assertion_type: t.Literal("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
  /** Signed with the secret that the node got when it registered. */
  client_assertion: t.String({ minLength: 1, maxLength: 2_000 }),
});
export type TokenInput = Static<typeof TokenInput>;

/** `access_token` is a JWT that tells the node who signed in; it opens nothing on the panel. */
export const TokenOutput = t.Object({
  access_token: t.String(),
  token_type: t.Literal("bearer"),
  expires_in: t.Integer(),
});
export type TokenOutput = Static<typeof TokenOutput>;

/** A node asks which of the panel's staff its workspace lets in now. */
export const VisitsInput = t.Object({
  tenant_id: t.String({ minLength: 1, maxLength: 64 }),
  client_id: NodeId,
  /** As in `TokenInput`. */
  client_assertion: t.String({ minLength: 1, maxLength: 2_000 }),
});
export type VisitsInput = Static<typeof VisitsInput>;

/** Their accounts. */
export const Visits = t.Object({ open: t.Array(t.String()) });
export type Visits = Static<typeof Visits>;

const standard = (error: string) => () => ({ error });

export type OauthEvents = {
  /** Somebody let a node know who they are. */
  "oauth.consent": PanelEvent & { node_id: string; redirect_host: string };
  /** Somebody opened a node as themselves; `identity` names what the node was given. */
  "fleet.impersonate": PanelEvent & { node_id: string; identity: string; address: string };
};

export const fail = defineErrors({
  unknown_client: [404, "There is no node {id} in this workspace. Switch to the workspace that it belongs to."],
  redirect_refused: [
    400,
    "The node {id} does not answer at this address, as far as it has told us. Open it at one of its own addresses and try again.",
  ],
  sign_in_role: [403, "Your role in this workspace does not let you into its nodes. Ask an owner for another one."],
  visit_unsupported: [
    409,
    "The node {id} would keep staff of the panel signed in after the permit that let them in. Update it, and have the operator set CP_PUBLIC_URL on the panel.",
  ],
  node_address_unknown: [
    409,
    "The node {id} has not told yet at which address it is reached. Wait for its next heartbeat.",
  ],
  invalid_client: [401, "The node could not prove that it is the one it names.", standard("invalid_client")],
  invalid_grant: [
    400,
    "The code is unknown, used up or expired, or it was given for another request. Start the sign-in again.",
    standard("invalid_grant"),
  ],
});

export const oauthRoutes = defineRoutes({
  "GET /api/oauth/authorize/preflight": { access: signedIn(), query: AuthorizationQuery, out: Preflight },
  "POST /api/oauth/authorize/consent": { access: signedIn(), body: ConsentInput, out: Consent },
  "POST /api/oauth/token": { access: open(), body: TokenInput, out: TokenOutput },
  "POST /api/oauth/visits": { access: open(), body: VisitsInput, out: Visits },
  "POST /api/fleet/instances/{id}/impersonate": {
    access: can("fleet:write"),
    params: NodeParams,
    out: Impersonation,
  },
});
export type OauthApi = ApiOf<typeof oauthRoutes>;
