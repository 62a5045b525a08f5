import { holds, isRoleName } from "../../access.ts";
import { CHOSEN_KINDS } from "./contract.ts";
import { readKinds } from "./preferences.ts";
import type { Chooser, NotificationRow } from "./store.ts";

/** Whether somebody may know of it. */
export function mayKnow(
  { member_id, role }: Pick<Chooser, "member_id" | "role">,
  about: Pick<NotificationRow, "permission" | "member_id">,
): boolean {
  if (!isRoleName(role) || (about.member_id !== "" && about.member_id !== member_id)) return false;
  return about.permission === "" || holds(role, about.permission);
}

/** Whether somebody wants to be told of it by mail, and may know of it. */
export function wantsLetter(
  chooser: Chooser,
  about: Pick<NotificationRow, "kind" | "permission" | "member_id">,
): boolean {
  const known = CHOSEN_KINDS.find((one) => one === about.kind);
  return known !== undefined && readKinds(chooser.preferences)[known].email && mayKnow(chooser, about);
}
