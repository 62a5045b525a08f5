import { Elysia } from "elysia";
import { admin } from "../../access.ts";
import { installApp } from "../../apps/apps/index.ts";
import type { NodeRoutes } from "../../context.ts";
import { NodeSetupInput, NodeSetupResult } from "./contract.ts";
import { setUpNode } from "./logic.ts";

export const setupRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/setup" }).use(ctx.guard).post(
    "/node",
    ({ actor: { user_id }, ip, body }) => {
      const config = body.publish === undefined ? {} : { config: { publish: body.publish } };
      return setUpNode(
        ctx,
        (template) => installApp(ctx, { user_id, ip }, { template, name: template, ...config }),
        body,
      );
    },
    { access: admin("settings"), body: NodeSetupInput, response: NodeSetupResult },
  );
