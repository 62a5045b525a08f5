import { isRecord } from "../../../lib/json.ts";
import { plainCharacter } from "../../../lib/plain-text.ts";
import { lookedFor, readAddress } from "../../addresses.ts";
import { GivenRole, type GivenRole as Role, type RoleRule } from "./contract.ts";
import type { Identity } from "./flows.ts";
import type { ConnectorRow } from "./store.ts";

const MAX_GROUPS = 500;
const NAME_MAX = 100;
const HIDDEN = new RegExp(plainCharacter(), "gu");

/** What stands at a claim: by its whole name, else by the parts between its dots. */
export function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split(".").slice(0, 5)) {
    if (!isRecord(at) || !Object.hasOwn(at, part)) return undefined;
    at = at[part];
  }
  return at;
}

/** The groups that a claim tells, as a list or as one text. */
export function groupsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string").slice(0, MAX_GROUPS);
}

/** Missing is no. Some providers write it as text, and one has a name of its own for it. */
export function isVerified(claims: Record<string, unknown>): boolean {
  const told = Object.hasOwn(claims, "email_verified") ? claims["email_verified"] : claims["xms_edov"];
  return told === true || told === "true" || told === 1 || told === "1";
}

/** The address that a provider tells, in the form by which it is kept; null for none. */
export function emailOf({ email }: Record<string, unknown>): string | null {
  return typeof email === "string" ? readAddress(email) : null;
}

/** The name of a person without what nobody sees; empty for none. */
export const plainName = (value: unknown): string =>
  typeof value === "string" ? (value.match(HIDDEN) ?? []).join("").trim().slice(0, NAME_MAX).trim() : "";

/** Who the provider says has come; null when it does not say who. */
export function readIdentity(
  claims: Record<string, unknown>,
  { issuer, role_claim }: Pick<ConnectorRow, "issuer" | "role_claim">,
): Identity | null {
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > 255) return null;
  return {
    issuer,
    subject: sub,
    email: emailOf(claims),
    email_verified: isVerified(claims),
    name: plainName(claims["name"]) || plainName(claims["preferred_username"]) || null,
    groups: role_claim === null ? [] : groupsOf(claimAt(claims, role_claim)),
  };
}

/** What is stored as JSON by us, checked all the same. */
export function readRules(json: string): RoleRule[] {
  const told: unknown = JSON.parse(json);
  if (!Array.isArray(told)) return [];
  return told.flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one["value"] !== "string") return [];
    const role = GivenRole.anyOf.map(({ const: name }): Role => name).find((name) => name === one["role"]);
    return role === undefined ? [] : [{ value: one["value"], role }];
  });
}

/** The role of somebody with these groups: of the first rule that fits, else the one for all others; null lets them not in. */
export function pickRole(
  { role_rules, default_role, role_claim }: Pick<ConnectorRow, "role_rules" | "default_role" | "role_claim">,
  groups: readonly string[],
): Role | null {
  const rule = role_claim === null ? undefined : readRules(role_rules).find(({ value }) => groups.includes(value));
  return rule?.role ?? default_role;
}

/** What comes after the @ of an address. */
export function domainOf(email: string): string {
  const address = lookedFor(email);
  return address.slice(address.lastIndexOf("@") + 1);
}
