import { sha256Hex } from "../../../lib/digest.ts";
import type { Actor } from "../../actor.ts";
import { isStandIn, requireAddress } from "../../addresses.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byVisitor } from "../../event-meaning.ts";
import type { MailOutcome } from "../../platform/mail/contract.ts";
import type { AccountRow } from "../tenants/index.ts";
import { type EmailStatus, fail } from "./contract.ts";
import { LIFETIME_MS, queueChange, queueProof } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { deletePending, deleteProofs, findPending, findProof, savePending } from "./store.ts";

const sendsMail = ({ mail }: Pick<Needs, "mail">): boolean => mail.missing().length === 0;

/** The caller's address, and what became of its proof. */
export async function readStatus(needs: Needs, actor: Actor): Promise<EmailStatus> {
  const { tenant_id, member_id, account_id } = actor;
  const member = await needs.tenants.findMembership(tenant_id, member_id);
  const email = member?.email ?? "";
  return {
    email,
    verified: member?.email_verified === 1,
    pending: await findPending(needs.system.by(actor), account_id, needs.clock.now()),
    by_mail: sendsMail(needs),
    mail: await findOutcome(needs, tenant_id, email),
  };
}

/** Of the account's own last letter and the workspace's, the one that was not taken, or else the later one. */
async function findOutcome(
  { mail }: Pick<Needs, "mail">,
  tenantId: string,
  email: string,
): Promise<MailOutcome | null> {
  const found = await Promise.all([mail.findOutcome(null, email), mail.findOutcome(tenantId, email)]);
  const known = found.filter((one) => one !== null);
  const latest = known.sort((a, b) => b.at.localeCompare(a.at))[0] ?? null;
  return known.find(({ unreachable }) => unreachable) ?? latest;
}

/** Has a link sent to the address of a new account, in the transaction that makes it; nothing where no mail is sent. */
export async function greet(needs: Needs, tx: SystemTx, accountId: string, email: string): Promise<void> {
  if (sendsMail(needs)) await queueProof(needs, tx, accountId, email);
}

const isUnreached = async (needs: Pick<Needs, "mail">, tenantId: string, email: string): Promise<boolean> => {
  const outcome = await findOutcome(needs, tenantId, email);
  return outcome !== null && (outcome.unreachable || outcome.state === "refused" || outcome.state === "given_up");
};

/**
 * Has a link sent to the caller's address: to prove it, or to try anew whether letters reach it. Throws `email_mail_off`,
 * `email_given_up`, `email_verified`.
 */
export async function sendLink(needs: Needs, actor: Actor): Promise<void> {
  const { tenant_id, member_id, account_id } = actor;
  if (!sendsMail(needs)) throw fail("email_mail_off");
  const member = await needs.tenants.findMembership(tenant_id, member_id);
  if (member && isStandIn(member.email)) throw fail("email_given_up");
  if (!member || (member.email_verified === 1 && !(await isUnreached(needs, tenant_id, member.email))))
    throw fail("email_verified");
  await needs.system.by(actor).tx((tx) => queueProof(needs, tx, account_id, member.email));
}

/**
 * Wants another address for the caller's account; it takes effect once a link that goes there is opened. Throws `email_mail_off`,
 * `email_same`, `email_limit`, `step_up_required`.
 */
export async function askForChange(needs: Needs, actor: Actor, ip: string, given: string): Promise<void> {
  if (!sendsMail(needs)) throw fail("email_mail_off");
  const email = requireAddress(given);
  const { account_id } = actor;
  await needs.system.by(actor).tx(async (tx) => {
    await needs.tenants.lockAccount(tx, account_id);
    const account = await needs.tenants.findAccountById(account_id, tx);
    if (!account || account.email === email) throw fail("email_same");
    await needs.factors.requireFreshProof(tx, actor);
    if (!(await needs.tenants.hasRoomForAddress(tx, account_id, email))) throw fail("email_limit");
    await savePending(tx, account, email, needs.clock.now() + LIFETIME_MS);
    await queueProof(needs, tx, account_id, email);
    await queueChange(needs, tx, account.email, { told: "asked", name: account.display_name, email, ip });
  });
}

/** Keeps the address as it is; links that went to another one open nothing any more. */
export async function dropChange({ system, tenants }: Needs, actor: Actor): Promise<void> {
  const { account_id } = actor;
  await system.by(actor).tx(async (tx) => {
    await tenants.lockAccount(tx, account_id);
    await deletePending(tx, account_id);
  });
}

/** The account that a link is about and the address that it may have by it. Throws `email_link_unknown`, `email_in_use`. */
async function requireTakeable(
  { tenants, clock }: Pick<Needs, "tenants" | "clock">,
  tx: SystemTx,
  hash: string,
  accountId: string,
): Promise<{ account: AccountRow; email: string }> {
  const proof = await findProof(tx, hash, clock.now());
  const account = await tenants.findAccountById(accountId, tx);
  if (!proof || !account) throw fail("email_link_unknown");
  const { email } = proof;
  if (account.email === email) return { account, email };
  if ((await findPending(tx, accountId, clock.now())) !== email) throw fail("email_link_unknown");
  if ((await tenants.findAccount(email, tx))?.email === email) throw fail("email_in_use");
  return { account, email };
}

/**
 * Takes the proof that whoever opened a letter reads what is sent there. Links to the account that went to the address before open
 * nothing any more. It counts from a session of that very account alone: anybody can have a letter sent to somebody else, who must not
 * vouch for a stranger's account by opening it. Throws `email_link_unknown`, `email_sign_in_first`, `email_in_use`.
 */
export async function confirm(needs: Needs, ip: string, request: Request, token: string) {
  const { system, tenants, clock } = needs;
  const hash = sha256Hex(token);
  const seen = await findProof(system, hash, clock.now());
  if (!seen) throw fail("email_link_unknown");
  const caller = await needs.sessions.findCaller(request);
  if (caller?.account_id !== seen.account_id || caller.is_wsl) throw fail("email_sign_in_first");
  return system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    // Who cannot have the address waits for nobody, however often the link is opened.
    await requireTakeable(needs, tx, hash, seen.account_id);
    await tenants.lockAccount(tx, seen.account_id);
    const { account, email } = await requireTakeable(needs, tx, hash, seen.account_id);
    const account_id = account.id;
    const changed = account.email !== email;
    await deleteProofs(tx, account_id);
    if (changed) {
      if (!(await tenants.updateEmail(tx, account_id, email))) throw fail("email_in_use");
      await deletePending(tx, account_id);
      await needs.accountLinks.forgetLinks(tx, account_id);
      await queueChange(needs, tx, account.email, { told: "done", name: account.display_name, email, ip });
    }
    await tenants.updateEmailVerified(tx, account_id);
    const [place] = await tenants.listMemberships(account_id, tx);
    if (place) {
      const by = byVisitor(place.tenant_id, ip);
      const { member_id } = place;
      if (changed) await needs.bus.emit(tx, "account.email_change", { by, member_id, email, previous: account.email });
      else await needs.bus.emit(tx, "account.email_verify", { by, member_id });
    }
    return { status: "ok" as const, email, changed };
  });
}
