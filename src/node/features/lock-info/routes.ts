import { Elysia } from "elysia";
import { open } from "../../../kernel/http/access.ts";
import type { NodeRoutes } from "../../context.ts";
import { LockInfo } from "./contract.ts";
import { createLockInfo } from "./logic.ts";

export const lockInfoRoutes: NodeRoutes = (ctx) => {
  const lockInfo = createLockInfo(ctx);
  return new Elysia({ prefix: "/api/auth" })
    .use(ctx.guard)
    .get("/lock-info", () => lockInfo(), { access: open(), response: LockInfo });
};
