import type { Action } from "./actions.ts";
import type { Host } from "./host.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";

/** Where users are kept. Each is written anew, with a copy of what it was beside it. */
const USER_FILES = ["passwd", "shadow", "group", "gshadow"].flatMap((name) => [`/etc/${name}`, `/etc/${name}-`]);

/** The fields of the line of the user that the service runs as; null when that user is not there yet. */
function findUser(host: Host, { account }: Pick<ProgramSpec, "account">): string[] | null {
  const lines = (host.read("/etc/passwd") ?? "").split("\n").map((line) => line.split(":"));
  return lines.find(([name]) => name === account?.name) ?? null;
}

/** Number of the user that owns the data: root's where the service is root; null when that user is not there yet. */
export function accountId(host: Host, spec: Pick<ProgramSpec, "account">): number | null {
  if (spec.account === null) return 0;
  const id = Number(findUser(host, spec)?.[2] ?? Number.NaN);
  return Number.isSafeInteger(id) ? id : null;
}

/** What the first start of the service changes to have its user. */
export function madeForAccount(host: Host, spec: Pick<ProgramSpec, "account">): string[] {
  return accountId(host, spec) === null ? USER_FILES : [];
}

type OfUser = Pick<ProgramSpec, "account" | "name" | "short" | "title" | "adminCommand">;

/** True when the service runs as a user who was there before: the unit gives the one that it makes the program's title and data folder. */
export function isForeignAccount(host: Host, spec: OfUser): boolean {
  const user = findUser(host, spec);
  return user !== null && (user[4] !== spec.title || user[5] !== layoutOf(spec).dataDir);
}

/** Takes the user away again; nothing when there is none of our own. */
export function withoutAccount(host: Host, spec: OfUser): Action[] {
  if (spec.account === null || accountId(host, spec) === null || isForeignAccount(host, spec)) return [];
  return [{ kind: "run", argv: ["userdel", spec.account.name], touches: USER_FILES }];
}
