import type { SystemTx } from "../../data/tenant-db.ts";
import { byVisitor } from "../../event-meaning.ts";
import { tellOwner } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { takeFactors } from "./reset.ts";
import { countRecoveryCodes, findTotp, listKeys } from "./store.ts";

/**
 * For somebody who gets into an account by a link and not by a session of it, in the caller's transaction, which holds the account
 * still. Anybody can register with any address: until it is proven, factors, sessions, linked sign-ins and codes for nodes may be a
 * stranger's, so all of them are taken off. Does nothing where the address is proven.
 */
export async function claimUnproven(needs: Needs, tx: SystemTx, accountId: string, ip: string): Promise<void> {
  const { tenants, lists } = needs;
  if (await tenants.isEmailVerified(tx, accountId)) return;
  let count = (await listKeys(tx, accountId)).length + (await countRecoveryCodes(tx, accountId));
  if ((await findTotp(tx, accountId)) !== null) count += 1;
  await takeFactors(needs, tx, accountId);
  for (const takeOff of lists.ways.all()) count += await takeOff(tx, accountId);
  if (count === 0) return;
  for (const { tenant_id, member_id } of await tenants.listMemberships(accountId, tx))
    await needs.bus.emit(tx, "account.claim", { by: byVisitor(tenant_id, ip), member_id });
  await tellOwner(needs, tx, accountId, { change: "claimed", name: "", ip });
}
