import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { byVisitor } from "../../event-meaning.ts";
import type { Stake } from "../tenants/index.ts";
import { type Fate, keepWorkspaces } from "./claim-words.ts";
import { tellOwner } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { takeFactors } from "./reset.ts";
import { countRecoveryCodes, findTotp, listKeys } from "./store.ts";

/** Somebody who gets into an account by a link and not by a session of it. */
export interface Claim {
  ip: string;
  /** The link itself proves that they read the mail of the account, and nothing else speaks for whoever had it before. */
  provesAddress: boolean;
}

/** A workspace that an account is or was in, and what becomes of it. */
interface Settled {
  stake: Stake;
  fate: Fate;
}

/** Owners whom the letter names for each workspace. */
const OWNERS_MAX = 3;

/**
 * For somebody who gets into an account by a link and not by a session of it, in the caller's transaction, which holds the account
 * still. Anybody can register with any address: until it is proven, factors, sessions, linked sign-ins and codes for nodes may be a
 * stranger's, so all of them are taken off. Where the link proves the address, the account is in no workspace any more but in those that
 * are its owner's alone from then on, and that of whose domain its address is. It is always told and written down. Does nothing where
 * the address is proven already, and for accounts that nobody had before.
 */
export async function claimUnproven(needs: Needs, tx: SystemTx, accountId: string, claim: Claim): Promise<void> {
  const { tenants, lists, bus } = needs;
  const { ip, provesAddress } = claim;
  if (await tenants.isEmailVerified(tx, accountId)) return;
  const hadFactors = await hasFactors(tx, accountId);
  await takeFactors(needs, tx, accountId);
  for (const takeOff of lists.ways.all()) await takeOff(tx, accountId);
  for (const { tenant_id } of await tenants.listStakes(tx, accountId)) await tenants.lockMembers(tx, tenant_id);
  // Read again: whoever is there may have changed what it is meanwhile.
  const stakes = await tenants.listStakes(tx, accountId);
  if (stakes.length === 0 && !hadFactors && !provesAddress) return;
  const settled = provesAddress
    ? await settle(needs, tx, accountId, stakes, ip)
    : stakes.map((stake) => ({ stake, fate: "kept" as const }));
  for (const { stake, fate } of settled) {
    const by = byVisitor(stake.tenant_id, ip);
    await bus.emit(tx, "account.claim", { by, member_id: stake.member_id, left: fate === "left" });
  }
  const workspaces = [];
  for (const { stake, fate } of settled) {
    // Whoever was removed learns no more of the workspace than they could read there: neither its name by now nor its owners.
    if (stake.status === "disabled") continue;
    const owners = await tenants.listOtherOwners(tx, stake, OWNERS_MAX);
    workspaces.push({ name: stake.workspace, fate, owners });
  }
  await leave(needs, tx, accountId, settled);
  // A membership that ended is kept for the log, and nobody can sign in by it.
  const isNowhere = settled.every(({ stake, fate }) => fate === "left" || stake.status !== "active");
  if (provesAddress && isNowhere) await beginAnew(needs, tx, accountId, ip);
  await tellOwner(needs, tx, accountId, { change: "claimed", name: "", ip, workspaces: keepWorkspaces(workspaces) });
}

const hasFactors = async (tx: SystemTx, accountId: string): Promise<boolean> =>
  (await findTotp(tx, accountId)) !== null ||
  (await listKeys(tx, accountId)).length > 0 ||
  (await countRecoveryCodes(tx, accountId)) > 0;

/**
 * Decides what becomes of each workspace, and ends what lets others into those that are the account's own. That is what it made and
 * owns, and what nobody else owns. What somebody else owns says nothing of whoever has the account now: letters that invited them would
 * have proven the address. Whoever owns the domain of the address decides who has it.
 */
async function settle(
  needs: Needs,
  tx: SystemTx,
  accountId: string,
  stakes: readonly Stake[],
  ip: string,
): Promise<Settled[]> {
  const account = await needs.tenants.findAccountById(accountId, tx);
  const domain = account?.email.split("@").at(-1) ?? "";
  const owners = await Promise.all(needs.lists.domains.all().map((findOwner) => findOwner(tx, domain)));
  const settled: Settled[] = [];
  for (const stake of stakes) {
    const isOwner = stake.role === "org_owner" && stake.status === "active";
    const isHome = owners.includes(stake.tenant_id);
    if (isOwner && (stake.is_founder === 1 || (stake.owners === 1 && !isHome)))
      settled.push({ stake, fate: (await oustOthers(needs, tx, stake, ip)) > 0 ? "cleared" : "own" });
    else settled.push({ stake, fate: isHome ? "kept" : "left" });
  }
  return settled;
}

/** Ends what lets others into a workspace of the account; gives how much that was. */
async function oustOthers(
  { lists }: Pick<Needs, "lists">,
  tx: SystemTx,
  { tenant_id, member_id }: Stake,
  ip: string,
): Promise<number> {
  const ousted = { tenant_id, member_id, by: byVisitor(tenant_id, ip), own: narrow(tx, tenant_id) };
  let count = 0;
  for (const end of lists.grants.all()) count += await end(tx, ousted);
  return count;
}

/** Ends the memberships that the account has no more; those that a log names stay there, and are nobody's. */
async function leave(
  { tenants, audit, accessEnds }: Pick<Needs, "tenants" | "audit" | "accessEnds">,
  tx: SystemTx,
  accountId: string,
  settled: readonly Settled[],
): Promise<void> {
  const named: Stake[] = [];
  for (const { stake, fate } of settled) {
    if (fate !== "left") continue;
    const { tenant_id, member_id } = stake;
    accessEnds.ended(tx, member_id);
    if (await audit.isAudited(tx, tenant_id, member_id)) named.push(stake);
    else await tenants.deleteMember(tx, tenant_id, member_id);
  }
  await tenants.leaveBehind(tx, accountId, named);
}

/** Makes a workspace of its own for an account that can enter none any more. */
async function beginAnew(
  { tenants, bus }: Pick<Needs, "tenants" | "bus">,
  tx: SystemTx,
  accountId: string,
  ip: string,
): Promise<void> {
  const name = `${(await tenants.findAccountById(accountId, tx))?.display_name ?? ""}'s workspace`;
  const made = await tenants.createWorkspace(tx, accountId, { name, mode: null, parent_tenant_id: null });
  await bus.emit(tx, "account.claim", {
    ...{ by: byVisitor(made.tenant_id, ip), member_id: made.member_id },
    left: false,
  });
}
