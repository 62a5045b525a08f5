import { Elysia } from "elysia";
import { open } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { type PasskeySupport, readPasskeySupport } from "../passkeys/index.ts";
import { LockInfo } from "./contract.ts";
import { createLockInfo } from "./logic.ts";

const describePasskeys = (support: PasskeySupport) => ({
  passkeys_enabled: support.enabled,
  passkeys_reason: support.enabled ? null : support.reason,
});

export const lockInfoRoutes: NodeRoutes = (ctx) => {
  const lockInfo = createLockInfo(ctx);
  return new Elysia({ prefix: "/api/auth" }).use(ctx.guard).get(
    "/lock-info",
    async ({ request, isHttps }) => ({
      ...(await lockInfo()),
      ...describePasskeys(readPasskeySupport(ctx, request, isHttps)),
    }),
    { access: open(), response: LockInfo },
  );
};
