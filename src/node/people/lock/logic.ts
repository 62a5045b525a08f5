import { kernelFail } from "../../../kernel/http/errors.ts";
import { forAccount } from "../../../shared/password/index.ts";
import type { Actor } from "../../actor.ts";
import type { Origin } from "../sessions/index.ts";
import { type SignIn, signInFail } from "../sign-ins/index.ts";
import { fail, type UnlockInput } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Locks the actor's session. Throws `session_not_lockable` for credentials without one. */
export function lockOwnSession({ db, bus, sessions }: Needs, actor: Actor, ip: string): void {
  const session = actor.session_id === null ? null : sessions.find(actor.session_id);
  if (!session) throw fail("session_not_lockable");
  db.tx(() => {
    if (!sessions.lock(session.id)) return;
    bus.emit("session.locked", { user_id: actor.user_id, session_id: session.id, ip, cause: "user" });
  });
}

/** Proves that the actor is there; null when it does not, else with the paired device that the proof ends with. */
async function prove(
  { passkeys, users, signIns }: Needs,
  actor: Actor,
  input: UnlockInput,
  ip: string,
  left: AbortSignal,
): Promise<{ letInBy: string | null } | null> {
  if ("passkey" in input) {
    const { user_id, parent_device_id } = await passkeys.prove(input.passkey, ip);
    return user_id === actor.user_id ? { letInBy: parent_device_id } : null;
  }
  const hash = users.findCredentials(actor.username)?.password_hash ?? null;
  const matches = await signIns.comparePassword(ip, forAccount(actor.user_id, ip, left), input.password, hash);
  return matches ? { letInBy: null } : null;
}

/**
 * Trades the session for a fresh one, once; it ends with the paired device that let in the one before, or made the passkey. Wrong passwords
 * share the limit of sign-in. Only a session that was begun with all that its account asks for can be gone on with by less. Throws
 * `session_not_lockable`, `wrong_credentials`, `too_many_requests`, `unauthorized` for a session that has ended, and what a wrong passkey
 * throws.
 */
export async function unlock(
  needs: Needs,
  actor: Actor,
  input: UnlockInput,
  origin: Origin,
  left: AbortSignal,
): Promise<SignIn> {
  const { db, bus, sessions, signIns } = needs;
  const { user_id, session_id, device_id } = actor;
  if (session_id === null) throw fail("session_not_lockable");
  signIns.takeAttempt(origin.ip);
  const failed = () => bus.emit("session.unlock_failed", { user_id, session_id, ip: origin.ip });
  const proven = await prove(needs, actor, input, origin.ip, left).catch((error: unknown) => {
    failed();
    throw error;
  });
  if (!proven) {
    failed();
    throw signInFail("wrong_credentials");
  }
  signIns.giveAttemptBack(origin.ip);
  return db.tx(() => {
    // It may have been ended from elsewhere while the proof was checked, or unlocked by another request.
    if (!sessions.cut(session_id)) throw kernelFail("unauthorized");
    bus.emit("session.unlocked", { user_id, session_id, ip: origin.ip });
    return signIns.finish(user_id, origin, "unlock", device_id ?? proven.letInBy);
  });
}
