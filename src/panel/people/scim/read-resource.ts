import { isRecord } from "../../../lib/json.ts";
import { plainCharacter } from "../../../lib/plain-text.ts";
import { readAddress } from "../../addresses.ts";
import { invalid, USERS_MAX } from "./contract.ts";

const NAME_MAX = 100;
const KEY_MAX = 255;
const PLAIN = new RegExp(plainCharacter(), "gu");
const ONLY_PLAIN = new RegExp(`^${plainCharacter()}+$`, "u");

/** Somebody as a directory tells of them. */
export interface UserInput {
  user_name: string;
  external_id: string | null;
  email: string;
  display_name: string;
  given_name: string | null;
  family_name: string | null;
  active: boolean;
}

/** A group as a directory tells of it; its members by their ids here. */
export interface GroupInput {
  display_name: string;
  external_id: string | null;
  members: string[];
}

/** What a resource says of an attribute, whatever case its name is written in. */
function attribute(resource: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(resource).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : resource[key];
}

/** A text to be read by people: without what nobody sees, and cut. */
const wordsOf = (value: unknown): string =>
  typeof value === "string" ? (value.match(PLAIN) ?? []).join("").trim().slice(0, NAME_MAX).trim() : "";

/** A text by which something is found again: taken as it is, or not at all. */
function keyOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null || value === "") return null;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text.length > KEY_MAX || !ONLY_PLAIN.test(text) || text.trim() === "")
    throw invalid(`${name} has to be one line of at most ${KEY_MAX} characters.`);
  return text.trim();
}

/** Truth as directories write it. */
function isTrue(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  const word = String(value).toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  throw invalid(`${name} has to be true or false.`);
}

/** The address of somebody: the first that is called primary, else that of work, else the first, else their name if it is one. */
function emailOf(resource: Record<string, unknown>, userName: string): string {
  const told = attribute(resource, "emails");
  const entries = (Array.isArray(told) ? told : [told]).map((one) =>
    isRecord(one) ? one : { value: typeof one === "string" ? one : undefined },
  );
  const best =
    entries.find((one) => one["primary"] === true || String(one["primary"]).toLowerCase() === "true") ??
    entries.find((one) => one["type"] === "work") ??
    entries[0];
  const value = best?.["value"];
  const email = (typeof value === "string" && value !== "" ? value : userName).trim();
  const address = readAddress(email);
  if (address === null) throw invalid("The person needs a mail address: none of emails and userName is one.");
  return address;
}

/** Reads a user. Throws `scim_invalid`. */
export function readUser(body: unknown): UserInput {
  if (!isRecord(body)) throw invalid("The body has to be a user.", "invalidSyntax");
  const user_name = keyOf(attribute(body, "userName"), "userName");
  if (user_name === null) throw invalid("userName is missing.");
  const email = emailOf(body, user_name);
  const told = attribute(body, "name");
  const name = isRecord(told) ? told : {};
  const given_name = wordsOf(attribute(name, "givenName")) || null;
  const family_name = wordsOf(attribute(name, "familyName")) || null;
  const whole = [given_name, family_name].filter((part) => part !== null).join(" ");
  const display_name =
    wordsOf(attribute(body, "displayName")) || wordsOf(attribute(name, "formatted")) || wordsOf(whole) || email;
  const active = attribute(body, "active");
  return {
    ...{ user_name, email, display_name, given_name, family_name },
    external_id: keyOf(attribute(body, "externalId"), "externalId"),
    active: active === undefined || active === null ? true : isTrue(active, "active"),
  };
}

/** Reads a group. Throws `scim_invalid`. */
export function readGroup(body: unknown): GroupInput {
  if (!isRecord(body)) throw invalid("The body has to be a group.", "invalidSyntax");
  const display_name = wordsOf(attribute(body, "displayName"));
  if (display_name === "") throw invalid("displayName is missing.");
  const told = attribute(body, "members") ?? [];
  if (!Array.isArray(told)) throw invalid("members has to be a list.");
  if (told.length > USERS_MAX) throw invalid(`A group has ${USERS_MAX} members at most.`, "tooMany");
  const members = told.map((one) => {
    const id = isRecord(one) ? attribute(one, "value") : one;
    if (typeof id !== "string" || id === "" || id.includes("\0") || !id.isWellFormed())
      throw invalid("Each of members needs the id of a user as its value.");
    return id;
  });
  return {
    display_name,
    external_id: keyOf(attribute(body, "externalId"), "externalId"),
    members: [...new Set(members)],
  };
}
