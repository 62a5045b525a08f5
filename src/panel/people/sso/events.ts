import type { EventMeanings, Notice } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { CertificateEnding, SsoEvents } from "./contract.ts";
import { ENDING } from "./words.ts";

function tellOfEnd({ name, ends_at, left, follows }: CertificateEnding): Notice {
  const ending = { name, at: Date.parse(ends_at), isOver: left === 0, follows };
  return {
    kind: "sso.certificate",
    severity: left <= 1 ? "critical" : "warning",
    words: inEach((language) => ENDING[language](ending)),
    link: "/settings/sign-on",
    to: { permission: "settings:write" },
  };
}

/** What single sign-on means. */
export const ssoMeanings: EventMeanings<SsoEvents> = {
  "sso.connector_add": {
    audit: ({ connector_id, name, issuer }) => ({ subject_id: connector_id, details: { name, issuer } }),
  },
  "sso.connector_change": {
    audit: ({ connector_id, name, change }) => ({ subject_id: connector_id, details: { name, ...change } }),
  },
  "sso.connector_state": {
    audit: ({ connector_id, name, state, previous }) => ({
      subject_id: connector_id,
      details: { name, state, previous: { state: previous } },
    }),
  },
  "sso.certificates_change": {
    audit: ({ connector_id, name, certificates }) => ({ subject_id: connector_id, details: { name, certificates } }),
  },
  "sso.certificate_ending": {
    audit: ({ connector_id, name, ends_at }) => ({ subject_id: connector_id, details: { name, ends_at } }),
    notice: tellOfEnd,
  },
  "sso.connector_remove": { audit: ({ connector_id, name }) => ({ subject_id: connector_id, details: { name } }) },
  "sso.test": {
    audit: ({ connector_id, name, ok, result }) => ({ subject_id: connector_id, details: { name, ok, result } }),
  },
  "sso.refused": {
    audit: ({ connector_id, cause, reason, email }) => ({
      subject_id: connector_id,
      details: { cause, reason, ...(email === null ? {} : { email }) },
    }),
  },
  "sso.domain_add": { audit: ({ domain_id, host }) => ({ subject_id: domain_id, details: { name: host } }) },
  "sso.domain_verify": { audit: ({ domain_id, host }) => ({ subject_id: domain_id, details: { name: host } }) },
  "sso.domain_remove": { audit: ({ domain_id, host }) => ({ subject_id: domain_id, details: { name: host } }) },
  "sso.domain_lapse": { audit: ({ domain_id, host }) => ({ subject_id: domain_id, details: { name: host } }) },
  "account.sso_sign_in": { audit: ({ by }) => ({ subject_id: by.member_id, details: {} }) },
  "account.sso_join": { audit: ({ by, email, role }) => ({ subject_id: by.member_id, details: { email, role } }) },
  "account.sso_link": { audit: ({ by, email }) => ({ subject_id: by.member_id, details: { email } }) },
  "account.sso_role": {
    audit: ({ by, role, previous_role }) => ({ subject_id: by.member_id, details: { role, previous_role } }),
  },
};
