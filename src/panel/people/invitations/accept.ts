import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { checkPassword, forKnown, hashPassword } from "../../../shared/password/index.ts";
import { holds } from "../../access.ts";
import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byMember } from "../../event-meaning.ts";
import { askedLanguage } from "../../languages.ts";
import type { AccountProof } from "../accounts/index.ts";
import { letIn, listKnownAs } from "../tenants/index.ts";
import { type Accepted, type AcceptInput, fail, type InvitationLook } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findOffer, markAccepted, type OfferRow } from "./store.ts";

/** How many workspaces one account may be in. */
const MAX_WORKSPACES = 100;

/** Whoever accepts: from where, and with which headers. */
interface Visitor {
  ip: string;
  request: Request;
}

/** What an invitation is for. Throws `invitation_unknown`. */
export async function lookAt(needs: Needs, ip: string, token: string): Promise<InvitationLook> {
  const system = needs.system.onBehalfOf(asVisitor(ip));
  const offer = await findOffer(system, sha256Hex(token), needs.clock.now());
  if (!offer || !(await system.tx((tx) => isBacked(needs, tx, offer)))) throw fail("invitation_unknown");
  const { email, role, workspace, inviter, expires_at } = offer;
  const existing_account = (await needs.tenants.findAccount(email)) !== null;
  return { email, role, workspace, invited_by: inviter, expires_at: toIso(expires_at), existing_account };
}

/**
 * Makes whoever holds the link a member. Throws `invitation_unknown`, `invitation_proof_missing`, `invitation_password_unusable`,
 * `already_here`, `access_was_ended`, `workspace_closed`, `member_of_too_many`, `registration_closed`, `too_many_requests`.
 */
export async function accept(needs: Needs, visitor: Visitor, input: AcceptInput): Promise<Accepted> {
  const hash = sha256Hex(input.token);
  const offer = await findOffer(needs.system, hash, needs.clock.now());
  if (!offer) throw fail("invitation_unknown");
  requireOpen(offer);
  const account = await needs.tenants.findAccount(offer.email);
  if (account === null) return acceptAnew(needs, visitor, hash, offer, input);
  const proof = await proveAccount(needs, visitor, account, input.password);
  if (proof === null) throw fail("invitation_proof_missing");
  const joining = { accountId: account.id, proof };
  const member_id = await needs.system
    .onBehalfOf(asVisitor(visitor.ip))
    .tx((tx) => join(needs, tx, visitor.ip, hash, offer, joining));
  return answer(offer, member_id, true);
}

/** That whoever accepts holds the account, by a session of it or its password; null where they show neither. */
async function proveAccount(
  { accounts }: Pick<Needs, "accounts">,
  visitor: Visitor,
  { id, email }: { id: string; email: string },
  password: string | undefined,
): Promise<AccountProof | null> {
  const signedIn = await accounts.proveBySession(visitor.request);
  if (signedIn?.account_id === id) return signedIn;
  const known = password === undefined ? null : await accounts.proveByPassword(visitor, email, password);
  return known?.account_id === id ? known : null;
}

async function acceptAnew(
  needs: Needs,
  { ip, request }: Visitor,
  hash: string,
  offer: OfferRow,
  { name, password }: AcceptInput,
): Promise<Accepted> {
  await needs.registration.requireNotClosed();
  if (name === undefined) throw kernelFail("invalid_request", { field: "name", reason: "is needed for a new account" });
  const reason = checkPassword(password ?? "", offer.email);
  if (password === undefined || reason !== null)
    throw fail("invitation_password_unusable", { field: "password", reason });
  const system = needs.system.onBehalfOf(asVisitor(ip));
  await system.tx((tx) => requireWelcome(needs, tx, hash, offer, null));
  const takeBack = needs.registration.growth.take({ ip, accountId: null, knownSince: offer.workspace_since });
  try {
    const password_hash = await hashPassword(password, forKnown(offer.id, ip, request.signal));
    const member_id = await system.tx(async (tx) => {
      const account = { id: needs.ids.next("acc"), email: offer.email, password_hash, display_name: name };
      const browser_language = askedLanguage(request.headers.get("accept-language"));
      const row = { ...account, referred_by: null, browser_language, created_at: needs.clock.now() };
      // Somebody may have registered with this address while the password was hashed.
      if (!(await needs.tenants.insertAccount(tx, row))) throw fail("invitation_proof_missing");
      return join(needs, tx, ip, hash, offer, { accountId: account.id, proof: null });
    });
    return answer(offer, member_id, false);
  } catch (error) {
    takeBack();
    throw error;
  }
}

