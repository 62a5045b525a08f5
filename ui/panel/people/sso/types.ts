import type { Routes } from "../../client/routes.ts";

/** The connectors of the workspace, and who could come in without. */
export type Connectors = Routes["GET /api/sso/connectors"]["out"];
/** One of them. */
export type Connector = Connectors["items"][number];
/** What can be chosen about one. */
export type ConnectorInput = Routes["POST /api/sso/connectors"]["in"];
/** A domain of mail addresses. */
export type Domain = Routes["GET /api/domains"]["out"]["items"][number];

/** What a connector is now, as a change of it has to say: the secret that is left out stays. */
export const inputOf = ({
  name,
  issuer,
  oidc_client,
  role_claim,
  role_rules,
  default_role,
}: Connector): ConnectorInput => ({
  ...{ name, issuer, oidc_client, role_claim, role_rules, default_role },
});
