import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { type AccountRow, listKnownAs, NO_PASSWORD } from "../tenants/index.ts";
import type { Own } from "./needs.ts";

/** Who has an address, for a workspace. */
export interface Who {
  /** Null where there is none. */
  account: AccountRow | null;
  /** Their membership there, which may have ended; null for a stranger. */
  member_id: string | null;
  /**
   * `has`: the account has the address. `told`: the directory has it for a member whose account has another. `had`: a member's account
   * had it before.
   */
  how: "has" | "told" | "had";
  /** Somebody else's access was ended who had it. */
  isEnded: boolean;
}

/**
 * Who has an address: the member whose account has it, else a member who may enter and is or was known by it, else whichever account there
 * is. So nobody gets a second membership by an address that is or was theirs.
 */
export async function findWho(
  { tenants }: Pick<Own, "tenants">,
  tx: SystemTx,
  tenantId: string,
  email: string,
): Promise<Who> {
  const account = await tenants.findAccount(email, tx);
  const memberships = account === null ? [] : await tenants.listMemberships(account.id, tx);
  const own = memberships.find(({ tenant_id }) => tenant_id === tenantId);
  if (own) return { account, member_id: own.member_id, how: "has", isEnded: false };
  const known = await listKnownAs(narrow(tx, tenantId), email);
  const isEnded = known.some(({ status }) => status === "disabled");
  const open = known.filter(({ status }) => status === "active");
  // Of somebody whose access ended it is theirs, unless the directory has it for another one by now.
  const active = open.find(({ how }) => how === "told") ?? (isEnded ? undefined : open[0]);
  if (!active) return { account, member_id: null, how: "has", isEnded };
  const { account_id, member_id, how } = active;
  return { account: await tenants.findAccountById(account_id, tx), member_id, how, isEnded };
}

/** True for somebody without a passphrase whose address the workspace says is theirs: nobody else has a say in who they are. */
export const isOurWord = ({ account, member_id, how }: Who): boolean =>
  account?.password_hash === NO_PASSWORD && member_id !== null && how !== "had";
