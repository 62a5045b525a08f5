import { networkOf } from "../../../kernel/http/peer.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { type MembershipRow, presentUser } from "../tenants/index.ts";
import { fail, type LoginBody } from "./contract.ts";
import type { Own } from "./needs.ts";
import { endSurplusSessions, findSession, insertSession, replaceSession } from "./store.ts";

type Deps = Pick<Own, "clock" | "ids" | "tenants">;

/** More than one person uses; a script that signs in for every call would fill the table without it. */
const MAX_SESSIONS = 100;

/** Where a session begins: the address of whoever signed in, and the sign-in that it goes on. */
export interface Beginning {
  ip: string;
  /** Null when it is a sign-in of its own. */
  family: string | null;
}

/**
 * Begins a session of a member whose identity has been proven; part of the caller's transaction. Gives its id. When the account
 * has too many, the one that was not used for longest ends.
 */
export async function startSession(
  { clock, ids, tenants }: Deps,
  tx: SystemTx,
  member: MembershipRow,
  { ip, family }: Beginning,
): Promise<string> {
  const id = ids.next("ses");
  const { tenant_id, member_id, account_id } = member;
  const now = clock.now();
  const network = networkOf(ip);
  await insertSession(tx, { tenant_id, id, member_id, account_id, created_at: now, family: family ?? id, network });
  await endSurplusSessions(tx, account_id, MAX_SESSIONS, now);
  await tenants.touchMember(tx, tenant_id, member_id, now);
  return id;
}

/**
 * Begins a session in another workspace in place of the one given, whose tokens cannot be renewed from then on. Throws
 * `session_replaced` when that has happened before.
 */
export async function moveSession(
  deps: Deps,
  tx: SystemTx,
  from: { tenant_id: string; session_id: string; ip: string },
  member: MembershipRow,
): Promise<string> {
  if (!(await replaceSession(tx, from.tenant_id, from.session_id, deps.clock.now()))) throw fail("session_replaced");
  const former = await findSession(tx, from.tenant_id, from.session_id);
  return startSession(deps, tx, member, { ip: from.ip, family: former?.family ?? null });
}

/** The answer of every way in: a token for the session and the person. */
export async function loginBody(
  { tokens }: Pick<Own, "tokens">,
  sessionId: string,
  member: MembershipRow,
): Promise<LoginBody> {
  const { member_id, tenant_id, account_id, role } = member;
  const token = await tokens.sign({ uid: member_id, tid: tenant_id, aid: account_id, role, sid: sessionId });
  return { token, user: presentUser(member) };
}
