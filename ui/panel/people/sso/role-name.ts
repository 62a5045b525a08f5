import { roleNames } from "../../parts/roles.ts";

/** Roles that a provider can give. */
export const givenRoles = ["org_admin", "org_manager", "org_viewer", "org_teacher"] as const;
/** One of them. */
export type GivenRole = (typeof givenRoles)[number];

/** What a role is called, in a sentence. */
export function nameOfRole(role: string): string {
  const found = givenRoles.find((one) => one === role);
  return found === undefined ? role : roleNames[found].toLowerCase();
}
