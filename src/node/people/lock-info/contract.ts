import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { open } from "../../access.ts";

/** What anybody may know before signing in; nothing about users. */
export const LockInfo = t.Object({
  hostname: t.String(),
  /** True whenever the node answers at all. */
  online: t.Literal(true),
  uptime_seconds: t.Integer(),
  /** Apps that run now. */
  apps_in_orbit: t.Integer(),
  version: t.String(),
  /** No account exists yet: show the setup wizard. */
  setup_required: t.Boolean(),
  /** Setup asks for the token that the installer printed. */
  claim_required: t.Boolean(),
  passkeys_enabled: t.Boolean(),
  /** Why passkeys do not work at this address; null when they do. */
  passkeys_reason: NullableText,
  approve_enabled: t.Boolean(),
});
export type LockInfo = Static<typeof LockInfo>;

export const lockInfoRoutes = defineRoutes({
  "GET /api/auth/lock-info": { access: open(), out: LockInfo },
});
export type LockInfoApi = ApiOf<typeof lockInfoRoutes>;
