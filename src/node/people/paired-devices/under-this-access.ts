import type { Actor } from "../../actor.ts";
import type { Needs } from "./needs.ts";
import { findDevice } from "./store.ts";

/**
 * Holds as long as what the actor came in with: until their session or paired device is ended, or the account has another password.
 * Whoever lets something in is asked by this once it comes: the session that changes a password goes on, what was begun in it must not.
 */
export function underThisAccess(
  { db, sessions, users }: Pick<Needs, "db" | "sessions" | "users">,
  { user_id, session_id, device_id }: Pick<Actor, "user_id" | "session_id" | "device_id">,
): () => boolean {
  const isSamePassword = users.underThisPassword(user_id);
  return () =>
    isSamePassword() &&
    (session_id === null || sessions.find(session_id)?.revoked_at === null) &&
    (device_id === null || findDevice(db, user_id, device_id) !== null);
}
