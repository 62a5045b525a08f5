import { Elysia } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { RuntimeStatus } from "./contract.ts";

export const runtimeRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/system/runtime" })
    .use(ctx.guard)
    .get("", () => ctx.runtime.status(), { access: user("apps"), response: RuntimeStatus });
