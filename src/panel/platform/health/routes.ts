import { Elysia } from "elysia";
import { open } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { Healthy } from "./contract.ts";
import { askDatabase } from "./store.ts";

export const healthRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api" }).use(ctx.guard).get(
    "/health",
    async () => {
      await askDatabase(ctx.system);
      return { status: "ok" as const, version: ctx.version };
    },
    { access: open(), response: Healthy },
  );
