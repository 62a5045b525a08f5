import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { PasskeyProof } from "../passkeys/contract.ts";
import type { SignedIn } from "../sign-ins/contract.ts";

export const UnlockInput = t.Union([
  t.Object({ password: t.String({ maxLength: 1024 }) }),
  t.Object({ passkey: PasskeyProof }),
]);
export type UnlockInput = Static<typeof UnlockInput>;

export const fail = defineErrors({
  session_not_lockable: [
    409,
    "These credentials belong to no session that could be locked. Sign in again or wait for the next refresh.",
    () => ({ error: "session_not_lockable" }),
  ],
});

export type LockEvents = {
  "session.locked": { user_id: string; session_id: string; ip: string; cause: "user" | "idle" };
  "session.unlocked": { user_id: string; session_id: string; ip: string };
  "session.unlock_failed": { user_id: string; session_id: string | null; ip: string };
};

export type LockApi = {
  "POST /api/auth/lock": { out: undefined };
  "POST /api/auth/unlock": { in: UnlockInput; out: SignedIn };
};
