import type { RefusalCause } from "../contract.ts";
import { checkRole, type Finding, row } from "../diagnose.ts";
import type { Identity } from "../flows.ts";
import { domainOf, plainName } from "../identity.ts";
import { TOLERANCE_S } from "../provider.ts";
import type { ConnectorRow } from "../store.ts";
import { describeCertificate, fingerprintOf, presentCertificate } from "./certificates.ts";
import type { AssertionFacts, Confirmation, Facts } from "./facts.ts";
import { BEARER, TRANSIENT } from "./names.ts";
import { emailOf, groupsOf, nameOf } from "./person.ts";
import type { ResponseRefused } from "./structure.ts";

const MAX_SUBJECT = 255;
/** How long ago an answer may have been written: as long as a sign-in may take. */
const MAX_AGE_S = 600;

/** What an answer has to fit to. */
export interface Expected {
  connector: Pick<ConnectorRow, "issuer" | "role_claim" | "role_rules" | "default_role">;
  email_attribute: string | null;
  certificates: readonly string[];
  /** Our name at the provider, and where answers are to come. */
  entity_id: string;
  acs_url: string;
  /** Of the request that this answers. */
  request_id: string;
  /** The proven domains of the workspace. */
  domains: readonly string[];
  now: number;
}

function checkSignature({ signatures }: Facts, refused: ResponseRefused | null, { certificates }: Expected): Finding {
  const [first] = signatures;
  const sent = first?.certificate ?? null;
  const own = certificates.map(fingerprintOf);
  const its = sent === null ? null : fingerprintOf(sent);
  const isOther = its !== null && !own.includes(its);
  const by = its === null ? "by a key without a certificate" : `certificate ${its.slice(0, 23)}…`;
  const isRight = first !== undefined && refused?.refusal !== "signature";
  const of = signatures.map((one) => one.of).join(" and ");
  return row(
    "signature",
    first === undefined ? null : `${first.algorithm} of the ${of}, ${by}`,
    "the key of a certificate that is set here",
    isRight,
    {
      cause: "signature",
      headline: refused?.message ?? "The provider's answer is not signed",
      advice:
        isOther && !isRight
          ? `It came with another certificate than those that are set here: ${describeCertificate(sent ?? "")}. If the provider has changed its own, add that one under Provider.`
          : (refused?.advice ?? ""),
    },
  );
}

/** Tells where the certificate that the answer came with is at its end; that alone lets nobody in and keeps nobody out. */
function checkAge({ signatures }: Facts, { certificates, now }: Expected): Finding[] {
  const sent = signatures[0]?.certificate;
  const used =
    certificates.find((pem) => sent != null && fingerprintOf(pem) === fingerprintOf(sent)) ?? certificates[0];
  const { state, expires_at } = used === undefined ? { state: "ok", expires_at: "" } : presentCertificate(used, now);
  if (state === "ok") return [];
  const note = "Add the next one under Provider before the provider changes it";
  const found = row(
    "certificate",
    `good until ${expires_at.slice(0, 10)}`,
    "one that is good for a while",
    true,
    NOTHING,
    note,
  );
  return [{ ...found, mark: "warn" }];
}

const NOTHING = { cause: "answer", headline: "", advice: "" } as const;

/** Seconds that a moment is ahead of now; null for what is none. */
function ahead(moment: string | null, now: number): number | null {
  const at =
    moment !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(at) ? null : (at - now) / 1000;
}

const isPast = (end: number | null): boolean => end !== null && end <= -TOLERANCE_S;
const isToCome = (begin: number | null): boolean => begin !== null && begin > TOLERANCE_S;

