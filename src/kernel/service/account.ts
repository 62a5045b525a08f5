import type { Action } from "./actions.ts";
import type { Host } from "./host.ts";
import type { ProgramSpec } from "./program.ts";

/** Where users are kept. Each is written anew, with a copy of what it was beside it. */
const USER_FILES = ["passwd", "shadow", "group", "gshadow"].flatMap((name) => [`/etc/${name}`, `/etc/${name}-`]);

/** Number of the user that owns the data: root's where the service is root; null when that user is not there yet. */
export function accountId(host: Host, { account }: Pick<ProgramSpec, "account">): number | null {
  if (account === null) return 0;
  const line = (host.read("/etc/passwd") ?? "").split("\n").find((each) => each.startsWith(`${account.name}:`));
  const id = Number(line?.split(":")[2] ?? Number.NaN);
  return Number.isSafeInteger(id) ? id : null;
}

/** What the first start of the service changes to have its user. */
export function madeForAccount(host: Host, spec: Pick<ProgramSpec, "account">): string[] {
  return accountId(host, spec) === null ? USER_FILES : [];
}

/** Takes the user away again; nothing when there is none of our own. */
export function withoutAccount(host: Host, spec: Pick<ProgramSpec, "account">): Action[] {
  if (spec.account === null || accountId(host, spec) === null) return [];
  return [{ kind: "run", argv: ["userdel", spec.account.name], touches: USER_FILES }];
}
