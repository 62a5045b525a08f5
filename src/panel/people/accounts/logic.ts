import { kernelFail } from "../../../kernel/http/errors.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { toIso } from "../../../lib/clock.ts";
import {
  type Asker,
  checkPassword,
  forAccount,
  forKnown,
  forVisitor,
  givingBack,
  hashPassword,
  verifyPassword,
} from "../../../shared/password/index.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { lookedFor, requireAddress } from "../../addresses.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byMember, byVisitor } from "../../event-meaning.ts";
import { askedLanguage } from "../../languages.ts";
import type { Visit } from "../devices/index.ts";
import { requireWholeAccount, sessionFail, throughWorkspace } from "../sessions/index.ts";
import { type AccountRow, type MembershipRow, presentUser, tenantFail } from "../tenants/index.ts";
import { fail, type LoginInput, type Registered, type RegisterInput } from "./contract.ts";
import type { Own } from "./needs.ts";

async function hashNewPassword(field: string, password: string, email: string, asker: Asker): Promise<string> {
  const reason = checkPassword(password, email);
  if (reason !== null) throw fail("password_unusable", { field, reason });
  return hashPassword(password, asker);
}

/** Whoever sends a request: from where, and with which headers. */
export interface Visitor {
  ip: string;
  request: Request;
}

/**
 * Makes an account and its first workspace. Throws `registration_invite_only`, `registration_closed`, `email_taken`,
 * `password_unusable`, `too_many_requests`.
 */
export async function register(own: Own, { ip, request }: Visitor, input: RegisterInput): Promise<Registered> {
  await own.registration.requireOpen();
  const takeBack = own.registration.growth.take({ ip, accountId: null, knownSince: null });
  try {
    return await makeAccount(own, { ip, request }, input);
  } catch (error) {
    takeBack();
    throw error;
  }
}

async function makeAccount(own: Own, { ip, request }: Visitor, input: RegisterInput): Promise<Registered> {
  const { tenants } = own;
  const browser_language = askedLanguage(request.headers.get("accept-language"));
  const email = requireAddress(input.email);
  const giveBack = own.attempts.take({ ip, whose: email, known: null, isHome: true });
  const hashing = hashNewPassword("password", input.password, email, forVisitor(ip, request.signal));
  const password_hash = await givingBack(hashing, giveBack);
  const id = own.ids.next("acc");
  const created_at = own.clock.now();
  const made = await own.system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    const account = { id, email, password_hash, display_name: input.name };
    const row = { ...account, referred_by: input.ref ?? null, browser_language, created_at };
    if (!(await tenants.insertAccount(tx, row))) throw fail("email_taken", { field: "email" });
    const name = `${input.name}'s workspace`;
    const workspace = await tenants.createWorkspace(tx, id, { name, mode: null, parent_tenant_id: null });
    await own.emailProofs.greet(tx, id, email);
    await own.bus.emit(tx, "account.register", { by: byMember({ ...workspace, account_id: id }, ip) });
    return workspace;
  });
  giveBack();
  return { id: made.member_id, email, name: input.name, tenant_id: made.tenant_id, created_at: toIso(created_at) };
}

/** The account with an address and a password: the one that has the address, or who had it and released it. */
async function findByPassword(own: Own, asker: Asker, { email, password }: LoginInput, account: AccountRow | null) {
  if (await verifyPassword(password, account?.password_hash ?? null, asker)) return account;
  for (const released of await own.tenants.listReleased(email))
    if (await verifyPassword(password, released.password_hash, asker)) return released;
  return null;
}

/** The account whose password was given; null for a wrong one, and for none. Throws `too_many_requests`. */
export async function provePassword(own: Own, visitor: Visitor, input: LoginInput) {
  // A browser that is known earns no tries of its own here.
  const found = await tryPassword(own, visitor, () => null, input);
  // Who had the address and released it proves nothing of the account that has it now.
  return found && (await own.tenants.findAccount(input.email))?.id === found.id ? found : null;
}

/**
 * As `provePassword`, for whoever signs in: also the account that had the address and released it. `deviceOf` gives the device of theirs
 * by which an account knows them.
 */
async function tryPassword(
  own: Own,
  { ip, request }: Visitor,
  deviceOf: (accountId: string) => string | null,
  input: LoginInput,
) {
  const { tenants, sessions } = own;
  const email = lookedFor(input.email);
  const account = await tenants.findAccount(input.email);
  // Asked for an address without an account too, which must not answer sooner.
  const isHome = await sessions.isKnownNetwork(account?.id ?? "", networkOf(ip));
  const device = account && deviceOf(account.id);
  const known = device ? `device ${device}` : null;
  const giveBack = own.attempts.take({ ip, whose: email, known, isHome });
  const isKnown = account !== null && (known !== null || isHome);
  const asker = isKnown ? forKnown(account.id, ip, request.signal) : forVisitor(ip, request.signal);
  const found = await givingBack(findByPassword(own, asker, input, account), giveBack);
  if (found) giveBack();
  else if (account) noteFailure(own, account.id, ip);
  return found;
}

/**
 * Signs in to the workspace used last, or goes on to the second factor of the account; with the cookies that go with it. Throws
 * `wrong_credentials`, `no_workspace`, `too_many_requests`.
 */
