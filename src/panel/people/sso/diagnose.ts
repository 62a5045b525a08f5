import type { RefusalCause, TestRow } from "./contract.ts";
import type { Flow } from "./flows.ts";
import { claimAt, domainOf, emailOf, groupsOf, isVerified, pickRole } from "./identity.ts";
import { ALGORITHMS, type Heard, type ProviderFailure, TOLERANCE_S } from "./provider.ts";
import type { ConnectorRow } from "./store.ts";

const SHOWN_MAX = 200;

/** A row of a report, and what a refusal for it is called. */
export interface Finding extends TestRow {
  cause: RefusalCause;
  /** What is wrong, in one line, and what to do about it; empty for what is right. */
  headline: string;
  advice: string;
}

/** What was asked of a provider and what it said. */
export interface Answer {
  connector: Pick<ConnectorRow, "issuer" | "oidc_client" | "role_claim" | "role_rules" | "default_role">;
  nonce: Flow["nonce"];
  heard: Heard;
  /** Null when all that is signed holds. */
  failure: ProviderFailure | null;
  /** The proven domains of the workspace. */
  domains: readonly string[];
  now: number;
}

/** A value as a report shows it, cut where it is long. */
export const shown = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
};

type Wrong = Pick<Finding, "cause" | "headline" | "advice">;

