/** Fleet: the nodes of a workspace as lists, figures and series, read from the live store. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import views from "./migrations/0001_fleet_views.sql" with { type: "text" };
import columns from "./migrations/0002_fleet_columns.sql" with { type: "text" };
import { fleetRoutes } from "./routes.ts";

export { type OpenAlert, openAlerts, presentAlert, severityOf } from "./alerts.ts";
export { fail as fleetFail, Instance, NodeParams } from "./contract.ts";
export { requireNode } from "./find-node.ts";
export { indexOf, type NodeIndex, prepareIndex } from "./node-index.ts";
export { figureOf, presentInstance } from "./present.ts";
export { FIRST_SILENT, readStatuses, STATUSES } from "./scan.ts";
export { healthyPercent } from "./summary.ts";

export const fleet = defineContextFeature({
  name: "fleet",
  migrations: [views, columns],
  errors: fail.table,
  routes: fleetRoutes,
});
