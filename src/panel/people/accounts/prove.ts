import type { SystemTx } from "../../data/tenant-db.ts";
import { provePassword, type Visitor } from "./logic.ts";
import type { Own } from "./needs.ts";

/** That somebody holds an account, as it was found before the transaction that relies on it. */
export interface AccountProof {
  account_id: string;
  /** By a session of it, or else by its password. */
  session: { tenant_id: string; session_id: string } | null;
  password_hash: string | null;
}

/** By the password of the account with this address; null for a wrong one. Throws `too_many_requests`. */
export async function proveByPassword(
  own: Own,
  visitor: Visitor,
  email: string,
  password: string,
): Promise<AccountProof | null> {
  const found = await provePassword(own, visitor, { email, password });
  return found && { account_id: found.id, session: null, password_hash: found.password_hash };
}

/** By a session that a request brings; null for none, and for one that a workspace's own sign-in began, which is not one of the account. */
export async function proveBySession({ sessions }: Own, request: Request): Promise<AccountProof | null> {
  const caller = await sessions.findCaller(request);
  if (!caller || caller.is_wsl) return null;
  const { account_id, tenant_id, session_id } = caller;
  return { account_id, session: { tenant_id, session_id }, password_hash: null };
}

/**
 * Whether a proof still holds, asked while the account is held still: somebody else may have the account since, who ended the session and
 * chose another password.
 */
export async function stillHolds(
  { sessions, tenants }: Pick<Own, "sessions" | "tenants">,
  tx: SystemTx,
  { account_id, session, password_hash }: AccountProof,
): Promise<boolean> {
  if (session !== null)
    return (await sessions.findSession(tx, session.tenant_id, session.session_id))?.ended_at === null;
  return (await tenants.findAccountById(account_id, tx))?.password_hash === password_hash;
}