/** A row that is right, or says what is wrong. */
export function row(
  what: string,
  sent: unknown,
  needed: string,
  isRight: boolean,
  wrong: Wrong,
  note?: string,
): Finding {
  const words = isRight ? { headline: "", advice: "" } : wrong;
  return {
    what,
    sent: shown(sent),
    needed,
    note: note ?? null,
    mark: isRight ? "ok" : "bad",
    cause: wrong.cause,
    ...words,
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** What its token is, whoever it is about. */
function checkToken({ connector, nonce, heard, failure, now }: Answer, claims: Record<string, unknown>): Finding[] {
  const { issuer, oidc_client } = connector;
  const { alg, kid } = heard.header ?? {};
  const isSigned = ALGORITHMS.includes(String(alg)) && failure?.kind !== "signature";
  const behind = timeOf(claims, now);
  const party = claims["azp"];
  const isOurs = listOf(claims["aud"]).includes(oidc_client) && (party === undefined || party === oidc_client);
  return [
    row(
      "signature",
      alg === undefined ? null : `${shown(alg)}, key ${shown(kid) ?? "without a name"}`,
      "a key that the provider lists",
      isSigned,
      {
        cause: "signature",
        headline: "The signature of the provider's token does not hold",
        advice:
          "Anybody could have made it, so nobody is let in. Let the provider sign with one of the keys that it lists, by RS256 for example.",
      },
    ),
    row("iss", claims["iss"], issuer, claims["iss"] === issuer, {
      cause: "claims",
      headline: "Another provider answers than the one that was asked",
      advice: `The token names another issuer. Give the address of the provider as it writes it itself: ${shown(claims["iss"]) ?? "it names none"}.`,
    }),
    row("aud", claims["aud"], oidc_client, isOurs, {
      cause: "claims",
      headline: "The token is for another program",
      advice: "The provider made it for another client id. Check the client id here and there.",
    }),
    row(
      "nonce",
      claims["nonce"] === nonce ? "the same" : shown(claims["nonce"]),
      "the same as was asked",
      claims["nonce"] === nonce,
      {
        cause: "claims",
        headline: "The token belongs to another sign-in",
        advice:
          "The provider has to give the nonce back as it was sent. Test again; if it stays so, the provider keeps tokens that it must not use twice.",
      },
    ),
    row("clock", behind.text, `within ${TOLERANCE_S} s`, behind.isRight, {
      cause: "clock",
      headline: "The clocks of the provider and of this panel differ",
      advice: "Set both by NTP. A token that is too old or not valid yet is not believed.",
    }),
  ];
}

function timeOf(claims: Record<string, unknown>, now: number): { text: string | null; isRight: boolean } {
  const { iat, exp, nbf } = claims;
  if (typeof iat !== "number" || typeof exp !== "number") return { text: null, isRight: false };
  const seconds = now / 1000;
  const early = Math.max(iat, typeof nbf === "number" ? nbf : iat) - seconds;
  const off = Math.abs(early) < 10_000_000 ? `${Math.abs(early).toFixed(1)} s` : "very far";
  const isRight = early <= TOLERANCE_S && exp > seconds - TOLERANCE_S;
  return {
    text:
      exp <= seconds - TOLERANCE_S
        ? `ran out ${Math.round(seconds - exp)} s ago`
        : `${off} ${early > 0 ? "ahead" : "behind"}`,
    isRight,
  };
}

/** Who it is about. */
function checkPerson({ connector, domains }: Answer, claims: Record<string, unknown>): Finding[] {
  const email = emailOf(claims);
  const mark = Object.hasOwn(claims, "email_verified") ? claims["email_verified"] : claims["xms_edov"];
  const isHome = email !== null && domains.includes(domainOf(email));
  const own =
    domains.length === 0 ? "an address at a domain that is proven here" : `an address at ${domains.join(", ")}`;
  return [
    row("sub", claims["sub"], "a name that stays", typeof claims["sub"] === "string" && claims["sub"] !== "", {
      cause: "answer",
      headline: "The provider does not say who signed in",
      advice: "Its token has no subject. Let it send one that stays the same for each person.",
    }),
    row("email", claims["email"], own, isHome, {
      cause: email === null ? "email_missing" : "domain",
      headline:
        email === null
          ? "The provider does not tell the mail address"
          : "The mail address is not at a domain of this workspace",
      advice:
        email === null
          ? "Let it send the claim email, with the scope email."
          : "Prove the domain under Domain, or sign in there as somebody of your own.",
    }),
    row(
      "email_verified",
      mark,
      "true",
      isVerified(claims),
      {
        cause: "email_unverified",
        headline: "The provider does not say that the address is verified",
        advice:
          "Without this mark anybody could claim an address, so nobody is let in. Let the provider send email_verified as true.",
      },
      mark === undefined ? "Missing counts as “no”" : undefined,
    ),
    ...checkRole(connector, connector.role_claim === null ? undefined : claimAt(claims, connector.role_claim)),
  ];
}

type Roles = Pick<ConnectorRow, "role_claim" | "role_rules" | "default_role">;

/** Whether somebody with what was sent as their groups has a role. */
export function checkRole(connector: Roles, sent: unknown): Finding[] {
  const { role_claim } = connector;
  if (role_claim === null && connector.default_role !== null) return [];
  const groups = groupsOf(sent);
  const role = pickRole(connector, groups);
  const found = row(role_claim ?? "role", sent, "a list in which a rule fits", role !== null, {
    cause: "role",
    headline: "No rule gives this person a role",
    advice: "Add a rule under Roles for one of their groups, or choose a role for all others.",
  });
  const isOne = typeof sent === "string";
  return [
    isOne && role !== null
      ? { ...found, mark: "warn", note: "As text it works for one group; a second would be lost" }
      : found,
  ];
}

/** All that a provider said of somebody, each with what is needed; what is wrong first. */
export function examine(answer: Answer): Finding[] {
  const { claims } = answer.heard;
  if (claims === null) return [];
  const findings = [...checkToken(answer, claims), ...checkPerson(answer, claims)];
  return [...findings.filter(({ mark }) => mark === "bad"), ...findings.filter(({ mark }) => mark !== "bad")];
}

const CAUSES: Record<ProviderFailure["kind"], RefusalCause> = {
  unreachable: "unreachable",
  refused: "provider",
  answer: "answer",
  signature: "signature",
};

/** Why a provider's answer is not believed: what is wrong with it by name, else what the failure says. */
export function explainFailure(
  answer: Answer,
  failure: ProviderFailure,
): { cause: RefusalCause; reason: string; advice: string } {
  const wrong =
    failure.kind === "unreachable"
      ? undefined
      : examine(answer).find(({ mark, cause }) => mark === "bad" && isOfToken(cause));
  if (wrong) return { cause: wrong.cause, reason: wrong.headline, advice: wrong.advice };
  const advice: Record<ProviderFailure["kind"], string> = {
    unreachable: "Check the address of the provider, and whether this panel may reach it.",
    refused: "Check the client id, the secret and the address to come back to at the provider.",
    answer: "Check the address of the provider, and what it logged of this sign-in.",
    signature: "Let the provider sign with one of the keys that it lists.",
  };
  return { cause: CAUSES[failure.kind], reason: failure.message, advice: advice[failure.kind] };
}

const isOfToken = (cause: RefusalCause): boolean => ["signature", "claims", "clock"].includes(cause);
