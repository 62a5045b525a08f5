import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { PasskeyProof } from "../../../shared/webauthn/contract.ts";
import { user } from "../../access.ts";
import { SignedIn } from "../sign-ins/contract.ts";

export const UnlockInput = t.Union([
  t.Object({ password: t.String({ maxLength: 1024 }) }),
  t.Object({ passkey: PasskeyProof }),
]);
export type UnlockInput = Static<typeof UnlockInput>;

/** Minutes without a request after which the user's sessions lock by themselves; null never. */
export const AutoLock = t.Object({ minutes: Nullable(t.Integer({ minimum: 1, maximum: 1440 })) });
export type AutoLock = Static<typeof AutoLock>;

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
  "session.unlock_failed": { user_id: string; session_id: string; ip: string };
};

export const lockRoutes = defineRoutes({
  "POST /api/auth/lock": { access: user(), ...noContent() },
  "POST /api/auth/unlock": { access: user(null, { whileLocked: true }), body: UnlockInput, out: SignedIn },
  "GET /api/auth/auto-lock": { access: user(), out: AutoLock },
  "PUT /api/auth/auto-lock": { access: user(null, { keys: "never" }), body: AutoLock, out: AutoLock },
});
export type LockApi = ApiOf<typeof lockRoutes>;
