import { Elysia } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { listAlerts } from "./alerts.ts";
import { watchFleet } from "./changes.ts";
import {
  AlertsQuery,
  FleetAlerts,
  FleetHealth,
  History,
  HistoryQuery,
  InstanceDetail,
  InstanceMetrics,
  InstancePage,
  InstanceParams,
  InstancesQuery,
  NodeParams,
  SavedViews,
  SavedViewsInput,
  Summary,
} from "./contract.ts";
import { describeInstance } from "./detail.ts";
import { requireNode } from "./find-node.ts";
import { readHistory } from "./history.ts";
import { queryInstances } from "./list-query.ts";
import { presentMetrics } from "./metrics.ts";
import { streamInstances } from "./stream-all.ts";
import { assessHealth, summarize } from "./summary.ts";
import { keepViews, listViews } from "./views.ts";

const access = can("fleet:read");
const ALERTS_DEFAULT = 100;

export const fleetRoutes: PanelRoutes = (ctx) => {
  const { live } = ctx;
  return new Elysia({ prefix: "/api/fleet" })
    .use(ctx.guard)
    .get(
      "/instances",
      ({ actor, query }) =>
        Object.keys(query).length === 0
          ? streamInstances(live.fleetOf(actor))
          : queryInstances(actor.db, live.fleetOf(actor), query),
      { access, query: InstancesQuery, response: InstancePage },
    )
    .get("/instances/page", ({ actor, query }) => queryInstances(actor.db, live.fleetOf(actor), query), {
      access,
      query: InstancesQuery,
      response: InstancePage,
    })
    .get("/summary", ({ actor }) => summarize(live.fleetOf(actor)), { access, response: Summary })
    .get("/health", ({ actor }) => assessHealth(live.fleetOf(actor)), { access, response: FleetHealth })
    .get("/alerts", ({ actor, query }) => listAlerts(live.fleetOf(actor), query.limit ?? ALERTS_DEFAULT), {
      access,
      query: AlertsQuery,
      response: FleetAlerts,
    })
    .get(
      "/metrics/:instanceId",
      ({ actor, params }) => presentMetrics(live.fleetOf(actor), requireNode(live.fleetOf(actor), params.instanceId)),
      { access, params: InstanceParams, response: InstanceMetrics },
    )
    .get(
      "/instances/:id/metrics/history",
      ({ actor, params, query }) => {
        const { range = "24h", metric } = query;
        const fleet = live.fleetOf(actor);
        return readHistory(fleet, requireNode(fleet, params.id), ctx.clock.now(), range, metric);
      },
      { access, params: NodeParams, query: HistoryQuery, response: History },
    )
    .get(
      "/instances/:id/detail",
      ({ actor, params }) => {
        const fleet = live.fleetOf(actor);
        return describeInstance(actor.db, fleet, requireNode(fleet, params.id), ctx.clock.now());
      },
      { access, params: NodeParams, response: InstanceDetail },
    )
    .get(
      "/changes",
      ({ actor, request, server }) =>
        sse(ctx, { request, server }, (signal) => watchFleet(ctx, actor.tenant_id, signal)),
      { access, ...answersAs("text/event-stream") },
    )
    .get("/views", ({ actor }) => listViews(actor), { access, response: SavedViews })
    .put("/views", ({ actor, body }) => keepViews(actor, body), {
      access,
      body: SavedViewsInput,
      response: SavedViews,
    });
};
