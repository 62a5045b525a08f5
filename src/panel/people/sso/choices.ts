import { kernelFail } from "../../../kernel/http/errors.ts";
import { days } from "../../../lib/duration.ts";
import { type ConnectorInput, fail, type SamlInput } from "./contract.ts";
import { checkIssuer, isUsableSignOn } from "./issuer.ts";
import type { Own } from "./needs.ts";
import { fingerprintOf, readCertificate } from "./saml/certificates.ts";
import type { OwnKey } from "./saml/own-key.ts";
import { readSettings, type SamlSettings } from "./saml/settings.ts";
import type { ConnectorRow } from "./store.ts";

/** What the secret of a connector is sealed for. */
export const secretPurpose = (connectorId: string): string => `sso.${connectorId}`;

/** What somebody chose about a connector, checked. */
export interface Choices {
  input: ConnectorInput;
  saml: SamlInput | null;
}

function checkOidc(own: Own, { issuer, oidc_client, saml }: ConnectorInput): void {
  checkIssuer(own.outgoing, issuer);
  if (oidc_client === undefined) throw fail("provider_field_missing", { field: "oidc_client" });
  if (saml !== undefined) throw kernelFail("invalid_request", { field: "saml", reason: "is for providers of SAML" });
}

function checkSaml(own: Own, { oidc_client, client_secret, saml }: ConnectorInput): SamlInput {
  if (saml === undefined) throw fail("provider_field_missing", { field: "saml" });
  for (const [field, value] of Object.entries({ oidc_client, client_secret }))
    if (value !== undefined)
      throw kernelFail("invalid_request", { field, reason: "is for providers of OpenID Connect" });
  if (saml.sign_on_url !== null && !isUsableSignOn(saml.sign_on_url))
    throw fail("sign_on_unusable", { field: "sign_on_url" });
  if (saml.metadata_url !== null) checkIssuer(own.outgoing, saml.metadata_url, "metadata_url");
  return { ...saml, certificates: [...new Set(saml.certificates.map(readCertificate))] };
}

/** Checks what was chosen, before the transaction that stores it. */
export function choose(own: Own, input: ConnectorInput): Choices {
  if ((input.kind ?? "oidc") === "saml") return { input, saml: checkSaml(own, input) };
  checkOidc(own, input);
  return { input, saml: null };
}

/** Whether the choices need a key of ours that is not there yet. `before` is the connector as it is, where there is one. */
export const needsKey = ({ saml }: Choices, before: ConnectorRow | null): boolean =>
  saml !== null && (saml.signs_requests || saml.takes_encrypted) && (before?.sealed_secret ?? null) === null;

function settingsOf(saml: SamlInput, key: OwnKey | null, before: SamlSettings | null): SamlSettings {
  const isSamePlace = before !== null && before.metadata_url === saml.metadata_url;
  return {
    ...saml,
    checked_at: isSamePlace ? before.checked_at : null,
    problem: isSamePlace ? before.problem : null,
    own_certificate: before?.own_certificate ?? key?.certificate ?? null,
  };
}

/** What is stored of the choices for the connector `id`, with a key that was made for it; `before` is the row as it is now. */
export function rowOf(own: Own, id: string, { input, saml }: Choices, key: OwnKey | null, before: ConnectorRow | null) {
  const { name, issuer, oidc_client = "", role_claim, role_rules, default_role, client_secret } = input;
  const former = before?.sealed_secret ?? null;
  const given = saml === null ? client_secret : former === null ? key?.private_key : undefined;
  return {
    ...{ name, issuer, role_claim, default_role, kind: input.kind ?? "oidc" },
    oidc_client: saml === null ? oidc_client : "",
    role_rules: JSON.stringify(role_rules),
    sealed_secret: given === undefined ? former : given === null ? null : own.seal.seal(secretPurpose(id), given),
    metadata_due: saml === null || saml.metadata_url === null ? null : own.clock.now() + days(1),
    saml: saml === null ? null : JSON.stringify(settingsOf(saml, key, readSettings(before?.saml ?? null))),
  };
}

/**
 * True where the choices make it another provider or client than before. Certificates change one after the other while people come
 * in; when not one of them stays, it is another provider.
 */
export function isAnother(before: ConnectorRow, after: Pick<ConnectorRow, "issuer" | "oidc_client" | "saml">): boolean {
  if (before.issuer !== after.issuer || before.oidc_client !== after.oidc_client) return true;
  const [was, is] = [readSettings(before.saml), readSettings(after.saml)];
  if (!was || !is) return false;
  return was.sign_on_url !== is.sign_on_url || !was.certificates.some((pem) => is.certificates.includes(pem));
}

/**
 * True where the choices believe a signature that was not believed before: by a certificate, or by what an address will say. Of OpenID
 * Connect nobody but the provider itself has the keys.
 */
export function believesMore(before: ConnectorRow, after: Pick<ConnectorRow, "saml">): boolean {
  const [was, is] = [readSettings(before.saml), readSettings(after.saml)];
  if (!is) return false;
  const isElsewhere = is.metadata_url !== null && is.metadata_url !== was?.metadata_url;
  return isElsewhere || is.certificates.some((pem) => was?.certificates.includes(pem) !== true);
}

/** What differs, as the audit log keeps it. */
export function changesOf(before: ConnectorRow, after: ConnectorRow): Record<string, unknown> {
  const told = ["issuer", "oidc_client", "role_claim", "role_rules", "default_role"] as const;
  const plain = told.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]]);
  const [was, is] = [readSettings(before.saml), readSettings(after.saml)];
  const names = ["sign_on_url", "metadata_url", "signs_requests", "takes_encrypted", "email_attribute"] as const;
  const own = is === null ? [] : names.filter((key) => was?.[key] !== is[key]).map((key) => [key, is[key]]);
  const pins = (settings: SamlSettings | null): string[] => settings?.certificates.map(fingerprintOf) ?? [];
  const isPinned = pins(was).join() === pins(is).join();
  return { ...Object.fromEntries([...plain, ...own]), ...(isPinned ? {} : { certificates: pins(is) }) };
}
