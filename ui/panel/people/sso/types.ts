import type { Routes } from "../../client/routes.ts";

/** The connectors of the workspace, and who could come in without. */
export type Connectors = Routes["GET /api/sso/connectors"]["out"];
/** One of them. */
export type Connector = Connectors["items"][number];
/** What only one of SAML has. */
export type Saml = NonNullable<Connector["saml"]>;
/** A certificate of a provider, or ours. */
export type Certificate = Saml["certificates"][number];
/** What can be chosen about one. */
export type ConnectorInput = Routes["POST /api/sso/connectors"]["in"];
/** A domain of mail addresses. */
export type Domain = Routes["GET /api/domains"]["out"]["items"][number];

/** What only SAML has, as a change of it has to say. */
export const samlInputOf = ({
  sign_on_url,
  certificates,
  metadata_url,
  signs_requests,
  takes_encrypted,
  email_attribute,
}: Saml): NonNullable<ConnectorInput["saml"]> => ({
  ...{ sign_on_url, metadata_url, signs_requests, takes_encrypted, email_attribute },
  certificates: certificates.map(({ pem }) => pem),
});

/** What a connector is now, as a change of it has to say: the secret that is left out stays. */
export const inputOf = ({
  kind,
  name,
  issuer,
  oidc_client,
  saml,
  role_claim,
  role_rules,
  default_role,
}: Connector): ConnectorInput => ({
  ...{ kind, name, issuer, role_claim, role_rules, default_role },
  ...(oidc_client === null ? {} : { oidc_client }),
  ...(saml === null ? {} : { saml: samlInputOf(saml) }),
});
