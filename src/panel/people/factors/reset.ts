import type { SystemTx } from "../../data/tenant-db.ts";
import { byOperator } from "../../event-meaning.ts";
import { tellOwner } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { deleteKeys, deleteRecoveryCodes, deleteTotp } from "./store.ts";

/** Takes every second factor off an account and ends its sessions, in the caller's transaction, which holds the account still. */
export async function takeFactors(
  { tenants, sessions, clock }: Pick<Needs, "tenants" | "sessions" | "clock">,
  tx: SystemTx,
  accountId: string,
): Promise<void> {
  await deleteTotp(tx, accountId);
  await deleteKeys(tx, accountId);
  await deleteRecoveryCodes(tx, accountId);
  await tenants.updateHasFactor(tx, accountId, false);
  await sessions.endOtherSessions(tx, accountId, "", clock.now());
}

/**
 * Takes every second factor off an account and ends its sessions, for whoever holds the host of the panel; the password stays.
 * False when there is no such account.
 */
export async function resetFactors(needs: Needs, email: string): Promise<boolean> {
  const { tenants } = needs;
  const account = await tenants.findAccount(email);
  if (!account) return false;
  await needs.system.tx(async (tx) => {
    await tenants.lockAccount(tx, account.id);
    await takeFactors(needs, tx, account.id);
    const [place] = await tenants.listMemberships(account.id, tx);
    if (place) {
      const by = byOperator(place.tenant_id);
      await needs.bus.emit(tx, "account.factor_reset", { by, member_id: place.member_id });
    }
    await tellOwner(needs, tx, account.id, { change: "reset", name: "", ip: "" });
  });
  return true;
}
