import type { Mark, PanelLists } from "../../base.ts";
import type { TenantTx } from "../../data/tenant-db.ts";
import type { By } from "../../event-meaning.ts";
import { listAddressesOf } from "./removed-store.ts";

/**
 * Ends what waits to let a member in, by any of their addresses and of those among `before`, which they had until now: their access began in
 * another way, or ends. Whoever asked them did not know of it.
 */
export async function endOffers(
  lists: Pick<PanelLists, "marks" | "removals">,
  tx: TenantTx,
  by: By,
  memberId: string,
  before: readonly Mark[] = [],
): Promise<void> {
  const { addresses } = await listAddressesOf(lists, tx, memberId, before);
  for (const end of lists.removals.all()) await end(tx, { by, addresses });
}
