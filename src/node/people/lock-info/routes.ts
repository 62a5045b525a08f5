import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { PasskeySupport } from "../../../shared/webauthn/index.ts";
import { bindRoutes } from "../../route.ts";
import { lockInfoRoutes } from "./contract.ts";
import { createLockInfoReader } from "./logic.ts";
import type { Needs } from "./needs.ts";

const describePasskeys = (support: PasskeySupport) => ({
  passkeys_enabled: support.enabled,
  passkeys_reason: support.enabled ? null : support.reason,
});

/** What answers the route of lock info. */
export function bindLockInfoRoutes(needs: Needs): BoundRoutes {
  const readLockInfo = createLockInfoReader(needs);
  return bindRoutes(lockInfoRoutes, {
    "GET /api/auth/lock-info": async ({ request, isHttps }) => ({
      ...(await readLockInfo()),
      ...describePasskeys(needs.passkeys.readSupport(request, isHttps)),
    }),
  });
}
