import type { Role } from "./access.ts";

/** Who acts: the answer of the guard, first argument of every rule that needs to know. */
export interface Actor {
  user_id: string;
  username: string;
  role: Role;
  /** What was shown to prove it; nothing on open routes. */
  credential: "none" | "session" | "key" | "device";
  /** Null for credentials that belong to no session, such as API keys. */
  session_id: string | null;
  locked: boolean;
}
