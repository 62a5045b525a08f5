import { kernelFail } from "../../../kernel/http/errors.ts";
import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byMember } from "../../event-meaning.ts";
import { askedLanguage, type Language } from "../../languages.ts";
import type { AccountProof } from "../accounts/index.ts";
import type { LoginBody } from "../sessions/index.ts";
import {
  type AccountRow,
  endOffers,
  forgetRemoval,
  judgeRemoval,
  type MembershipRow,
  markOf,
  NO_PASSWORD,
} from "../tenants/index.ts";
import { isBrowser } from "./browser.ts";
import { type ExchangeInput, fail, type GivenRole, type RefusalCause } from "./contract.ts";
import { findOwnerOf } from "./domain-store.ts";
import type { Identity, Pass } from "./flows.ts";
import { domainOf, pickRole } from "./identity.ts";
import type { Own } from "./needs.ts";
import { noteRefusal, type Visit } from "./sign-in.ts";
import * as store from "./store.ts";
import { markOfSubject, rememberSubject } from "./subject-store.ts";
import { findWho, isOurWord, type Who } from "./who.ts";

const MAX_TRIES = 5;
/** How many workspaces one account may be in. */
const MAX_WORKSPACES = 100;

/** Somebody who is not let in. */
class NotLetIn extends Error {
  readonly refusal: RefusalCause;
  constructor(refusal: RefusalCause, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

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
      const heldId = await holdAccount(own, tx, pass);
      await own.tenants.lockMembers(tx, connector.tenant_id);
      const isAnew = input.anew === true;
      const member = await admit(own, tx, visit.ip, pass, { proof, heldId, isAnew, isClosed, browser_language });
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

const keyOf = ({ connector, identity }: Pass): store.LinkKey => ({
  ...{ tenant_id: connector.tenant_id, connector_id: connector.id },
  ...{ issuer: identity.issuer, subject: identity.subject },
});

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

/** What was found out before. */
interface Known {
  /** The account that is held still. */
  heldId: string | null;
  /** Of the account whose owner is here. */
  proof: AccountProof | null;
  /** They want an account of their own in the place of one that never proved their address. */
  isAnew: boolean;
  /** The panel takes no new accounts. */
  isClosed: boolean;
  /** What the browser asks for. */
  browser_language: Language | null;
}

/** The member that somebody is, who is made one or linked where they are new. Throws NotLetIn, `sso_proof_missing`. */
async function admit(own: Own, tx: SystemTx, ip: string, pass: Pass, known: Known): Promise<MembershipRow> {
  const { connector: begun, identity } = pass;
  const connector = await store.findConnector(tx, begun.tenant_id, begun.id);
  if (!connector || connector.version !== begun.version)
    throw new NotLetIn("changed", "This sign-in was changed meanwhile. Begin again.");
  if (connector.state === "off") throw new NotLetIn("off", "This sign-in is off. Ask an owner of the workspace.");
  const role = pickRole(connector, identity.groups);
  const key = keyOf(pass);
  const linked = await store.findLinkedMember(tx, key);
  // Whoever was removed comes back by an invitation alone, as another member than before.
  const isGone = linked !== null && !(await own.tenants.findMembership(key.tenant_id, linked, tx));
  if (isGone) await requireMember(own, tx, key, identity);
  const memberId = linked !== null && !isGone ? linked : await link(own, tx, ip, key, identity, role, known);
  const member = await requireOpen(own, tx, key.tenant_id, memberId);
  if (memberId === linked && member.account_id !== known.heldId) throw fail("sso_code_unknown");
  if (linked !== null) await store.touchLink(tx, key, own.clock.now());
  return giveRole(own, tx, ip, connector, member, role);
}

const accessEnded = () =>
  new NotLetIn("access_ended", "Your access to this workspace was ended. An owner or admin of it can give it back.");

/** Throws NotLetIn unless whoever has this address is a member of the workspace by now; lets go of who it was before. */
async function requireMember(own: Own, tx: SystemTx, key: store.LinkKey, { email }: Identity): Promise<void> {
  const who = email === null ? null : await findWho(own, tx, key.tenant_id, email);
  if (who === null || who.member_id === null) throw accessEnded();
  await store.deleteLink(tx, key);
}

async function requireOpen(own: Own, tx: SystemTx, tenantId: string, memberId: string): Promise<MembershipRow> {
  const member = await own.tenants.findMembership(tenantId, memberId, tx);
  if (member?.member_status !== "active") throw accessEnded();
  if (member.tenant_status === "suspended")
    throw new NotLetIn("suspended", `The workspace ${member.tenant_name} is suspended. Ask support.`);
  return member;
}

/** The role of a member as the provider says, where it says roles; what owners are is said here alone. */
async function giveRole(
  own: Own,
  tx: SystemTx,
  ip: string,
  { role_claim }: store.ConnectorRow,
  member: MembershipRow,
  role: GivenRole | null,
): Promise<MembershipRow> {
  if (role_claim === null || member.role === "org_owner") return member;
  if (role === null) throw noRole();
  if (role === member.role) return member;
  await store.updateRole(tx, member.tenant_id, member.member_id, role);
  own.accessEnds.ended(tx, member.member_id);
  await own.bus.emit(tx, "account.sso_role", {
    by: byMember({ ...member, is_wsl: true }, ip),
    role,
    previous_role: member.role,
  });
  return { ...member, role };
}

const noRole = () =>
  new NotLetIn("role", "Your provider names no group of yours that has a role here. Ask an owner of the workspace.");

/** Makes somebody new at this provider a member, or finds out which one they are. Throws NotLetIn, `sso_proof_missing`. */
async function link(
  own: Own,
  tx: SystemTx,
  ip: string,
  key: store.LinkKey,
  identity: Identity,
  role: GivenRole | null,
  { proof, heldId, isAnew, ...known }: Known,
): Promise<string> {
  const email = requireEmail(identity);
  if ((await findOwnerOf(tx, domainOf(email))) !== key.tenant_id)
    throw new NotLetIn(
      "domain",
      `Addresses at ${domainOf(email)} do not belong to this workspace. Sign in with one that does.`,
    );
  const who = await findWho(own, tx, key.tenant_id, email);
  // Somebody else took the address just now, or gave it up.
  if ((who.account?.id ?? null) !== heldId) throw fail("sso_code_unknown");
  const wasRemoved = await requireWelcome(tx, key, email, who);
  if (isAnew && who.how !== "has") throw otherPerson(email, who);
  const account = isAnew && (await letGo(own, tx, who)) ? null : who.account;
  const memberId =
    account === null
      ? await makeMember(own, tx, key.tenant_id, { ...known, identity, email, role })
      : await findMember(own, tx, key, { ...who, account, email, wasRemoved }, role, proof);
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

/**
 * Throws NotLetIn for whom somebody removed, by their account or anything else that they were known by, and for a newcomer with an
 * address of somebody whose access ended: they would come in beside a membership that they lost. True for a member whom somebody let in
 * since they removed whoever was known so: they have to show that they are one and the same.
 */
async function requireWelcome(
  tx: SystemTx,
  key: store.LinkKey,
  email: string,
  { account, member_id, isEnded }: Who,
): Promise<boolean> {
  const marks = [markOf(email), markOfSubject(key)];
  const suspect = { account_id: account?.id ?? null, member_id, marks };
  const removal = await judgeRemoval(narrow(tx, key.tenant_id), suspect);
  if (removal === "removed" || (member_id === null && isEnded)) throw accessEnded();
  return removal === "over";
}

/**
 * Whether an account gives up an address that it never proved, for somebody whom the owner of the domain names. One that is in the
 * workspace keeps it: the people there know who it is.
 */
async function letGo(own: Own, tx: SystemTx, { account, member_id }: Who): Promise<boolean> {
  return account !== null && member_id === null && own.tenants.releaseAddress(tx, account);
}

function requireEmail({ email, email_verified }: Identity): string {
  if (email === null)
    throw new NotLetIn("email_missing", "Your provider does not tell your mail address. Ask whoever runs it.");
  if (!email_verified)
    throw new NotLetIn(
      "email_unverified",
      "Your provider does not say that your mail address is verified. Ask whoever runs it.",
    );
  return email;
}

/** Somebody whom nobody here knows. */
interface Newcomer {
  identity: Identity;
  email: string;
  role: GivenRole | null;
  isClosed: boolean;
  browser_language: Language | null;
}

/** An account without password and its membership, for somebody whom nobody here knows. */
async function makeMember(
  own: Own,
  tx: SystemTx,
  tenant_id: string,
  { identity, email, role, isClosed, browser_language }: Newcomer,
): Promise<string> {
  if (role === null) throw noRole();
  if (isClosed) throw new NotLetIn("closed", "This panel takes no new accounts. Ask whoever runs it.");
  if (!own.refusals.mayJoin(tenant_id))
    throw new NotLetIn("too_many", "Too many new members of this workspace came within an hour. Try again later.");
  const created_at = own.clock.now();
  const account = { id: own.ids.next("acc"), email, password_hash: NO_PASSWORD, display_name: identity.name ?? email };
  if (!(await own.tenants.insertAccount(tx, { ...account, referred_by: null, browser_language, created_at })))
    throw fail("sso_code_unknown");
  await own.tenants.updateEmailVerified(tx, account.id);
  return join(own, tx, tenant_id, account.id, role);
}

async function join(own: Own, tx: SystemTx, tenant_id: string, account_id: string, role: GivenRole): Promise<string> {
  const id = own.ids.next("mem");
  await own.tenants.insertMember(tx, { tenant_id, id, account_id, role, created_at: own.clock.now() });
  return id;
}

/** For whom cannot be the member that the address leads to, or has no way to say so. */
const otherPerson = (email: string, { how }: Who): NotLetIn =>
  new NotLetIn(
    "other_person",
    how === "has"
      ? "This address belongs to somebody else at your provider. Ask whoever runs it to give each person one of their own."
      : [
          `${email} is or was an address of a member of this workspace.`,
          "If that is you, sign in as you did before, or give your account a passphrase by mail and begin again.",
          "If not, ask an owner or admin to invite you by this address.",
        ].join(" "),
  );

/** Whoever has an address and an account, and whether somebody removed whoever was known so and let them in since. */
type Somebody = Who & { account: AccountRow; email: string; wasRemoved: boolean };

/**
 * The member with an account that was there before. Whoever has the say about a provider could name anybody there, so the account has
 * to agree once: by its passphrase, or signed in. One that this workspace made, and that is nowhere else, is its own.
 */
async function findMember(
  own: Own,
  tx: SystemTx,
  key: store.LinkKey,
  who: Somebody,
  role: GivenRole | null,
  proof: AccountProof | null,
): Promise<string> {
  const { account, member_id, how, email, wasRemoved } = who;
  if (member_id !== null && (await store.isLinked(tx, key, member_id))) throw otherPerson(email, who);
  const memberships = await own.tenants.listMemberships(account.id, tx);
  const [only] = memberships;
  const isOwn = !wasRemoved && isOurWord(who) && memberships.length === 1 && only?.role !== "org_owner";
  const isProven = proof?.account_id === account.id && (await own.accounts.stillHolds(tx, proof));
  // Who has no passphrase cannot give one: it takes a letter to the address that the account has.
  if (!isOwn && !isProven && how === "had" && account.password_hash === NO_PASSWORD) throw otherPerson(email, who);
  if (!isOwn && !isProven) throw fail("sso_proof_missing");
  if (member_id !== null) return member_id;
  if (role === null) throw noRole();
  if (memberships.length >= MAX_WORKSPACES)
    throw new NotLetIn("too_many", `This account is in ${MAX_WORKSPACES} workspaces. Leave one of them first.`);
  return join(own, tx, key.tenant_id, account.id, role);
}