export async function logIn(own: Own, visit: Visit, input: LoginInput) {
  const { tenants, sessions } = own;
  const { ip } = visit;
  const deviceOf = (accountId: string) => own.devices.findKnown(visit.request, accountId);
  const account = await tryPassword(own, visit, deviceOf, input);
  if (!account) throw fail("wrong_credentials");
  const entered = await own.system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    await tenants.lockAccount(tx, account.id);
    // Somebody may have changed it while it was compared.
    const current = await tenants.findAccountById(account.id, tx);
    if (current?.password_hash !== account.password_hash) throw fail("wrong_credentials");
    const found = await tenants.findOpenMembership(account.id, tx);
    if (!found) throw tenantFail("no_workspace");
    const awaited = await own.factors.awaitFactor(tx, found, account.password_hash, ip);
    if (awaited) return { awaited };
    await own.bus.emit(tx, "account.sign_in", { by: byMember(found, ip) });
    const cookies = [await own.devices.arrive(tx, found, visit, false)];
    return { member: found, cookies, sessionId: await sessions.startSession(tx, found, visit) };
  });
  if ("awaited" in entered) return { cookies: [], answer: entered.awaited };
  return { cookies: entered.cookies, answer: await sessions.loginBody(entered.sessionId, entered.member) };
}

/**
 * Writes down a wrong password, in the workspace that signing in would have led to. Nobody waits for it: the answer must not tell by
 * its time that there is such an account.
 */
function noteFailure(own: Own, accountId: string, ip: string): void {
  const note = own.system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    const found = await own.tenants.findOpenMembership(accountId, tx);
    if (!found) return;
    const by = byVisitor(found.tenant_id, ip);
    await own.bus.emit(tx, "account.sign_in_failed", { by, member_id: found.member_id });
  });
  note.catch((error: unknown) => own.log.error("a failed sign-in could not be written down", { error }));
}

async function currentMember({ tenants }: Pick<Own, "tenants">, actor: Actor): Promise<MembershipRow> {
  const member = await tenants.findMembership(actor.tenant_id, actor.member_id);
  if (!member) throw kernelFail("unauthorized");
  return member;
}

/** The caller in their workspace. */
export async function getMe(own: Pick<Own, "tenants">, actor: Actor) {
  const member = await currentMember(own, actor);
  return presentUser(actor.is_wsl ? throughWorkspace(member) : member);
}

/** Changes the name that others see. Throws `reauth_required`. */
export async function updateProfile(
  own: Pick<Own, "system" | "bus" | "tenants">,
  actor: Actor,
  ip: string,
  name: string,
) {
  requireWholeAccount(actor);
  await own.system.by(actor).tx(async (tx) => {
    await own.tenants.updateDisplayName(tx, actor.account_id, name);
    await own.bus.emit(tx, "account.profile_change", { by: byMember(actor, ip), name });
  });
  return getMe(own, actor);
}

/** A new token for a session that goes on. Throws `session_replaced`. */
export async function refresh(own: Pick<Own, "system" | "clock" | "tenants" | "sessions">, actor: Actor) {
  const { tenants, sessions } = own;
  const member = await own.system.by(actor).tx(async (tx) => {
    const session = await sessions.findSession(tx, actor.tenant_id, actor.session_id);
    if (session?.replaced_at !== null) throw sessionFail("session_replaced");
    await sessions.renewSession(tx, actor.tenant_id, actor.session_id, own.clock.now());
    await tenants.touchMembers(tx, [{ ...actor, at: own.clock.now() }]);
    return tenants.findMembership(actor.tenant_id, actor.member_id, tx);
  });
  if (!member) throw kernelFail("unauthorized");
  return sessions.loginBody(actor.session_id, member);
}

/** Ends the caller's sign-in: their session, and those in other workspaces that it came from or led to. */
export async function logOut(
  own: Pick<Own, "system" | "clock" | "bus" | "sessions">,
  actor: Actor,
  ip: string,
): Promise<void> {
  await own.system.by(actor).tx(async (tx) => {
    const session = await own.sessions.findSession(tx, actor.tenant_id, actor.session_id);
    await own.sessions.endFamily(tx, actor.account_id, session?.family ?? actor.session_id, own.clock.now());
    await own.bus.emit(tx, "account.sign_out", { by: byMember(actor, ip) });
  });
}

/**
 * Sets a new password, ends the account's other sessions and takes its links back. Throws `wrong_password`, `password_unusable`,
 * `reauth_required`.
 */
export async function changePassword(own: Own, actor: Actor, { ip, request }: Visitor, given: string, chosen: string) {
  requireWholeAccount(actor);
  const { tenants } = own;
  const account = await tenants.findAccountById(actor.account_id);
  const session = await own.system
    .by(actor)
    .tx((tx) => own.sessions.findSession(tx, actor.tenant_id, actor.session_id));
  // The sign-in, not the session: going to another workspace begins a new one.
  const known = `sign-in ${session?.family ?? actor.session_id}`;
  const giveBack = own.attempts.take({ ip, whose: account?.email ?? "", known, isHome: true });
  const asker = forAccount(countedAs(actor), ip, request.signal);
  const comparing = verifyPassword(given, account?.password_hash ?? null, asker);
  if (!(await givingBack(comparing, giveBack)) || !account) throw fail("wrong_password");
  giveBack();
  const hash = await hashNewPassword("new_password", chosen, account.email, asker);
  await own.system.by(actor).tx(async (tx) => {
    await tenants.lockAccount(tx, account.id);
    const current = await tenants.findAccountById(account.id, tx);
    if (current?.password_hash !== account.password_hash) throw fail("wrong_password");
    await tenants.updatePasswordHash(tx, account.id, hash);
    await own.accountLinks.forgetLinks(tx, account.id);
    await own.sessions.endOtherSessions(tx, account.id, actor.session_id, own.clock.now());
    await own.bus.emit(tx, "account.password_change", { by: byMember(actor, ip) });
  });
  return { status: "ok" as const };
}
