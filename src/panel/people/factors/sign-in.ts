import type { PasskeyProof, UseChallenge } from "../../../shared/webauthn/contract.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byMember, byVisitor } from "../../event-meaning.ts";
import type { Visit } from "../devices/index.ts";
import type { LoginBody } from "../sessions/index.ts";
import { type MembershipRow, tenantFail } from "../tenants/index.ts";
import { listMethods } from "./change.ts";
import { useCode } from "./codes.ts";
import { type CodeProof, type FactorAwaited, type FactorMethod, fail } from "./contract.ts";
import { askForKey, askForPasskey, checkKey, useKey } from "./keys.ts";
import { tellOwner } from "./letters.ts";
import type { Own } from "./needs.ts";
import type { PendingSignIn } from "./pending.ts";
import { countRecoveryCodes } from "./store.ts";

type Method = FactorMethod | "passkey";

/** Goes on from a right password to the second factor; null when the account has none. Part of the caller's transaction. */
export async function awaitFactor(
  own: Own,
  tx: SystemTx,
  member: MembershipRow,
  passwordHash: string,
  ip: string,
): Promise<FactorAwaited | null> {
  const { account_id, member_id } = member;
  const methods = await listMethods(tx, account_id);
  if (methods.length === 0) return null;
  const { token } = own.pending.begin({ account_id, member_id, password_hash: passwordHash }, ip);
  return { mfa_required: true, methods, user_id: member_id, mfa_token: token };
}

/**
 * The sign-in that a code belongs to. Where the operator lets it, that is the one that this network began just before. Throws
 * `mfa_token_required`, `mfa_token_refused`.
 */
function findSignIn(
  own: Own,
  ip: string,
  { mfa_token, user_id }: Pick<CodeProof, "mfa_token" | "user_id">,
): PendingSignIn {
  if (mfa_token !== undefined) {
    const found = own.pending.find(mfa_token);
    if (!found) throw fail("mfa_token_refused");
    return found;
  }
  const isLoose = !own.config.totp_require_mfa_token && user_id !== undefined;
  const found = isLoose ? own.pending.findOf(user_id, ip) : null;
  if (!found) throw fail("mfa_token_required");
  return found;
}

interface Begun {
  member: MembershipRow;
  sessionId: string;
  /** By which the browser is known the next time. */
  cookie: string;
}

/** The answer of a sign-in, and the cookie that goes with it. */
export interface SignedIn {
  answer: LoginBody;
  cookie: string;
}

const answerOf = async (
  { sessions }: Pick<Own, "sessions">,
  { sessionId, member, cookie }: Begun,
): Promise<SignedIn> => ({
  answer: await sessions.loginBody(sessionId, member),
  cookie,
});

/** The membership that somebody who proved themselves enters. Throws `no_workspace`. */
async function requireOpen(own: Own, tx: SystemTx, accountId: string): Promise<MembershipRow> {
  const member = await own.tenants.findOpenMembership(accountId, tx);
  if (!member) throw tenantFail("no_workspace");
  return member;
}

async function begin(own: Own, tx: SystemTx, member: MembershipRow, visit: Visit, method: Method): Promise<Begun> {
  const { ip } = visit;
  await own.bus.emit(tx, "account.factor_sign_in", { by: byMember(member, ip), method });
  if (method === "recovery_code") {
    const left = await countRecoveryCodes(tx, member.account_id);
    await tellOwner(own, tx, member.account_id, { change: "recovery_code", name: String(left), ip });
  }
  const cookie = await own.devices.arrive(tx, member, visit, false);
  return { member, cookie, sessionId: await own.sessions.startSession(tx, member, visit) };
}

/**
 * Finishes a sign-in once `prove` says by what; a factor is used up only together with the session that it opens. Null when it was
 * wrong. Throws `mfa_token_refused`, `too_many_requests`.
 */
