import type { Store } from "../../../kernel/db/store.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { toIso } from "../../../lib/clock.ts";
import { forAccount } from "../../../shared/password/index.ts";
import { hashRecoveryCode, makeRecoveryCode, makeTotpSecret, RECOVERY_CODES } from "../../../shared/totp/index.ts";
import type { Actor } from "../../actor.ts";
import type { Origin } from "../sessions/index.ts";
import type { SignIn } from "../sign-ins/index.ts";
import { acceptTotpCode, type CodeNeeds, recoveryKey, secretsUnder, useCode } from "./codes.ts";
import { fail, type Proof, type RecoveryCodes, type TotpEnrolment, type TotpStatus } from "./contract.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

const ISSUER = "Orrery";

/** True when the account asks for a second factor. */
export function isTotpOn({ db }: Pick<Own, "db">, userId: string): boolean {
  return (store.findTotp(db, userId)?.enabled_at ?? null) !== null;
}

/** Where a right password leads: into a session, or to the second factor. */
export type PasswordOutcome = { status: "signed_in"; done: SignIn } | { status: "totp_required"; temp_token: string };

/** Goes on from a password that was right to the second factor; another password in between ends it. */
export function awaitSecondFactor(
  { users, pendingLogins }: Pick<Own, "users" | "pendingLogins">,
  { id, username }: { id: string; username: string },
): Extract<PasswordOutcome, { status: "totp_required" }> {
  const passwordHash = () => users.findCredentials(username)?.password_hash;
  const proven = passwordHash();
  return { status: "totp_required", temp_token: pendingLogins.begin(id, () => passwordHash() === proven, null) };
}

/** Whether two-factor sign-in is on, since when, and how many recovery codes are left. */
export function readTotpStatus({ db }: Pick<Own, "db">, userId: string): TotpStatus {
  const enabled_at = store.findTotp(db, userId)?.enabled_at ?? null;
  return { enabled: enabled_at !== null, enabled_at, recovery_codes_left: store.countRecoveryCodes(db, userId) };
}

/** Makes a secret that takes effect once a code of it is verified. Throws `totp_already_on`. */
export function startEnrolment(own: Pick<Own, "db" | "seal">, actor: Actor): TotpEnrolment {
  if (isTotpOn(own, actor.user_id)) throw fail("totp_already_on");
  const { secret, uri, qr } = makeTotpSecret(actor.username, ISSUER);
  store.saveDraft(own.db, actor.user_id, secretsUnder(own).seal(actor.user_id, secret));
  return { provisioning_uri: uri, secret, qr };
}

/** Turns TOTP on with the first code. Throws `totp_already_on`, `totp_not_started`, `totp_code_invalid`. */
export function activateTotp(own: CodeNeeds & Pick<Own, "bus">, actor: Actor, code: string, ip: string): void {
  own.db.tx(() => {
    const row = store.findTotp(own.db, actor.user_id);
    if (!row) throw fail("totp_not_started");
    if (row.enabled_at !== null) throw fail("totp_already_on");
    if (!acceptTotpCode(own, row, code)) throw fail("totp_code_invalid");
    store.markEnabled(own.db, actor.user_id, toIso(own.clock.now()));
    own.bus.emit("totp.enabled", { user_id: actor.user_id, ip });
  });
}

/** Finishes a login with a TOTP or recovery code. Throws `temp_token_refused`, `totp_code_wrong`, `too_many_requests`. */
export function finishLogin(own: Own, input: { temp_token: string; code: string }, origin: Origin): SignIn {
  own.signIns.takeAttempt(origin.ip);
  // One transaction: a code is used up only together with the session that it opens.
  const done = own.db.tx(() => {
    const outcome = own.pendingLogins.attempt(input.temp_token, (userId) => useCode(own, userId, input.code));
    if (!outcome) throw fail("temp_token_refused");
    const { user_id, letInBy, proof } = outcome;
    if (proof === null) {
      const username = own.users.find(user_id)?.username ?? "";
      own.bus.emit("auth.sign_in_failed", { username, ip: origin.ip, method: "totp" });
      return null;
    }
    if (proof === "recovery_code") {
      const left = store.countRecoveryCodes(own.db, user_id);
      own.bus.emit("totp.recovery_code_used", { user_id, ip: origin.ip, left });
    }
    return own.signIns.finish(user_id, origin, proof, letInBy);
  });
  if (!done) throw fail("totp_code_wrong");
  own.signIns.giveAttemptBack(origin.ip);
  return done;
}

