import { kernelFail } from "../../../kernel/http/errors.ts";
import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byMember } from "../../event-meaning.ts";
import { askedLanguage, type Language } from "../../languages.ts";
import type { AccountProof } from "../accounts/index.ts";
import type { LoginBody } from "../sessions/index.ts";
import { endOffers, forgetRemoval, type MembershipRow, NO_PASSWORD } from "../tenants/index.ts";
import { isBrowser } from "./browser.ts";
import { type ExchangeInput, fail, type GivenRole } from "./contract.ts";
import { findOwnerOf } from "./domain-store.ts";
import type { Identity, Pass } from "./flows.ts";
import { domainOf } from "./identity.ts";
import { type Arrival, judge, type Known, keyOf, NotLetIn, noRole, requireOpen, requireRole } from "./judge.ts";
import type { Own } from "./needs.ts";
import { noteRefusal, type Visit } from "./sign-in.ts";
import * as store from "./store.ts";
import { markOfSubject, rememberSubject } from "./subject-store.ts";
import { findWho } from "./who.ts";

const MAX_TRIES = 5;

/** The answer of a sign-in, and the cookie that goes with it. */
export interface SignedIn {
  answer: LoginBody;
  cookie: string;
}

/**
 * Signs in whom a provider named, by the one-time code that its answer was traded for. Throws `sso_code_unknown`, `sso_proof_missing`,
 * `sso_refused`, `too_many_requests`.
 */
export async function exchange(own: Own, visit: Visit, input: ExchangeInput): Promise<SignedIn> {
  const pass = own.flows.passes.get(input.code);
  if (!pass || !isBrowser(visit.request, visit.isHttps, pass.browser)) throw fail("sso_code_unknown");
  const proof = await proveAccount(own, visit, pass, input);
  const { connector, identity } = pass;
  const isClosed = (await own.registration.mode()) === "closed";
  const browser_language = askedLanguage(visit.request.headers.get("accept-language"));
  try {
    const entered = await own.system.onBehalfOf(asVisitor(visit.ip)).tx(async (tx) => {
      const known = { proof, isAnew: input.anew === true, isClosed, browser_language };
      // Whoever is not let in keeps nobody from changing the workspace, and waits for no one.
      await judge(own, tx, pass, known);
      const heldId = await holdAccount(own, tx, pass);
      await own.tenants.lockMembers(tx, connector.tenant_id);
      const member = await admit(own, tx, visit.ip, pass, { ...known, heldId });
      await own.bus.emit(tx, "account.sso_sign_in", { by: byMember({ ...member, is_wsl: true }, visit.ip) });
      const cookie = await own.devices.arrive(tx, member, visit, true);
      const sessionId = await own.sessions.startWorkspaceSignIn(tx, member, visit);
      // Last of all: of several that trade it at once one finds it still there, and what the others did is undone.
      if (!own.flows.passes.take(input.code)) throw fail("sso_code_unknown");
      return { member, cookie, sessionId };
    });
    own.refusals.count("let_in");
    const answer = await own.sessions.loginBody(entered.sessionId, entered.member);
    return { answer, cookie: entered.cookie };
  } catch (error) {
    if (!(error instanceof NotLetIn)) throw error;
    own.flows.passes.take(input.code);
    await noteRefusal(own, visit.ip, {
      ...{ connector, cause: error.refusal, reason: error.message, email: identity.email },
    });
    throw fail("sso_refused", { cause: error.refusal, reason: error.message });
  }
}

/** That the owner of an account is here, by its passphrase or a session of it; null for nobody. Throws `sso_proof_missing`. */
async function proveAccount(
  own: Pick<Own, "accounts" | "system" | "tenants">,
  visit: Visit,
  pass: Pass,
  { password }: ExchangeInput,
): Promise<AccountProof | null> {
  const signedIn = await own.accounts.proveBySession(visit.request);
  if (signedIn) return signedIn;
  const { email } = pass.identity;
  if (password === undefined || email === null) return null;
  pass.tries += 1;
  if (pass.tries > MAX_TRIES) throw fail("sso_code_unknown");
  const asVisitors = own.system.onBehalfOf(asVisitor(visit.ip));
  const { account } = await asVisitors.tx((tx) => findWho(own, tx, pass.connector.tenant_id, email));
  const known = await own.accounts.proveByPassword(visit, account?.email ?? email, password);
  if (!known) throw fail("sso_proof_missing");
  return known;
}

/**
 * Holds the account still that somebody has by now, and gives it; null for none. It comes before the workspace, as everywhere, so that
 * nobody waits for this one while it waits for them.
 */
async function holdAccount(own: Own, tx: SystemTx, pass: Pass): Promise<string | null> {
  const key = keyOf(pass);
  const { email } = pass.identity;
  const linked = await store.findLinkedMember(tx, key);
  const member = linked === null ? null : await own.tenants.findMembership(key.tenant_id, linked, tx);
  // No workspace holds accounts that are not its own while it waits for its row.
  const isOurs = member === null && email !== null && (await findOwnerOf(tx, domainOf(email))) === key.tenant_id;
  const byAddress = isOurs ? await findWho(own, tx, key.tenant_id, email) : null;
  const id = member?.account_id ?? byAddress?.account?.id ?? null;
  if (id !== null) await own.tenants.lockAccount(tx, id);
  return id;
}