async function finish(
  own: Own,
  signIn: PendingSignIn,
  visit: Visit,
  tried: FactorMethod,
  prove: (tx: SystemTx, member: MembershipRow) => Promise<FactorMethod | null>,
): Promise<SignedIn | null> {
  const { ip } = visit;
  const giveBack = own.tries.take(signIn.account_id, ip);
  if (!own.pending.tryOnce(signIn)) throw fail("mfa_token_refused");
  const done = await own.system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    await own.tenants.lockAccount(tx, signIn.account_id);
    // A new password ends what began with the former one.
    const account = await own.tenants.findAccountById(signIn.account_id, tx);
    if (account?.password_hash !== signIn.password_hash) throw fail("mfa_token_refused");
    const member = await requireOpen(own, tx, signIn.account_id);
    const method = await prove(tx, member);
    if (method === null) {
      const by = byVisitor(member.tenant_id, ip);
      await own.bus.emit(tx, "account.factor_failed", { by, member_id: member.member_id, method: tried });
      return null;
    }
    const begun = await begin(own, tx, member, visit, method);
    // Last of all: of several that finish it at once one finds it still there, and what the others did is undone.
    if (!own.pending.finish(signIn)) throw fail("mfa_token_refused");
    return begun;
  });
  if (!done) return null;
  giveBack();
  return answerOf(own, done);
}

/**
 * Finishes a sign-in with a code of the app or a recovery code. Throws `mfa_token_required`, `mfa_token_refused`,
 * `factor_code_wrong`, `too_many_requests`.
 */
export async function finishByCode(own: Own, visit: Visit, input: CodeProof): Promise<SignedIn> {
  const signIn = findSignIn(own, visit.ip, input);
  const done = await finish(own, signIn, visit, "totp", (tx, member) => {
    if (input.mfa_token === undefined && member.global_role === "admin") throw fail("mfa_token_required");
    return useCode(own, tx, signIn.account_id, input.code);
  });
  if (!done) throw fail("factor_code_wrong");
  return done;
}

/** Asks for a key of whoever's password was right. Throws `mfa_token_required`, `mfa_token_refused`, `keys_unavailable`. */
export async function beginByKey(
  own: Own,
  mfaToken: string | undefined,
  request: Request,
  isHttps: boolean,
): Promise<UseChallenge> {
  if (mfaToken === undefined) throw fail("mfa_token_required");
  const { account_id, token } = findSignIn(own, "", { mfa_token: mfaToken });
  return askForKey(own, account_id, { kind: "second-factor", mfa_token: token }, request, isHttps);
}

/** Finishes a sign-in with a key. Throws `key_challenge_gone`, `mfa_token_refused`, `key_refused`, `too_many_requests`. */
export async function finishByKey(own: Own, visit: Visit, { session_id, credential }: PasskeyProof): Promise<SignedIn> {
  const { ip } = visit;
  const challenge = own.challenges.take(session_id, "second-factor");
  if (challenge?.purpose.kind !== "second-factor") throw fail("key_challenge_gone");
  const signIn = findSignIn(own, ip, challenge.purpose);
  const claim = await checkKey(own, challenge, credential);
  const done = await finish(own, signIn, visit, "webauthn", async (tx, member) =>
    claim && (await useKey(own, tx, claim, byVisitor(member.tenant_id, ip), member)) ? "webauthn" : null,
  );
  if (!done) throw fail("key_refused");
  return done;
}

/** Asks for a passkey, in place of a password. Throws `keys_unavailable`. */
export const beginByPasskey = askForPasskey;

/**
 * Signs in with a passkey alone: what it is and that it checked who holds it are two factors. Throws `key_challenge_gone`,
 * `key_refused`, `no_workspace`.
 */
export async function finishByPasskey(
  own: Own,
  visit: Visit,
  { session_id, credential }: PasskeyProof,
): Promise<SignedIn> {
  const { ip } = visit;
  const challenge = own.challenges.take(session_id, "passkey");
  if (!challenge) throw fail("key_challenge_gone");
  const claim = await checkKey(own, challenge, credential);
  if (!claim) throw fail("key_refused");
  const begun = await own.system.onBehalfOf(asVisitor(ip)).tx(async (tx) => {
    await own.tenants.lockAccount(tx, claim.row.account_id);
    const member = await requireOpen(own, tx, claim.row.account_id);
    const by = byVisitor(member.tenant_id, ip);
    if (claim.isVerified && (await useKey(own, tx, claim, by, member))) return begin(own, tx, member, visit, "passkey");
    await own.bus.emit(tx, "account.factor_failed", { by, member_id: member.member_id, method: "passkey" });
    return null;
  });
  if (!begun) throw fail("key_refused");
  return answerOf(own, begun);
}
