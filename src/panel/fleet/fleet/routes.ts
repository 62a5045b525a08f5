import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import { bindRoutes } from "../../route.ts";
import { listAlerts } from "./alerts.ts";
import { fleetRoutes } from "./contract.ts";
import { describeInstance } from "./detail.ts";
import { requireNode } from "./find-node.ts";
import { readHistory } from "./history.ts";
import { queryInstances } from "./list-query.ts";
import { presentMetrics } from "./metrics.ts";
import type { Own } from "./needs.ts";
import { streamInstances } from "./stream-all.ts";
import { assessHealth, summarize } from "./summary.ts";
import { keepViews, listViews } from "./views.ts";

const ALERTS_DEFAULT = 100;

/** What answers the routes of the fleet. */
export function bindFleetRoutes(own: Own): BoundRoutes {
  const { live, clock, indexes, takeTurn } = own;
  return bindRoutes(fleetRoutes, {
    "GET /api/fleet/instances": ({ actor, query }) =>
      Object.keys(query).length === 0
        ? streamInstances(indexes, live.fleetOf(actor), () => giveWay(takeTurn, [actor.tenant_id, actor.account_id]))
        : queryInstances(own, actor, query),
    "GET /api/fleet/instances/page": ({ actor, query }) => queryInstances(own, actor, query),
    "GET /api/fleet/summary": ({ actor }) => summarize(live.fleetOf(actor)),
    "GET /api/fleet/health": ({ actor }) => assessHealth(indexes, live.fleetOf(actor)),
    "GET /api/fleet/alerts": ({ actor, query }) => listAlerts(live.fleetOf(actor), query.limit ?? ALERTS_DEFAULT),
    "GET /api/fleet/metrics/{instanceId}": ({ actor, params }) => {
      const fleet = live.fleetOf(actor);
      return presentMetrics(fleet, requireNode(fleet, params.instanceId));
    },
    "GET /api/fleet/instances/{id}/metrics/history": ({ actor, params, query }) => {
      const { range = "24h", metric } = query;
      const fleet = live.fleetOf(actor);
      return readHistory(fleet, requireNode(fleet, params.id), clock.now(), range, metric);
    },
    "GET /api/fleet/instances/{id}/detail": ({ actor, params }) => {
      const fleet = live.fleetOf(actor);
      return describeInstance(actor.db, fleet, requireNode(fleet, params.id), clock.now());
    },
    "GET /api/fleet/views": ({ actor }) => listViews(actor),
    "PUT /api/fleet/views": ({ actor, body }) => keepViews(actor, body),
  });
}