/** What is known once the account is held still that somebody has. */
type Holding = Known & { heldId: string | null };

/** The member that somebody is, who is made one or linked where they are new. Throws NotLetIn, `sso_proof_missing`. */
async function admit(own: Own, tx: SystemTx, ip: string, pass: Pass, known: Holding): Promise<MembershipRow> {
  const { connector, key, role, linked, arrival } = await judge(own, tx, pass, known);
  if (arrival !== null && linked !== null) await store.deleteLink(tx, key);
  const memberId = arrival === null ? linked : await link(own, tx, ip, key, pass.identity, role, arrival, known);
  if (memberId === null) throw fail("sso_code_unknown");
  const member = await requireOpen(own, tx, key.tenant_id, memberId);
  if (memberId === linked && member.account_id !== known.heldId) throw fail("sso_code_unknown");
  if (linked !== null) await store.touchLink(tx, key, own.clock.now());
  return giveRole(own, tx, ip, connector, member, role);
}

/** The role of a member as the provider says, where it says roles; what owners are is said here alone. */
async function giveRole(
  own: Own,
  tx: SystemTx,
  ip: string,
  connector: store.ConnectorRow,
  member: MembershipRow,
  role: GivenRole | null,
): Promise<MembershipRow> {
  requireRole(connector, member, role);
  const isSaid = connector.role_claim !== null && member.role !== "org_owner";
  if (!isSaid || role === null || role === member.role) return member;
  await store.updateRole(tx, member.tenant_id, member.member_id, role);
  own.accessEnds.ended(tx, member.member_id);
  await own.bus.emit(tx, "account.sso_role", {
    by: byMember({ ...member, is_wsl: true }, ip),
    role,
    previous_role: member.role,
  });
  return { ...member, role };
}

/** Makes somebody new at this provider a member, or links which one they are. Throws NotLetIn, `sso_code_unknown`. */
async function link(
  own: Own,
  tx: SystemTx,
  ip: string,
  key: store.LinkKey,
  identity: Identity,
  role: GivenRole | null,
  { email, who, wasRemoved, isLetGo }: Arrival,
  { heldId, browser_language }: Holding,
): Promise<string> {
  // Somebody else took the address just now, or gave it up.
  if ((who.account?.id ?? null) !== heldId) throw fail("sso_code_unknown");
  const account = isLetGo ? null : who.account;
  if (isLetGo && who.account !== null && !(await own.tenants.releaseAddress(tx, who.account)))
    throw fail("sso_code_unknown");
  const memberId =
    account === null
      ? await makeMember(own, tx, key.tenant_id, { identity, email, role, browser_language })
      : (who.member_id ?? (await join(own, tx, key.tenant_id, account.id, role)));
  await store.insertLink(tx, key, memberId, own.clock.now());
  await rememberSubject(narrow(tx, key.tenant_id), memberId, key, own.clock.now());
  if (wasRemoved) await forgetRemoval(narrow(tx, key.tenant_id), markOfSubject(key));
  const member = await own.tenants.findMembership(key.tenant_id, memberId, tx);
  if (!member) throw kernelFail("not_found");
  const by = byMember({ ...member, is_wsl: true }, ip);
  if (who.member_id === null) await endOffers(own.lists, narrow(tx, key.tenant_id), by, memberId);
  if (account === null) await own.bus.emit(tx, "account.sso_join", { by, email, role: member.role });
  else await own.bus.emit(tx, "account.sso_link", { by, email });
  return memberId;
}

/** Somebody whom nobody here knows. */
interface Newcomer {
  identity: Identity;
  email: string;
  role: GivenRole | null;
  browser_language: Language | null;
}

/** An account without password and its membership, for somebody whom nobody here knows. */
async function makeMember(
  own: Own,
  tx: SystemTx,
  tenant_id: string,
  { identity, email, role, browser_language }: Newcomer,
): Promise<string> {
  if (!own.refusals.mayJoin(tenant_id))
    throw new NotLetIn("too_many", "Too many new members of this workspace came within an hour. Try again later.");
  const created_at = own.clock.now();
  const account = { id: own.ids.next("acc"), email, password_hash: NO_PASSWORD, display_name: identity.name ?? email };
  if (!(await own.tenants.insertAccount(tx, { ...account, referred_by: null, browser_language, created_at })))
    throw fail("sso_code_unknown");
  await own.tenants.updateEmailVerified(tx, account.id);
  return join(own, tx, tenant_id, account.id, role);
}

async function join(
  own: Own,
  tx: SystemTx,
  tenant_id: string,
  account_id: string,
  role: GivenRole | null,
): Promise<string> {
  if (role === null) throw noRole();
  const id = own.ids.next("mem");
  await own.tenants.insertMember(tx, { tenant_id, id, account_id, role, created_at: own.clock.now() });
  return id;
}
