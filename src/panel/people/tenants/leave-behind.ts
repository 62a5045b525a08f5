import { standInFor } from "../../addresses.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { moveMember, type Stake } from "./stakes-store.ts";
import { findAccountById, insertAccount, NO_PASSWORD } from "./store.ts";

/**
 * Ends memberships of an account which are those of whoever had it before, and stay for the log: an account that nobody can sign in to
 * has them from then on, so that giving them back gives the account nothing. Part of the caller's transaction.
 */
export async function leaveBehind(
  { clock, ids }: Pick<Needs, "clock" | "ids">,
  tx: SystemTx,
  accountId: string,
  memberships: readonly Pick<Stake, "tenant_id" | "member_id">[],
): Promise<void> {
  const account = memberships.length === 0 ? null : await findAccountById(tx, accountId);
  if (!account) return;
  const id = ids.next("acc");
  await insertAccount(tx, {
    ...{ id, email: standInFor(id), display_name: account.display_name, password_hash: NO_PASSWORD },
    ...{ referred_by: null, browser_language: null, created_at: clock.now() },
  });
  for (const membership of memberships) await moveMember(tx, membership, id);
}