/** An invitation holds as long as whoever made it could make it: they may have left, or have another role by now. */
async function isBacked(
  { tenants }: Pick<Needs, "tenants">,
  tx: SystemTx,
  { tenant_id, invited_by, role }: OfferRow,
): Promise<boolean> {
  const inviter = await tenants.findMembership(tenant_id, invited_by, tx);
  if (inviter?.member_status !== "active" || !holds(inviter.role, "users:manage")) return false;
  return role !== "org_owner" || inviter.role === "org_owner";
}

/** Uses the invitation up and makes the membership, or throws and leaves both as they are. A new account has no proof to show. */
async function join(
  needs: Needs,
  tx: SystemTx,
  ip: string,
  hash: string,
  offer: OfferRow,
  { accountId, proof }: { accountId: string; proof: AccountProof | null },
): Promise<string> {
  const { tenants, accounts, factors, bus, clock, ids } = needs;
  const { tenant_id, id, email, role, invited_by, letter_hash } = offer;
  // Whoever it lets in nowhere keeps nobody from changing the workspace, and waits for no one.
  await requireWelcome(needs, tx, hash, offer, accountId);
  await tenants.lockAccount(tx, accountId);
  // Somebody else may have the account by now, whom nobody asked.
  if (proof !== null && !(await accounts.stillHolds(tx, proof))) throw fail("invitation_proof_missing");
  // Only who reads the mail of this address has that token.
  const isByLetter = letter_hash === hash;
  // The passphrase says that whoever made the account reads its mail: its workspaces are theirs. It holds those, in their order.
  if (isByLetter && !proof?.session) await factors.claimUnproven(tx, accountId, { ip, provesAddress: false });
  // Whoever ends all access to the workspace meanwhile has to see this membership, or this the end of its invitation.
  await tenants.lockMembers(tx, tenant_id);
  await requireWelcome(needs, tx, hash, offer, accountId);
  const now = clock.now();
  if (!(await markAccepted(tx, tenant_id, id, now))) throw fail("invitation_unknown");
  if (isByLetter) await tenants.updateEmailVerified(tx, accountId);
  const member_id = ids.next("mem");
  await tenants.insertMember(tx, { tenant_id, id: member_id, account_id: accountId, role, created_at: now });
  await letIn(narrow(tx, tenant_id), member_id, now);
  const by = byMember({ tenant_id, member_id, account_id: accountId }, ip);
  await bus.emit(tx, "account.join", { by, invitation_id: id, email, role, invited_by });
  return member_id;
}

/** Throws `workspace_closed`. */
function requireOpen({ tenant_status, workspace }: OfferRow): void {
  if (tenant_status === "suspended") throw fail("workspace_closed", { name: workspace });
}

/**
 * That the invitation still lets an account in, or a new one. Throws `invitation_unknown`, `workspace_closed`, `already_here`,
 * `access_was_ended`, `member_of_too_many`.
 */
async function requireWelcome(
  needs: Pick<Needs, "tenants" | "clock">,
  tx: SystemTx,
  hash: string,
  { tenant_id, id, role }: OfferRow,
  accountId: string | null,
): Promise<void> {
  // Read again: it may have been used or taken back since, or made for another role.
  const current = await findOffer(tx, hash, needs.clock.now());
  if (current?.id !== id || current.role !== role || !(await isBacked(needs, tx, current)))
    throw fail("invitation_unknown");
  // It may have been suspended while the password was hashed.
  requireOpen(current);
  const memberships = accountId === null ? [] : await needs.tenants.listMemberships(accountId, tx);
  const former = memberships.find((one) => one.tenant_id === tenant_id);
  if (former) throw fail(former.member_status === "active" ? "already_here" : "access_was_ended");
  await requireUnknown(tx, current, accountId);
  if (memberships.length >= MAX_WORKSPACES) throw fail("member_of_too_many", { limit: MAX_WORKSPACES });
}

/**
 * Throws `already_here` or `access_was_ended` for an invitation of before the workspace knew another account's member by its address, or
 * of before that member's access ended: they would be here twice, or come back. One of after it is for whom its maker means.
 */
async function requireUnknown(tx: SystemTx, { tenant_id, email, created_at }: OfferRow, accountId: string | null) {
  const known = await listKnownAs(narrow(tx, tenant_id), email);
  const former = known.filter(({ account_id, since }) => account_id !== accountId && created_at < since);
  if (former.some(({ status }) => status === "active")) throw fail("already_here");
  if (former.length > 0) throw fail("access_was_ended");
}

const answer = ({ tenant_id, role }: OfferRow, user_id: string, existing_account: boolean): Accepted => ({
  accepted: true,
  user_id,
  tenant_id,
  existing_account,
  ...(role === "org_owner" ? { activated: true } : {}),
});
