/** Fleet: the nodes of a workspace as lists, figures and series, read from the live store. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Actor } from "../../actor.ts";
import { createFleetChanges } from "./changes.ts";
import { fail, type InstancesQuery } from "./contract.ts";
import { queryIds } from "./list-query.ts";
import views from "./migrations/0001_fleet_views.sql" with { type: "text" };
import columns from "./migrations/0002_fleet_columns.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createFleetIndexes, type FleetIndexes } from "./node-index.ts";
import { bindFleetRoutes } from "./routes.ts";
import { createScanTurns } from "./scan-turns.ts";
import { searchNodes } from "./search.ts";
import { searchApps } from "./search-apps.ts";

export { sayAlert } from "./alert-words.ts";
export { alertFigure, alertsOf, type OpenAlert, openAlerts, presentAlert, severityOf } from "./alerts.ts";
export { fail as fleetFail, type Instance } from "./contract.ts";
export { requireNode } from "./find-node.ts";
export { FIRST_SILENT, STATUSES } from "./match.ts";
export type { NodeIndex } from "./node-index.ts";
export { figureOf, presentInstance } from "./present.ts";
export { readStatuses } from "./scan.ts";
export { healthyPercent } from "./summary.ts";

export const fleetFeature = defineFeature({ name: "fleet", migrations: [views, columns], errors: fail.table });

export interface Fleet extends Part, FleetIndexes {
  /** The ids of the caller's nodes that a query leaves, by host name. Throws `invalid_request`, `too_many_requests`. */
  idsOf(actor: Actor, query: InstancesQuery): Promise<string[]>;
}

export function createFleet(needs: Needs): Fleet {
  const indexes = createFleetIndexes();
  const own = { ...needs, indexes, inScanTurn: createScanTurns(needs) };
  needs.lists.changes.add(createFleetChanges(needs));
  needs.lists.searches.add(searchNodes(own));
  needs.lists.searches.add(searchApps(own));
  return {
    feature: fleetFeature,
    routes: [bindFleetRoutes(own)],
    ...indexes,
    idsOf: (actor, query) => queryIds(own, actor, query),
  };
}
