import { attributeOf, childrenOf, elementsOf, textOf, type XmlElement } from "../../../../lib/xml.ts";
import { NS } from "./names.ts";
import type { SignatureFacts } from "./structure.ts";

/** What somebody has to show who brings an assertion. */
export interface Confirmation {
  method: string | null;
  recipient: string | null;
  in_response_to: string | null;
  not_before: string | null;
  not_on_or_after: string | null;
}

/** What an assertion says. */
export interface AssertionFacts {
  id: string | null;
  issuer: string | null;
  issued_at: string | null;
  name_id: string | null;
  name_format: string | null;
  confirmations: Confirmation[];
  not_before: string | null;
  not_on_or_after: string | null;
  /** Who it is for, each list by itself. */
  audiences: string[][];
  /** When the session at the provider ends, where it says so. */
  session_ends: string | null;
  /** Values by the name of their attribute, friendly names too. */
  attributes: ReadonlyMap<string, string[]>;
}

/** What an answer says, believed or not. */
export interface Facts {
  issuer: string | null;
  destination: string | null;
  in_response_to: string | null;
  issued_at: string | null;
  signatures: SignatureFacts[];
  is_encrypted: boolean;
  assertion: AssertionFacts | null;
}

const MAX_ATTRIBUTES = 200;

/** The one element of a name in another; null for none and for several. */
function single(element: XmlElement, name: string, namespace: string = NS.assertion): XmlElement | null {
  const found = childrenOf(element, namespace, name);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The text of an element that holds nothing else. */
function plainText(element: XmlElement | null): string | null {
  if (element === null || elementsOf(element).length > 0) return null;
  return textOf(element).trim() || null;
}

function readConfirmation(element: XmlElement): Confirmation {
  const data = single(element, "SubjectConfirmationData");
  const told = (name: string): string | null => (data === null ? null : attributeOf(data, name));
  return {
    method: attributeOf(element, "Method"),
    recipient: told("Recipient"),
    in_response_to: told("InResponseTo"),
    not_before: told("NotBefore"),
    not_on_or_after: told("NotOnOrAfter"),
  };
}

function readAttributes(assertion: XmlElement): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const all = childrenOf(assertion, NS.assertion, "AttributeStatement").flatMap((one) =>
    childrenOf(one, NS.assertion, "Attribute"),
  );
  for (const attribute of all.slice(0, MAX_ATTRIBUTES)) {
    const told = childrenOf(attribute, NS.assertion, "AttributeValue").flatMap((one) => plainText(one) ?? []);
    const names = new Set([attributeOf(attribute, "Name"), attributeOf(attribute, "FriendlyName")]);
    for (const name of names) if (name !== null) values.set(name, [...(values.get(name) ?? []), ...told]);
  }
  return values;
}

/** What an assertion says. */
export function readAssertionFacts(assertion: XmlElement): AssertionFacts {
  const subject = single(assertion, "Subject");
  const nameId = subject && single(subject, "NameID");
  const conditions = single(assertion, "Conditions");
  const statement = single(assertion, "AuthnStatement");
  const restrictions = conditions === null ? [] : childrenOf(conditions, NS.assertion, "AudienceRestriction");
  return {
    id: attributeOf(assertion, "ID"),
    issuer: plainText(single(assertion, "Issuer")),
    issued_at: attributeOf(assertion, "IssueInstant"),
    name_id: plainText(nameId),
    name_format: nameId && attributeOf(nameId, "Format"),
    confirmations:
      subject === null ? [] : childrenOf(subject, NS.assertion, "SubjectConfirmation").map(readConfirmation),
    not_before: conditions && attributeOf(conditions, "NotBefore"),
    not_on_or_after: conditions && attributeOf(conditions, "NotOnOrAfter"),
    audiences: restrictions.map((one) =>
      childrenOf(one, NS.assertion, "Audience").flatMap((each) => plainText(each) ?? []),
    ),
    session_ends: statement && attributeOf(statement, "SessionNotOnOrAfter"),
    attributes: readAttributes(assertion),
  };
}

/** What a response says of itself; its assertion is read apart. */
export function readResponseFacts(response: XmlElement): Omit<Facts, "signatures" | "is_encrypted" | "assertion"> {
  return {
    issuer: plainText(single(response, "Issuer")),
    destination: attributeOf(response, "Destination"),
    in_response_to: attributeOf(response, "InResponseTo"),
    issued_at: attributeOf(response, "IssueInstant"),
  };
}

/** What a provider says went wrong, in its own words; null when it says yes. */
export function readStatus(response: XmlElement, success: string): string | null {
  const status = single(response, "Status", NS.protocol);
  const code = status && single(status, "StatusCode", NS.protocol);
  const value = (code && attributeOf(code, "Value")) ?? "nothing";
  if (value === success) return null;
  const inner = code && single(code, "StatusCode", NS.protocol);
  const short = (text: string): string => text.slice(text.lastIndexOf(":") + 1).slice(0, 100);
  const message = status && plainText(single(status, "StatusMessage", NS.protocol));
  const words = [short(value), inner && short(attributeOf(inner, "Value") ?? ""), message?.slice(0, 200)];
  return words.filter((one) => typeof one === "string" && one !== "").join(": ");
}
