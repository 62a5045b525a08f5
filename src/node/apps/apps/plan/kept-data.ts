import { toIso } from "../../../../lib/clock.ts";
import { fail } from "../contract.ts";
import type { Own } from "../needs.ts";
import { findApp } from "../store.ts";
import { findReusableTrash, findTrash, type TrashRow } from "../trash-store.ts";

/**
 * Data of an uninstalled app that an install of `template` as `name` takes up again: that of the app `wish`; none where the
 * wish is null; left out, that of the same name. Data whose time is over may be half deleted. Throws `app_data_not_found` for a
 * wish that cannot be had.
 */
export function findKeptData(
  { db, clock }: Pick<Own, "db" | "clock">,
  template: string,
  name: string,
  wish: string | null | undefined,
): TrashRow | null {
  if (wish === null) return null;
  const now = toIso(clock.now());
  const row = wish === undefined ? findReusableTrash(db, name, template, now) : findTrash(db, wish);
  // An app that is being installed on this data owns it.
  const isFree = row !== null && row.purge_at > now && row.template === template && !findApp(db, row.app_id);
  if (isFree) return row;
  if (wish === undefined) return null;
  throw fail("app_data_not_found", { id: wish });
}
