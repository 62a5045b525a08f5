import { Elysia } from "elysia";
import { admin } from "../../../kernel/http/access.ts";
import type { NodeRoutes } from "../../context.ts";
import { NodeSetupInput, NodeSetupResult } from "./contract.ts";
import { installer } from "./installer.ts";
import { setUpNode } from "./logic.ts";

export const setupRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/setup" })
    .use(ctx.guard)
    .post("/node", ({ actor, body }) => setUpNode(ctx, installer(ctx), actor, body), {
      access: admin("settings"),
      body: NodeSetupInput,
      response: NodeSetupResult,
    });
