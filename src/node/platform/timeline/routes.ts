import { Elysia } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import {
  Inbox,
  InboxParams,
  InboxQuery,
  StatsQuery,
  TimelinePage,
  TimelineQuery,
  TimelineStats,
  Unread,
} from "./contract.ts";
import { readEverything, readInbox, readItem } from "./inbox.ts";
import { readStats, readTimeline } from "./read.ts";

export const timelineRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .get("/timeline", ({ actor, query }) => readTimeline(ctx, actor, query), {
      access: user("monitoring"),
      query: TimelineQuery,
      response: TimelinePage,
    })
    .get("/timeline/stats", ({ actor, query }) => readStats(ctx, actor, query), {
      access: user("monitoring"),
      query: StatsQuery,
      response: TimelineStats,
    })
    .get("/inbox", ({ actor, query }) => readInbox(ctx, actor, query), {
      access: user("monitoring"),
      query: InboxQuery,
      response: Inbox,
    })
    .post("/inbox/read", ({ actor }) => readEverything(ctx, actor), { access: user(), response: Unread })
    .post("/inbox/:id/read", ({ actor, params }) => readItem(ctx, actor, params.id), {
      access: user(),
      params: InboxParams,
      response: Unread,
    });
