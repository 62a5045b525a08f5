import { holds, isRoleName } from "../../access.ts";
import { CHOSEN_KINDS } from "./contract.ts";
import { readKinds } from "./preferences.ts";
import type { Chooser, NotificationRow } from "./store.ts";

/** Whether somebody wants to be told of it by mail, and may know of it. */
export function wantsLetter(
  chooser: Chooser,
  { kind, permission, member_id }: Pick<NotificationRow, "kind" | "permission" | "member_id">,
): boolean {
  const known = CHOSEN_KINDS.find((one) => one === kind);
  if (known === undefined || !readKinds(chooser.preferences)[known].email || !isRoleName(chooser.role)) return false;
  if (member_id !== "" && member_id !== chooser.member_id) return false;
  return permission === "" || holds(chooser.role, permission);
}
