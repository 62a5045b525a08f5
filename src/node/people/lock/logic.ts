import { kernelFail } from "../../../kernel/http/errors.ts";
import { verifyPassword } from "../../../shared/password/index.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import { provePasskey } from "../passkeys/index.ts";
import { cutSession, findSession, lockSession, type Origin } from "../sessions/index.ts";
import { finishSignIn, giveAttemptBack, type SignIn, signInFail, takeAttempt } from "../sign-ins/index.ts";
import { findCredentials } from "../users/index.ts";
import { fail, type UnlockInput } from "./contract.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "ids" | "bus" | "tokens" | "attempts" | "challenges">;

/** Locks the actor's session. Throws `session_not_lockable` for credentials without one. */
export function lockOwnSession({ db, clock, bus }: Pick<Deps, "db" | "clock" | "bus">, actor: Actor, ip: string): void {
  const session = actor.session_id === null ? null : findSession(db, actor.session_id);
  if (!session) throw fail("session_not_lockable");
  db.tx(() => {
    if (!lockSession({ db, clock }, session.id)) return;
    bus.emit("session.locked", { user_id: actor.user_id, session_id: session.id, ip, cause: "user" });
  });
}

async function isProven(deps: Deps, actor: Actor, input: UnlockInput, ip: string): Promise<boolean> {
  if ("passkey" in input) return (await provePasskey(deps, input.passkey, ip)).user_id === actor.user_id;
  return verifyPassword(input.password, findCredentials(deps.db, actor.username)?.password_hash ?? null);
}

/**
 * Trades the session for a fresh one, once. Wrong passwords share the limit of sign-in. Only a session that was begun with
 * all that its account asks for can be gone on with by less. Throws `session_not_lockable`, `wrong_credentials`,
 * `too_many_requests`, `unauthorized` for a session that has ended and what a wrong passkey throws.
 */
export async function unlock(deps: Deps, actor: Actor, input: UnlockInput, origin: Origin): Promise<SignIn> {
  const { user_id, session_id } = actor;
  if (session_id === null) throw fail("session_not_lockable");
  takeAttempt(deps.attempts, origin.ip);
  const failed = () => deps.bus.emit("session.unlock_failed", { user_id, session_id, ip: origin.ip });
  const proven = await isProven(deps, actor, input, origin.ip).catch((error: unknown) => {
    failed();
    throw error;
  });
  if (!proven) {
    failed();
    throw signInFail("wrong_credentials");
  }
  giveAttemptBack(deps.attempts, origin.ip);
  return deps.db.tx(() => {
    // It may have been ended from elsewhere while the proof was checked, or unlocked by another request.
    if (!cutSession(deps, session_id)) throw kernelFail("unauthorized");
    deps.bus.emit("session.unlocked", { user_id, session_id, ip: origin.ip });
    return finishSignIn(deps, user_id, origin, "unlock");
  });
}
