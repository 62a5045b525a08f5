import { Elysia } from "elysia";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { NodeParams } from "../fleet/index.ts";
import { NodeNotices, NoticeAcknowledged, NoticeParams } from "./contract.ts";
import { acknowledgeNotice, readNotices } from "./logic.ts";

export const nodeNoticeRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/fleet" })
    .use(ctx.guard)
    .get("/instances/:id/notices", ({ actor, params }) => readNotices(ctx, actor, params.id), {
      access: can("fleet:read"),
      params: NodeParams,
      response: NodeNotices,
    })
    .post("/notices/:id/acknowledge", ({ actor, ip, params }) => acknowledgeNotice(ctx, actor, ip, params.id), {
      access: can("fleet:write"),
      params: NoticeParams,
      response: NoticeAcknowledged,
    });
