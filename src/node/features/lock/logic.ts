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
 * Trades the locked session for a fresh one. Wrong passwords share the limit of sign-in.
 * Throws `session_not_lockable` for credentials without one, `wrong_credentials`, `too_many_requests` and what a wrong
 * passkey throws.
 */
export async function unlock(deps: Deps, actor: Actor, input: UnlockInput, origin: Origin): Promise<SignIn> {
  const { user_id, session_id } = actor;
  // An API key or a device with the password would come by a session without the second factor.
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
  deps.db.tx(() => {
    cutSession(deps, session_id);
    deps.bus.emit("session.unlocked", { user_id, session_id, ip: origin.ip });
  });
  return finishSignIn(deps, user_id, origin, "unlock");
}