/** Uses a code up to confirm something. Throws `too_many_requests` after ten wrong ones, from wherever they came. */
function confirmCode(own: Own, userId: string, code: string): boolean {
  const { tries } = own.pendingLogins;
  takeOne(tries, userId);
  const isRight = useCode(own, userId, code) !== null;
  if (isRight) tries.giveBack(userId);
  return isRight;
}

/**
 * Asks the signed-in user to prove themselves again; not when `left` aborts before their turn. Throws `proof_required`, `proof_wrong`,
 * `too_many_requests`.
 */
export async function assertProof(own: Own, actor: Actor, proof: Proof, ip: string, left: AbortSignal): Promise<void> {
  if (proof.password === undefined && proof.code === undefined) throw fail("proof_required");
  own.signIns.takeAttempt(ip);
  const isProven =
    proof.password === undefined
      ? confirmCode(own, actor.user_id, proof.code ?? "")
      : await own.signIns.comparePassword(
          ip,
          forAccount(actor.user_id, ip, left),
          proof.password,
          own.users.findCredentials(actor.username)?.password_hash ?? null,
        );
  if (!isProven) {
    own.bus.emit("totp.proof_failed", { user_id: actor.user_id, ip });
    throw fail("proof_wrong");
  }
  own.signIns.giveAttemptBack(ip);
}

/** Turns TOTP off and forgets the recovery codes. Throws `totp_not_on` and what a wrong proof throws. */
export async function disableTotp(own: Own, actor: Actor, proof: Proof, ip: string, left: AbortSignal): Promise<void> {
  if (!isTotpOn(own, actor.user_id)) throw fail("totp_not_on");
  await assertProof(own, actor, proof, ip, left);
  own.db.tx(() => {
    forgetSecondFactor(own.db, actor.user_id);
    own.bus.emit("totp.disabled", { user_id: actor.user_id, ip });
  });
}

/** Takes the second factor off an account; also for whoever holds the host itself. */
export function forgetSecondFactor(db: Store, userId: string): void {
  store.deleteTotp(db, userId);
  store.deleteRecoveryCodes(db, userId);
}

/**
 * Makes ten recovery codes, shown once; replacing earlier ones needs a proof. Throws `totp_not_on` and what a
 * wrong proof throws.
 */
export async function makeRecoveryCodes(
  own: Own,
  actor: Actor,
  proof: Proof,
  ip: string,
  left: AbortSignal,
): Promise<RecoveryCodes> {
  if (!isTotpOn(own, actor.user_id)) throw fail("totp_not_on");
  if (store.countRecoveryCodes(own.db, actor.user_id) > 0) await assertProof(own, actor, proof, ip, left);
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(own.ids));
  const key = recoveryKey(own);
  own.db.tx(() => {
    store.deleteRecoveryCodes(own.db, actor.user_id);
    for (const code of codes) store.insertRecoveryCode(own.db, actor.user_id, hashRecoveryCode(key, code));
    own.bus.emit("totp.recovery_codes_made", { user_id: actor.user_id, ip });
  });
  return { codes };
}

/** The person who is signed in, on a route that is also open. Throws `unauthorized`, `locked`. */
export function requireUser(actor: Actor): Actor {
  if (actor.user_id === "") throw kernelFail("unauthorized");
  if (actor.locked) throw kernelFail("locked");
  return actor;
}
