import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { byVisitor } from "../../event-meaning.ts";
import { SHARED, tellOwner } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { takeFactors } from "./reset.ts";
import { countRecoveryCodes, findTotp, listKeys } from "./store.ts";

/** Somebody who gets into an account by a link and not by a session of it. */
export interface Claim {
  ip: string;
  /** The link itself proves that they read the mail of the account, and nothing else speaks for whoever had it before. */
  provesAddress: boolean;
}

/**
 * For somebody who gets into an account by a link and not by a session of it, in the caller's transaction, which holds the account
 * still. Anybody can register with any address: until it is proven, factors, sessions, linked sign-ins and codes for nodes may be a
 * stranger's, so all of them are taken off. Where the link proves the address, the workspaces that the account made are its owner's
 * alone from then on. Does nothing where the address is proven already.
 */
export async function claimUnproven(needs: Needs, tx: SystemTx, accountId: string, claim: Claim): Promise<void> {
  const { tenants, lists } = needs;
  const { ip } = claim;
  if (await tenants.isEmailVerified(tx, accountId)) return;
  let count = (await listKeys(tx, accountId)).length + (await countRecoveryCodes(tx, accountId));
  if ((await findTotp(tx, accountId)) !== null) count += 1;
  await takeFactors(needs, tx, accountId);
  for (const takeOff of lists.ways.all()) count += await takeOff(tx, accountId);
  const ousted = claim.provesAddress ? await oustOthers(needs, tx, accountId, ip) : 0;
  if (count + ousted === 0) return;
  for (const { tenant_id, member_id } of await tenants.listMemberships(accountId, tx))
    await needs.bus.emit(tx, "account.claim", { by: byVisitor(tenant_id, ip), member_id });
  await tellOwner(needs, tx, accountId, { change: "claimed", name: ousted > 0 ? SHARED : "", ip });
}

/** Ends what lets others into the workspaces that the account made and owns; gives how much that was. */
async function oustOthers(
  { tenants, lists }: Pick<Needs, "tenants" | "lists">,
  tx: SystemTx,
  accountId: string,
  ip: string,
): Promise<number> {
  let count = 0;
  for (const { tenant_id, member_id } of await tenants.listFounded(tx, accountId)) {
    await tenants.lockMembers(tx, tenant_id);
    const ousted = { tenant_id, member_id, by: byVisitor(tenant_id, ip), own: narrow(tx, tenant_id) };
    for (const end of lists.grants.all()) count += await end(tx, ousted);
  }
  return count;
}
