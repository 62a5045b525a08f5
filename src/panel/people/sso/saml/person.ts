import { readAddress } from "../../../addresses.ts";
import { groupsOf as boundedGroups } from "../identity.ts";
import type { AssertionFacts } from "./facts.ts";

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";
/** What providers call the mail address. */
const EMAIL_NAMES = [
  ...["email", "mail", "emailAddress", "Email", `${CLAIMS}/emailaddress`, "urn:oid:0.9.2342.19200300.100.1.3"],
];
/** What they call the name of a person. */
const NAME_NAMES = [
  ...["displayName", "name", "http://schemas.microsoft.com/identity/claims/displayname"],
  ...["urn:oid:2.16.840.1.113730.3.1.241", "cn", "urn:oid:2.5.4.3"],
];
const GIVEN_NAMES = ["firstName", "givenName", `${CLAIMS}/givenname`, "urn:oid:2.5.4.42"];
const FAMILY_NAMES = ["lastName", "surname", "sn", `${CLAIMS}/surname`, "urn:oid:2.5.4.4"];

type Told = Pick<AssertionFacts, "attributes" | "name_id">;

const firstOf = ({ attributes }: Told, names: readonly string[]): { from: string; value: string } | null => {
  for (const from of names) {
    const value = attributes.get(from)?.[0];
    if (value !== undefined) return { from, value };
  }
  return null;
};

/** The mail address that a provider tells, in small letters, and where: under the chosen attribute, else a usual one, else as the name. */
export function emailOf(
  told: Told,
  chosen: string | null,
): { from: string; told: string | null; address: string | null } {
  const found = firstOf(told, chosen === null ? EMAIL_NAMES : [chosen]);
  const isName = found === null && chosen === null && told.name_id !== null && readAddress(told.name_id) !== null;
  const value = found?.value ?? (isName ? told.name_id : null);
  const from = found?.from ?? (isName ? "NameID as the address" : (chosen ?? "email"));
  return { from, told: value, address: value === null ? null : readAddress(value) };
}

/** What somebody is called; empty when it is not told. */
export function nameOf(told: Told): string {
  const given = firstOf(told, GIVEN_NAMES)?.value ?? "";
  const family = firstOf(told, FAMILY_NAMES)?.value ?? "";
  return firstOf(told, NAME_NAMES)?.value ?? `${given} ${family}`.trim();
}

/** The groups that an attribute tells. */
export const groupsOf = ({ attributes }: Told, attribute: string): string[] =>
  boundedGroups(attributes.get(attribute) ?? []);