function checkClock(facts: Facts, assertion: AssertionFacts, by: Confirmation | null, now: number): Finding {
  const issued = ahead(assertion.issued_at, now);
  const answered = ahead(facts.issued_at, now);
  const until = ahead(by?.not_on_or_after ?? null, now);
  const isSpoken = issued !== null && answered !== null && until !== null;
  // One that is there has to be a moment.
  const told = [assertion.not_before, assertion.not_on_or_after, assertion.session_ends, by?.not_before ?? null];
  const areMoments = told.every((one) => one === null || ahead(one, now) !== null);
  const begins = [issued, answered, ahead(assertion.not_before, now), ahead(by?.not_before ?? null, now)];
  const ends = [until, ahead(assertion.not_on_or_after, now), ahead(assertion.session_ends, now)];
  const isOld = [issued, answered].some((one) => one !== null && one < -MAX_AGE_S - TOLERANCE_S);
  const isRight = isSpoken && areMoments && !begins.some(isToCome) && !ends.some(isPast) && !isOld;
  const over = ends.filter(isPast)[0];
  const text =
    over !== undefined && over !== null
      ? `ran out ${Math.round(-over)} s ago`
      : issued === null
        ? null
        : `${Math.abs(issued).toFixed(1)} s ${issued > 0 ? "ahead" : "behind"}`;
  return row("clock", text, `within ${TOLERANCE_S} s`, isRight, {
    cause: "clock",
    headline:
      isSpoken && areMoments
        ? "The clocks of the provider and of this panel differ"
        : "The provider does not say until when its answer is good",
    advice:
      isSpoken && areMoments
        ? "Set both by NTP. An answer that is too old or not valid yet is not believed."
        : "Its assertion needs IssueInstant, and NotOnOrAfter in SubjectConfirmationData, in UTC.",
  });
}

/** What is needed, in short where it is what was sent. */
const sameOr = (needed: string, isSame: boolean): string => (isSame ? "the same" : needed);

/** What the answer is, whoever it is about. */
function checkAnswer(
  facts: Facts,
  assertion: AssertionFacts,
  refused: ResponseRefused | null,
  expected: Expected,
): Finding[] {
  const { connector, entity_id, acs_url, request_id, now } = expected;
  const bearers = assertion.confirmations.filter(({ method }) => method === BEARER);
  const by = bearers.find(({ recipient }) => recipient === acs_url) ?? bearers[0] ?? null;
  const issuers = [...new Set([assertion.issuer, facts.issuer].filter((one) => one !== null))];
  const isIts = assertion.issuer === connector.issuer && issuers.length === 1;
  const isOurs = assertion.audiences.length > 0 && assertion.audiences.every((list) => list.includes(entity_id));
  const asked = [facts.in_response_to, by?.in_response_to ?? null];
  const isUnasked = asked.every((one) => one === null);
  const isWhole = facts.signatures.some(({ of }) => of === "response");
  const isHere = facts.destination === null ? !isWhole : facts.destination === acs_url;
  return [
    checkSignature(facts, refused, expected),
    row("Issuer", issuers.join(", ") || null, sameOr(connector.issuer, isIts), isIts, {
      cause: "claims",
      headline: "Another provider answers than the one that was asked",
      advice: `The answer names another entity id. Give the one of the provider as it writes it itself: ${issuers[0] ?? "it names none"}.`,
    }),
    row("Audience", assertion.audiences.flat().join(", ") || null, sameOr(entity_id, isOurs), isOurs, {
      cause: "claims",
      headline: "The answer is for another program",
      advice: "Set the entity id of this connector at the provider, as the page Provider shows it, as the audience.",
    }),
    row("Destination", facts.destination, sameOr(acs_url, facts.destination === acs_url), isHere, {
      cause: "claims",
      headline: "The answer was sent to another address than this one",
      advice: "Set the address to answer to (ACS URL) at the provider, as the page Provider shows it.",
    }),
    row("Recipient", by?.recipient ?? null, sameOr(acs_url, by?.recipient === acs_url), by?.recipient === acs_url, {
      cause: "claims",
      headline: "The answer is for another address than this one",
      advice:
        "Set the address to answer to (ACS URL) at the provider, as the page Provider shows it, as the recipient too.",
    }),
    row(
      "InResponseTo",
      asked[0] === request_id ? "the same" : asked[0],
      "the same as was asked",
      asked.every((one) => one === request_id),
      {
        cause: isUnasked ? "unsolicited" : "claims",
        headline: isUnasked ? "The provider began by itself" : "The answer belongs to another sign-in",
        advice: "Sign-ins begin here alone. Let a tile in the provider's portal lead to the address to begin at.",
      },
    ),
    checkClock(facts, assertion, by, now),
    ...checkAge(facts, expected),
  ];
}

