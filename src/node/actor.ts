import type { Whose } from "../lib/fair-turns.ts";
import type { Role } from "./access.ts";

/** An API key as far as it limits what is made with it. */
export interface ActorKey {
  id: string;
  scopes: string;
  /** In milliseconds; null never. */
  expires_at: number | null;
}

/** Who acts: the answer of the guard, first argument of every rule that needs to know. */
export interface Actor {
  user_id: string;
  username: string;
  role: Role;
  /** What was shown to prove it; nothing on open routes. */
  credential: "none" | "session" | "key" | "device" | "dav";
  /** The API key that was shown. What is made with it stays below it and ends with it. */
  key: ActorKey | null;
  /** The paired device whose token was shown, or which let in the session. What is made with either ends with it. */
  device_id: string | null;
  /** Null for credentials that belong to no session, such as API keys. */
  session_id: string | null;
  locked: boolean;
}

/** For whom is worked when an actor is answered, as fair turns count it; null for whoever is not signed in. */
export const whoseOf = ({ user_id }: Pick<Actor, "user_id">): Whose | null => (user_id === "" ? null : [user_id, ""]);
