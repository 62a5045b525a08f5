import type { SystemTx } from "../../data/tenant-db.ts";
import { type MembershipRow, presentUser } from "../tenants/index.ts";
import { fail, type LoginBody } from "./contract.ts";
import type { Own } from "./needs.ts";
import { insertSession, replaceSession } from "./store.ts";

type Deps = Pick<Own, "clock" | "ids" | "tenants">;

/** Begins a session of a member whose identity has been proven; part of the caller's transaction. Gives its id. */
export async function startSession(
  { clock, ids, tenants }: Deps,
  tx: SystemTx,
  member: MembershipRow,
): Promise<string> {
  const id = ids.next("ses");
  const { tenant_id, member_id, account_id } = member;
  await insertSession(tx, { tenant_id, id, member_id, account_id, created_at: clock.now() });
  await tenants.touchMember(tx, tenant_id, member_id, clock.now());
  return id;
}

/**
 * Begins a session in another workspace in place of the one given, whose tokens cannot be renewed from then on. Throws
 * `session_replaced` when that has happened before.
 */
export async function moveSession(
  deps: Deps,
  tx: SystemTx,
  from: { tenant_id: string; session_id: string },
  member: MembershipRow,
): Promise<string> {
  if (!(await replaceSession(tx, from.tenant_id, from.session_id, deps.clock.now()))) throw fail("session_replaced");
  return startSession(deps, tx, member);
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