/** Who it is about. */
function checkPerson(assertion: AssertionFacts, { connector, email_attribute, domains }: Expected): Finding[] {
  const { name_id, name_format } = assertion;
  const isPassing = name_format === TRANSIENT;
  const email = emailOf(assertion, email_attribute);
  const isHome = email.address !== null && domains.includes(domainOf(email.address));
  const own =
    domains.length === 0 ? "an address at a domain that is proven here" : `an address at ${domains.join(", ")}`;
  const isName = name_id !== null && name_id.length <= MAX_SUBJECT && !isPassing;
  const needed = "a name that stays";
  const wrongName = {
    cause: "answer" as const,
    headline: isPassing ? "The provider names people anew each time" : "The provider does not say who signed in",
    advice: isPassing
      ? "Its NameID is transient. Let it send a persistent one, or the mail address."
      : "Let it send a NameID that stays the same for each person and is not encrypted by itself.",
  };
  return [
    row("NameID", name_id, needed, isName, wrongName),
    row(email.from, email.told, own, isHome, {
      cause: email.address === null ? "email_missing" : "domain",
      headline:
        email.address === null
          ? "The provider does not tell the mail address"
          : "The mail address is not at a domain of this workspace",
      advice:
        email.address === null
          ? "Let it send the address as an attribute email, or say under Provider what it calls it."
          : "Prove the domain under Domain, or sign in there as somebody of your own.",
    }),
    ...checkRole(connector, connector.role_claim === null ? undefined : assertion.attributes.get(connector.role_claim)),
  ];
}

/** All that a provider said of somebody, each with what is needed; what is wrong first. */
export function examineSaml(facts: Facts | null, refused: ResponseRefused | null, expected: Expected): Finding[] {
  if (!facts?.assertion) return [];
  const findings = [
    ...checkAnswer(facts, facts.assertion, refused, expected),
    ...checkPerson(facts.assertion, expected),
  ];
  return [...findings.filter(({ mark }) => mark === "bad"), ...findings.filter(({ mark }) => mark !== "bad")];
}

/** Why an answer is not believed, by the first thing that is wrong with it; null when all of it fits. */
export function refusalOf(
  facts: Facts | null,
  refused: ResponseRefused | null,
  expected: Expected,
): { cause: RefusalCause; reason: string; advice: string } | null {
  const wrong = examineSaml(facts, refused, expected).filter(({ mark, cause }) => mark === "bad" && isOfAnswer(cause));
  // What the library would not take for a reason of its own is told by ours, where one fits.
  const first = wrong.find(({ cause }) => refused?.refusal !== "signature" || cause === "signature");
  const isOurs = refused === null || refused.refusal === "signature" || refused.refusal === "answer";
  if (first !== undefined && isOurs) return { cause: first.cause, reason: first.headline, advice: first.advice };
  if (refused !== null) return { cause: refused.refusal, reason: refused.message, advice: refused.advice };
  if (facts?.assertion) return null;
  return { cause: "answer", reason: "The provider does not say who signed in", advice: "" };
}

/** The others are told once it is clear who comes, as for any provider. */
const isOfAnswer = (cause: RefusalCause): boolean =>
  ["signature", "claims", "clock", "unsolicited", "answer"].includes(cause);

/** Who the provider says has come. Only of an answer that is believed. */
export function identityOf(assertion: AssertionFacts, { connector, email_attribute }: Expected): Identity | null {
  if (assertion.name_id === null) return null;
  const { address } = emailOf(assertion, email_attribute);
  return {
    issuer: connector.issuer,
    subject: assertion.name_id,
    email: address,
    // The address is at a domain that the workspace has proven, and the provider is its own.
    email_verified: true,
    name: plainName(nameOf(assertion)) || null,
    groups: connector.role_claim === null ? [] : groupsOf(assertion, connector.role_claim),
  };
}
