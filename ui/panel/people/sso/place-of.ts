import type { Connector } from "./types.ts";

/** What a provider speaks, by name. */
export const protocolNames: Record<Connector["kind"], string> = { oidc: "OpenID Connect", saml: "SAML 2.0" };

/** Where a provider is, in short; empty while none is known. */
export function placeOf({ issuer, saml }: Pick<Connector, "issuer" | "saml">): string {
  const url = saml?.sign_on_url ?? issuer;
  return URL.canParse(url) ? new URL(url).hostname || issuer : issuer;
}

/** True once it is known where people sign in and what is believed. */
export const isKnown = ({ issuer, saml }: Pick<Connector, "issuer" | "saml">): boolean =>
  issuer !== "" && (saml === null || (saml.sign_on_url !== null && saml.certificates.length > 0));
