import { sign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { toIso } from "../../../../lib/clock.ts";
import { escapeHtml } from "../../../../lib/escape-html.ts";
import { BINDING, NS } from "./names.ts";

/** What a provider is asked. */
export interface SamlRequest {
  id: string;
  now: number;
  /** Where the browser goes. */
  sign_on_url: string;
  entity_id: string;
  acs_url: string;
  /** Comes back with the answer. */
  relay_state: string;
  /** Whom the provider should ask for; those that know no such hint pass it over. */
  login_hint: string | null;
  /** Our own key, PEM; null leaves the request unsigned. */
  private_key: string | null;
}

const SIGNED_BY = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

function write({ id, now, sign_on_url, entity_id, acs_url }: SamlRequest): string {
  const attributes = [
    `xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ID="${id}" Version="2.0" IssueInstant="${toIso(now)}"`,
    `Destination="${escapeHtml(sign_on_url)}" AssertionConsumerServiceURL="${escapeHtml(acs_url)}" ProtocolBinding="${BINDING.post}"`,
  ].join(" ");
  const content = `<saml:Issuer>${escapeHtml(entity_id)}</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/>`;
  return `<samlp:AuthnRequest ${attributes}>${content}</samlp:AuthnRequest>`;
}

/** The address that sends a browser to the provider with a request: the binding HTTP-Redirect, signed where there is a key. */
export function requestUrl(request: SamlRequest): string {
  const packed = deflateRawSync(Buffer.from(write(request))).toString("base64");
  const asked = `SAMLRequest=${encodeURIComponent(packed)}&RelayState=${encodeURIComponent(request.relay_state)}`;
  const url = new URL(request.sign_on_url);
  if (request.login_hint !== null) url.searchParams.set("login_hint", request.login_hint);
  const before = `${url.href}${url.search === "" ? "?" : "&"}`;
  if (request.private_key === null) return before + asked;
  // Signed is the query as it is written, so nothing may write it anew.
  const signed = `${asked}&SigAlg=${encodeURIComponent(SIGNED_BY)}`;
  const signature = sign("sha256", Buffer.from(signed), request.private_key).toString("base64");
  return `${before}${signed}&Signature=${encodeURIComponent(signature)}`;
}
