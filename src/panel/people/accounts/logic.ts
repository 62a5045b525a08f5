import { kernelFail } from "../../../kernel/http/errors.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { toIso } from "../../../lib/clock.ts";
import { checkPassword, hashPassword, verifyPassword } from "../../../shared/password/index.ts";
import type { Actor } from "../../actor.ts";
import type { PanelContext } from "../../context.ts";
import { byMember } from "../../event-meaning.ts";
import { endOtherSessions, endSession, findSession, loginBody, sessionFail, startSession } from "../sessions/index.ts";
import {
  createWorkspace,
  findAccount,
  findAccountById,
  findMembership,
  insertAccount,
  listMemberships,
  lockAccount,
  type MembershipRow,
  presentUser,
  touchMember,
  updateDisplayName,
  updatePasswordHash,
} from "../tenants/index.ts";
import { fail, type LoginInput, type Registered, type RegisterInput } from "./contract.ts";

type Deps = Pick<PanelContext, "system" | "clock" | "config" | "ids" | "tokens" | "attempts" | "bus">;

async function hashNewPassword(field: string, password: string, email: string): Promise<string> {
  const reason = checkPassword(password, email);
  if (reason !== null) throw fail("password_unusable", { field, reason });
  return hashPassword(password);
}

/**
 * Counts one try to prove the password of an account; gives how to take that back. Whole offices come from one network, so
 * that one person's wrong passwords must not keep all others out. Throws `too_many_requests`.
 */
function takeAttempt({ attempts }: Deps, ip: string, whose: string): () => void {
  const network = networkOf(ip);
  const one = `${network} ${whose}`;
  const wait = attempts.account.take(one) || attempts.network.take(network);
  if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  return () => {
    attempts.account.giveBack(one);
    attempts.network.giveBack(network);
  };
}

/** Makes an account and its first workspace. Throws `email_taken`, `password_unusable`, `too_many_requests`. */
export async function register(deps: Deps, ip: string, input: RegisterInput): Promise<Registered> {
  const email = input.email.toLowerCase();
  const giveBack = takeAttempt(deps, ip, email);
  const password_hash = await hashNewPassword("password", input.password, email);
  const id = deps.ids.next("acc");
  const created_at = deps.clock.now();
  const made = await deps.system.tx(async (tx) => {
    const row = { id, email, password_hash, display_name: input.name, referred_by: input.ref ?? null, created_at };
    if (!(await insertAccount(tx, row))) throw fail("email_taken", { field: "email" });
    const name = `${input.name}'s workspace`;
    const workspace = await createWorkspace(deps, tx, id, { name, mode: null, parent_tenant_id: null });
    await deps.bus.emit(tx, "account.register", { by: byMember({ ...workspace, account_id: id }, ip) });
    return workspace;
  });
  giveBack();
  return { id: made.member_id, email, name: input.name, tenant_id: made.tenant_id, created_at: toIso(created_at) };
}

/** Signs in to the workspace used last. Throws `wrong_credentials`, `no_workspace`, `too_many_requests`. */
export async function logIn(deps: Deps, ip: string, input: LoginInput) {
  const email = input.email.toLowerCase();
  const giveBack = takeAttempt(deps, ip, email);
  const account = await findAccount(deps.system, email);
  const isRight = await verifyPassword(input.password, account?.password_hash ?? null);
  if (!account || !isRight) throw fail("wrong_credentials");
  giveBack();
  const { member, sessionId } = await deps.system.tx(async (tx) => {
    await lockAccount(tx, account.id);
    // Somebody may have changed it while it was compared.
    const current = await findAccountById(tx, account.id);
    if (current?.password_hash !== account.password_hash) throw fail("wrong_credentials");
    const found = (await listMemberships(tx, account.id)).find(isOpen);
    if (!found) throw fail("no_workspace");
    await deps.bus.emit(tx, "account.sign_in", { by: byMember(found, ip) });
    return { member: found, sessionId: await startSession(deps, tx, found) };
  });
  return loginBody(deps, sessionId, member);
}

function isOpen({ member_status, tenant_status }: MembershipRow): boolean {
  return member_status === "active" && tenant_status === "active";
}

async function currentMember({ system }: Pick<Deps, "system">, actor: Actor): Promise<MembershipRow> {
  const member = await findMembership(system, actor.tenant_id, actor.member_id);
  if (!member) throw kernelFail("unauthorized");
  return member;
}

/** The caller in their workspace. */
export async function getMe(deps: Pick<Deps, "system">, actor: Actor) {
  return presentUser(await currentMember(deps, actor));
}

/** Changes the name that others see. */
export async function updateProfile(deps: Pick<Deps, "system" | "bus">, actor: Actor, ip: string, name: string) {
  await deps.system.tx(async (tx) => {
    await updateDisplayName(tx, actor.account_id, name);
    await deps.bus.emit(tx, "account.profile_change", { by: byMember(actor, ip), name });
  });
  return getMe(deps, actor);
}

/** A new token for a session that goes on. Throws `session_replaced`. */
export async function refresh(deps: Deps, actor: Actor) {
  const member = await deps.system.tx(async (tx) => {
    const session = await findSession(tx, actor.tenant_id, actor.session_id);
    if (session?.replaced_at !== null) throw sessionFail("session_replaced");
    await touchMember(tx, actor.tenant_id, actor.member_id, deps.clock.now());
    return findMembership(tx, actor.tenant_id, actor.member_id);
  });
  if (!member) throw kernelFail("unauthorized");
  return loginBody(deps, actor.session_id, member);
}

/** Ends the caller's session. */
export async function logOut(deps: Pick<Deps, "system" | "clock" | "bus">, actor: Actor, ip: string): Promise<void> {
  await deps.system.tx(async (tx) => {
    await endSession(tx, actor.tenant_id, actor.session_id, deps.clock.now());
    await deps.bus.emit(tx, "account.sign_out", { by: byMember(actor, ip) });
  });
}

/** Sets a new password and ends the account's other sessions. Throws `wrong_password`, `password_unusable`. */
export async function changePassword(deps: Deps, actor: Actor, ip: string, given: string, chosen: string) {
  const account = await findAccountById(deps.system, actor.account_id);
  const giveBack = takeAttempt(deps, ip, account?.email ?? "");
  if (!account || !(await verifyPassword(given, account.password_hash))) throw fail("wrong_password");
  giveBack();
  const hash = await hashNewPassword("new_password", chosen, account.email);
  await deps.system.tx(async (tx) => {
    await lockAccount(tx, account.id);
    const current = await findAccountById(tx, account.id);
    if (current?.password_hash !== account.password_hash) throw fail("wrong_password");
    await updatePasswordHash(tx, account.id, hash);
    await endOtherSessions(tx, account.id, actor.session_id, deps.clock.now());
    await deps.bus.emit(tx, "account.password_change", { by: byMember(actor, ip) });
  });
  return { status: "ok" as const };
}
