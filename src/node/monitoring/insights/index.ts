/** Insights: what the server's own record says about the days to come, scored every hour. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { insightMeanings } from "./events.ts";
import { countEnd, scoreInsights } from "./logic.ts";
import init from "./migrations/0001_insights.sql" with { type: "text" };
import { insightRoutes } from "./routes.ts";
import { countedSince } from "./store.ts";

export const insights = defineContextFeature<NodeContext>({
  name: "insights",
  migrations: [init],
  events: insightMeanings,
  routes: insightRoutes,
  jobs: (ctx) => [{ name: "insights.score", everyMs: hours(1), run: () => scoreInsights(ctx) }],
  subscribe: (ctx) => void ctx.bus.on("app.service_ended", (end) => countEnd(ctx, end)),
  start: ({ db, clock }) => void countedSince(db, clock.now()),
});
