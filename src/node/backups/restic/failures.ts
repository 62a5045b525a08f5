import { causeOf, codeOf } from "../backups/index.ts";
import { fail } from "./contract.ts";

/** What a thread threw as an answer; what is an answer already, and what nobody foresaw, stays. */
export function refuse(error: unknown, path: string): unknown {
  const reason = causeOf(error);
  switch (codeOf(error)) {
    case "restic_none":
      return fail("restic_none", { path, reason });
    case "restic_newer":
      return fail("restic_newer", { path, reason });
    case "restic_password":
      return fail("restic_password", { reason });
    case "restic_costly":
      return fail("restic_costly", { reason });
    case "restic_damaged":
    case "damaged":
      return fail("restic_damaged", { reason });
    case "restic_changed":
    case "target_missing":
      return fail("restic_changed", { reason });
    case "restic_limit":
      return fail("restic_limit", { reason });
    case "restic_room":
      return fail("restic_room", { reason });
    case "restic_snapshot":
      return fail("restic_snapshot", { snapshot: reason });
    case "restic_path":
      return fail("restic_path", { path: reason });
    case "restic_kind":
      return fail("restic_kind", { path: reason });
    case "target_away":
      return fail("restic_away", { reason });
    case "target_refused":
      return fail("restic_refused", { reason });
    default:
      return error;
  }
}
