import { toIso } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { forAccount, givingBack, verifyPassword } from "../../../shared/password/index.ts";
import type { UseChallenge } from "../../../shared/webauthn/contract.ts";
import { type Actor, countedAs } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { sessionFail } from "../sessions/index.ts";
import type { Challenge } from "./challenges.ts";
import { listMethods, readFactors } from "./change.ts";
import { useAppCode } from "./codes.ts";
import { fail, type SteppedUp, type StepUp } from "./contract.ts";
import { askForKey, checkKey, type KeyClaim, useKey } from "./keys.ts";
import type { Own } from "./needs.ts";

const FRESH_MINUTES = 15;

/** The ways to prove oneself again: the second factors, and the passphrase where there are none. */
async function listProofs(tx: SystemTx, accountId: string): Promise<string[]> {
  const methods = (await listMethods(tx, accountId)).filter((method) => method !== "recovery_code");
  return methods.length > 0 ? methods : ["password"];
}

/** For what changes the ways into an account, in its transaction. Throws `step_up_required`. */
export async function requireFreshProof(
  { clock, sessions }: Pick<Own, "clock" | "sessions">,
  tx: SystemTx,
  { tenant_id, session_id, account_id }: Actor,
): Promise<void> {
  const session = await sessions.findSession(tx, tenant_id, session_id);
  if (session && clock.now() - session.proven_at < minutes(FRESH_MINUTES)) return;
  const methods = await listProofs(tx, account_id);
  throw sessionFail("step_up_required", { minutes: FRESH_MINUTES, methods });
}

/** Asks for one of the caller's keys. Throws `keys_unavailable`. */
export const beginStepUp = (own: Own, actor: Actor, request: Request, isHttps: boolean): Promise<UseChallenge> =>
  askForKey(own, actor.account_id, { kind: "step-up", session_id: actor.session_id }, request, isHttps);

/** How somebody asks, and from where. */
interface Asked {
  ip: string;
  request: Request;
}

/** Checks what cannot be checked inside a transaction; null for a proof that is not good. */
async function judge(
  own: Own,
  actor: Actor,
  { ip, request }: Asked,
  { password, credential }: StepUp,
  challenge: Challenge | null,
) {
  if (password !== undefined) {
    const account = await own.tenants.findAccountById(actor.account_id);
    const asker = forAccount(countedAs(actor), ip, request.signal);
    const isRight = await verifyPassword(password, account?.password_hash ?? null, asker);
    return isRight ? { way: "password" as const } : null;
  }
  if (credential === undefined || challenge === null) return { way: "totp" as const };
  const claim = await checkKey(own, challenge, credential);
  return claim && { way: "webauthn" as const, claim };
}

/** The way that a proof tries. Throws `step_up_missing`. */
function wayOf({ password, code, credential }: StepUp): "password" | "totp" | "webauthn" {
  if (password !== undefined) return "password";
  if (code !== undefined) return "totp";
  if (credential !== undefined) return "webauthn";
  throw fail("step_up_missing");
}

/**
 * Proves anew who holds the session. A passphrase alone does not do where there is a second factor. Throws `step_up_missing`,
 * `step_up_refused`, `key_challenge_gone`, `too_many_requests`.
 */
export async function stepUp(own: Own, actor: Actor, asked: Asked, proof: StepUp): Promise<SteppedUp> {
  const { ip } = asked;
  const way = wayOf(proof);
  const isAsked = way === "webauthn";
  const challenge = isAsked ? own.challenges.takeOwn(proof.session_id, "step-up", actor.session_id) : null;
  if (isAsked && !challenge) throw fail("key_challenge_gone");
  const giveBack = own.tries.take(countedAs(actor), ip);
  const judged = await givingBack(judge(own, actor, asked, proof, challenge), giveBack);
  const now = own.clock.now();
  const isProven = await own.system.by(actor).tx(async (tx) => {
    await own.tenants.lockAccount(tx, actor.account_id);
    const isRight = judged !== null && (await holds(own, tx, actor, ip, proof, judged));
    if (isRight) await own.sessions.proveSession(tx, actor.tenant_id, actor.session_id, now);
    else {
      const by = byMember(actor, ip);
      await own.bus.emit(tx, "account.factor_failed", { by, member_id: actor.member_id, method: way });
    }
    return isRight;
  });
  if (!isProven) throw fail("step_up_refused");
  giveBack();
  return { status: "ok", expires_at: toIso(now + minutes(FRESH_MINUTES)) };
}

async function holds(
  own: Own,
  tx: SystemTx,
  actor: Actor,
  ip: string,
  { code = "" }: StepUp,
  judged: { way: "password" | "totp" } | { way: "webauthn"; claim: KeyClaim },
): Promise<boolean> {
  if (judged.way === "webauthn") return useKey(own, tx, judged.claim, byMember(actor, ip), actor);
  if (judged.way === "totp") return useAppCode(own, tx, actor.account_id, code);
  const { totp, keys } = await readFactors(tx, actor.account_id);
  return !totp && keys === 0;
}
