import { Value } from "@sinclair/typebox/value";
import { type Static, t } from "elysia";
import { Nullable, NullableText } from "../../../../kernel/http/schema.ts";
import { toIso } from "../../../../lib/clock.ts";
import { parseJson } from "../../../../lib/json.ts";
import { samlAddresses } from "../addresses.ts";
import type { Connector } from "../contract.ts";
import { presentCertificate } from "./certificates.ts";

/** What a connector keeps that only SAML has; times in milliseconds. */
const SamlSettings = t.Object({
  sign_on_url: NullableText,
  certificates: t.Array(t.String()),
  metadata_url: NullableText,
  checked_at: Nullable(t.Integer()),
  problem: NullableText,
  signs_requests: t.Boolean(),
  takes_encrypted: t.Boolean(),
  email_attribute: NullableText,
  /** Ours, PEM; its key is the sealed secret of the connector. */
  own_certificate: NullableText,
});
export type SamlSettings = Static<typeof SamlSettings>;

/** What is stored as JSON by us, checked all the same; null for a connector of another kind. */
export function readSettings(json: string | null): SamlSettings | null {
  const told = json === null ? null : parseJson(json);
  return Value.Check(SamlSettings, told) ? told : null;
}

/** What only SAML has, as the API shows it; null for a connector of another kind. */
export function presentSaml(row: { id: string; saml: string | null }, origin: string, now: number): Connector["saml"] {
  const settings = readSettings(row.saml);
  if (!settings) return null;
  const { certificates, checked_at, problem, own_certificate, ...rest } = settings;
  return {
    ...rest,
    certificates: certificates.map((pem) => presentCertificate(pem, now)),
    metadata_checked_at: checked_at === null ? null : toIso(checked_at),
    metadata_problem: problem,
    own_certificate: own_certificate === null ? null : presentCertificate(own_certificate, now),
    ...samlAddresses(origin, row.id),
  };
}

/** True once it is known where people sign in and whose signature is believed. */
export const isComplete = (settings: SamlSettings | null, issuer: string): boolean =>
  settings !== null && issuer !== "" && settings.sign_on_url !== null && settings.certificates.length > 0;
