/** Insights: what the server's own record says about the days to come, scored every hour. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import { insightMeanings } from "./events.ts";
import { countEnd, scoreInsights } from "./logic.ts";
import init from "./migrations/0001_insights.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindInsightRoutes } from "./routes.ts";
import { countedSince } from "./store.ts";

export const insightsFeature = defineFeature({ name: "insights", migrations: [init], events: insightMeanings });

export const createInsights = (needs: Needs): Part => ({
  feature: insightsFeature,
  routes: [bindInsightRoutes(needs)],
  jobs: [{ name: "insights.score", everyMs: hours(1), run: () => scoreInsights(needs) }],
  subscribe: () => void needs.bus.on("app.service_ended", (end) => countEnd(needs, end)),
  start: () => void countedSince(needs.db, needs.clock.now()),
});
