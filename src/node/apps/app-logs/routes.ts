import { Elysia } from "elysia";
import { sse } from "../../../kernel/http/sse.ts";
import { admin } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { getApp } from "../apps/index.ts";
import { AppLogParams, LogPage, LogQuery } from "./contract.ts";
import { followLines, readLastLines } from "./read-lines.ts";

const DEFAULT_LINES = 200;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export const appLogRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/apps/:id/logs" }).use(ctx.guard).get(
    "",
    ({ params, query, request, server }) => {
      const { lines = DEFAULT_LINES, follow = false, service } = query;
      if (!follow) return readLastLines(ctx, params.id, lines, service);
      getApp(ctx, params.id);
      ctx.runtime.requireEngine();
      const lastId = request.headers.get("last-event-id") ?? "";
      const options = { count: lines, service, after: TIME.test(lastId) ? lastId : null };
      return sse(ctx, { request, server }, (signal) => followLines(ctx, params.id, options, signal));
    },
    { access: admin("apps"), params: AppLogParams, query: LogQuery, response: LogPage },
  );
