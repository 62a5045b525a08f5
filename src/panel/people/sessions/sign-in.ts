import { networkOf } from "../../../kernel/http/peer.ts";
import { countedAs } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { type MembershipRow, presentUser } from "../tenants/index.ts";
import { fail, type LoginBody } from "./contract.ts";
import { throughWorkspace } from "./entry.ts";
import type { Own } from "./needs.ts";
import { endSurplusSessions, findSession, insertSession, replaceSession } from "./store.ts";

type Deps = Pick<Own, "clock" | "ids" | "tenants" | "audit">;

/** More than one person uses; a script that signs in for every call would fill the table without it. */
const MAX_SESSIONS = 100;

/** Where somebody signs in from; without a request nothing is known of their browser. */
export interface Visit {
  ip: string;
  request?: Request;
}

/** Where a session begins: the address and browser of whoever signed in, and the sign-in that it goes on. */
export interface Beginning {
  ip: string;
  device: string;
  /** Null when it is a sign-in of its own. */
  family: string | null;
  /** When they last proved who they are, for one that goes on; null for now. */
  provenAt: number | null;
  /** The workspace's own sign-in let them in. */
  isWsl: boolean;
}

/**
 * Begins a session of a member whose identity has been proven; part of the caller's transaction. Gives its id. When the account
 * has too many, the one that was not used for longest ends. Throws `too_many_requests` where it began too many lately.
 */
export async function startSession(
  { clock, ids, tenants, audit }: Deps,
  tx: SystemTx,
  member: MembershipRow,
  { ip, device, family, provenAt, isWsl }: Beginning,
): Promise<string> {
  const id = ids.next("ses");
  const { tenant_id, member_id, account_id } = member;
  // What ended is kept for as long as its tokens might come: without a limit, coming and going fills the table.
  const by = byMember({ ...member, is_wsl: isWsl }, ip);
  audit.acts.requireRoom(countedAs(by), true);
  audit.acts.note(by);
  const now = clock.now();
  const network = networkOf(ip);
  const row = { tenant_id, id, member_id, account_id, created_at: now, family: family ?? id, network };
  const session = { ...row, proven_at: provenAt ?? now, wsl: Number(isWsl), device };
  await insertSession(tx, session);
  await endSurplusSessions(tx, session, MAX_SESSIONS, now);
  await tenants.touchMembers(tx, [{ tenant_id, member_id, at: now }]);
  return id;
}

/**
 * Begins a session in another workspace in place of the one given, whose tokens cannot be renewed from then on, and holds its account still
 * until the transaction ends. Throws `session_replaced` when that has happened before, `reauth_required` for one that a workspace's own sign-in began.
 */
export async function moveSession(
  deps: Deps,
  tx: SystemTx,
  from: { tenant_id: string; session_id: string; ip: string },
  member: MembershipRow,
): Promise<string> {
  // Whoever ends the sessions of the account sees this one either in its former place or in its new one.
  await deps.tenants.lockAccount(tx, member.account_id);
  const former = await findSession(tx, from.tenant_id, from.session_id);
  if (former?.wsl === 1) throw fail("reauth_required");
  if (!(await replaceSession(tx, from.tenant_id, from.session_id, deps.clock.now()))) throw fail("session_replaced");
  return startSession(deps, tx, member, {
    ip: from.ip,
    device: former?.device ?? "",
    family: former?.family ?? null,
    provenAt: former?.proven_at ?? 0,
    isWsl: false,
  });
}

/** The answer of every way in: a token for the session and the person. */
export async function loginBody(
  { tokens, system }: Pick<Own, "tokens" | "system">,
  sessionId: string,
  member: MembershipRow,
): Promise<LoginBody> {
  const { member_id, tenant_id, account_id, role } = member;
  const isWsl = (await findSession(system, tenant_id, sessionId))?.wsl === 1;
  const token = await tokens.sign({ uid: member_id, tid: tenant_id, aid: account_id, role, sid: sessionId }, isWsl);
  const user = presentUser(isWsl ? throughWorkspace(member) : member);
  return { token, user, ...(user.mfa_enrollment_required ? { mfa_enrollment_required: true as const } : {}) };
}
