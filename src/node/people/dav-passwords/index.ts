/** Passwords for programs that open a Drive over WebDAV: one for each, drawn, shown once, and good for nothing else. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { AppError } from "../../../kernel/http/errors.ts";
import { fail } from "./contract.ts";
import { davPasswordMeanings } from "./events.ts";
import { createGates } from "./gates.ts";
import { checkPassword, davPasswordsWay, refusalOf } from "./logic.ts";
import init from "./migrations/0001_dav_passwords.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindDavPasswordRoutes } from "./routes.ts";
import type { DavPasswordRow } from "./store.ts";

export { davPasswordsWay } from "./logic.ts";

export const davPasswordsFeature = defineFeature({
  name: "dav-passwords",
  migrations: [init],
  errors: fail.table,
  events: davPasswordMeanings,
});

/** The WebDAV passwords of this node. */
export interface DavPasswords extends Part {
  /** The password that an Authorization header shows with the name of its user; else null. Notes its use once a minute. */
  check(header: string | null): DavPasswordRow | null;
  /** What whoever was not let in hears; counts and records what looks like a guess. */
  refusal(header: string | null, ip: string): AppError;
}

/** Makes them. */
export function createDavPasswords(needs: Needs): DavPasswords {
  const own = { ...needs, gates: createGates(needs.clock) };
  needs.lists.lastingWays.add(davPasswordsWay(needs));
  return {
    feature: davPasswordsFeature,
    check: (header) => checkPassword(needs, header),
    refusal: (header, ip) => refusalOf(own, header, ip),
    routes: [bindDavPasswordRoutes(needs)],
  };
}
