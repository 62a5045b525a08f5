import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days, hours } from "../../../lib/duration.ts";
import { checkPassword, FOR_PROGRAM, forKnown, hashPassword } from "../../../shared/password/index.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byOperator, byVisitor } from "../../event-meaning.ts";
import { fail, type LinkKind } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { deleteExpiredLinks, deleteLinks, findLink, insertLink } from "./store.ts";

const LIFETIME_MS: Record<LinkKind, number> = { invite: days(7), reset: hours(24) };
/** What anybody can have sent is good for less long. */
const MAILED_MS = hours(1);

/** A link as it is handed out, once. */
export interface MadeLink {
  url: string;
  /** Milliseconds. */
  expires_at: number;
}

/** Makes one more link for an account; part of the caller's transaction. The token stands in the fragment, which reaches no log. */
async function addLink(
  { clock, ids, config }: Pick<Needs, "clock" | "ids" | "config">,
  tx: SystemTx,
  accountId: string,
  kind: LinkKind,
  lifetimeMs: number,
  is_mailed: 0 | 1,
): Promise<MadeLink> {
  const token = ids.token(32);
  const now = clock.now();
  const expires_at = now + lifetimeMs;
  await insertLink(tx, { hash: sha256Hex(token), account_id: accountId, kind, is_mailed, created_at: now, expires_at });
  return { url: `${config.public_url}/welcome#${token}`, expires_at };
}

/** Makes a link in place of those that the account has. */
async function makeLink(needs: Needs, tx: SystemTx, accountId: string, kind: LinkKind): Promise<MadeLink> {
  await deleteLinks(tx, accountId);
  return addLink(needs, tx, accountId, kind, LIFETIME_MS[kind], 0);
}

/** Makes a link that anybody can have sent; those that the account has stay, so that nobody takes them back by asking. */
export async function addMailedLink(needs: Needs, tx: SystemTx, accountId: string): Promise<MadeLink> {
  await deleteExpiredLinks(tx, accountId, needs.clock.now());
  return addLink(needs, tx, accountId, "reset", MAILED_MS, 1);
}

/** The membership by which something about an account is written down: the one used last. */
async function placeOf({ tenants }: Pick<Needs, "tenants">, tx: SystemTx, accountId: string) {
  return (await tenants.listMemberships(accountId, tx))[0] ?? null;
}

/** A link by which the owner of an account chooses a new password; null when there is no such account. */
export async function offerReset(needs: Needs, email: string): Promise<MadeLink | null> {
  const account = await needs.tenants.findAccount(email);
  if (!account) return null;
  return needs.system.tx(async (tx) => {
    const place = await placeOf(needs, tx, account.id);
    if (place) {
      const by = byOperator(place.tenant_id);
      await needs.bus.emit(tx, "account.link", { by, member_id: place.member_id, kind: "reset" });
    }
    return makeLink(needs, tx, account.id, "reset");
  });
}

/** Makes an account with a workspace and a link into it; null when the address has one already. */
export async function inviteAccount(needs: Needs, email: string, name: string): Promise<MadeLink | null> {
  const { tenants, ids, clock } = needs;
  const id = ids.next("acc");
  // Nobody knows this one: the link is the only way in.
  const password_hash = await hashPassword(ids.token(32), FOR_PROGRAM);
  return needs.system.tx(async (tx) => {
    const row = {
      id,
      email,
      password_hash,
      display_name: name,
      referred_by: null,
      browser_language: null,
    };
    if (!(await tenants.insertAccount(tx, { ...row, created_at: clock.now() }))) return null;
    const workspace = { name: `${name}'s workspace`, mode: null, parent_tenant_id: null };
    const made = await tenants.createWorkspace(tx, id, workspace);
    const by = byOperator(made.tenant_id);
    await needs.bus.emit(tx, "account.link", { by, member_id: made.member_id, kind: "invite" });
    return makeLink(needs, tx, id, "invite");
  });
}

/** Makes somebody platform staff, or ends that; false when there is no such account. */
export async function setStaff(needs: Needs, email: string, staff: boolean): Promise<boolean> {
  const account = await needs.tenants.findAccount(email);
  if (!account) return false;
  await needs.system.tx(async (tx) => {
    await needs.tenants.updateStaff(tx, account.id, staff);
    const place = await placeOf(needs, tx, account.id);
    if (!place) return;
    const by = byOperator(place.tenant_id);
    await needs.bus.emit(tx, "account.staff", { by, member_id: place.member_id, staff });
  });
  return true;
}

/** Whose link it is, and what for. Throws `link_unknown`. */
export async function lookAtLink({ system, clock }: Pick<Needs, "system" | "clock">, token: string) {
  const found = await findLink(system, sha256Hex(token), clock.now());
  if (!found) throw fail("link_unknown");
  const { kind, email, display_name, expires_at } = found;
  return { kind, email, display_name, expires_at: toIso(expires_at) };
}

/**
 * Chooses the password, ends every session of the account and takes its links back; takes off what a stranger may have added while the
 * address was unproven. Whoever forgot the password has no session that would vouch for that, whatever the browser sends. Throws
 * `link_unknown`, `link_password_unusable`.
 */
export async function applyLink(needs: Needs, ip: string, token: string, password: string, left: AbortSignal) {
  const { system, clock, tenants } = needs;
  const hash = sha256Hex(token);
  const seen = await findLink(system, hash, clock.now());
  if (!seen) throw fail("link_unknown");
  const reason = checkPassword(password, seen.email);
  if (reason !== null) throw fail("link_password_unusable", { field: "password", reason });
  const password_hash = await hashPassword(password, forKnown(seen.account_id, ip, left));
  await system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    await tenants.lockAccount(tx, seen.account_id);
    // Somebody may have used it while the password was hashed.
    const found = await findLink(tx, hash, clock.now());
    if (!found) throw fail("link_unknown");
    await deleteLinks(tx, found.account_id);
    await tenants.updatePasswordHash(tx, found.account_id, password_hash);
    // What the operator hands over proves nothing of the mailbox.
    const provesAddress = found.is_mailed === 1;
    // Accounts that the operator made with an invitation are nobody's before it is used.
    if (found.kind === "reset") await needs.factors.claimUnproven(tx, found.account_id, { ip, provesAddress });
    if (provesAddress) await tenants.updateEmailVerified(tx, found.account_id);
    await needs.sessions.endOtherSessions(tx, found.account_id, "", clock.now());
    const place = await placeOf(needs, tx, found.account_id);
    if (!place) return;
    const by = byVisitor(place.tenant_id, ip);
    await needs.bus.emit(tx, "account.link_used", { by, member_id: place.member_id, kind: found.kind });
  });
  return { status: "ok" as const, email: seen.email };
}
