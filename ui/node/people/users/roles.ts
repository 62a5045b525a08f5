import type { User } from "../../../../src/node/people/users/contract.ts";

export type Role = User["role"];

/** The roles with what each may do, in the order in which they are offered. */
export const roles: { value: Role; label: string; text: string }[] = [
  { value: "member", label: "Member", text: "Uses the apps and keeps own files and notes." },
  { value: "viewer", label: "Viewer", text: "Sees, but changes nothing." },
  { value: "admin", label: "Administrator", text: "Does everything, also this." },
];
