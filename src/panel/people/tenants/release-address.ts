import { standInFor } from "../../addresses.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byPanel } from "../../event-meaning.ts";
import { releaseEmail } from "./address-store.ts";
import type { Needs } from "./needs.ts";
import { type AccountRow, listMemberships, lockAccount } from "./store.ts";

/** Takes an address off an account that never proved it, and writes it down in each of its workspaces; false where it stays. */
export async function releaseAddress(
  { bus, clock }: Pick<Needs, "bus" | "clock">,
  tx: SystemTx,
  account: AccountRow,
): Promise<boolean> {
  await lockAccount(tx, account.id);
  if (!(await releaseEmail(tx, account.id, standInFor(account.id), clock.now()))) return false;
  for (const { tenant_id, member_id } of await listMemberships(tx, account.id))
    await bus.emit(tx, "account.address_release", { by: byPanel(tenant_id), member_id, email: account.email });
  return true;
}
