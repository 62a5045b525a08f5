/** Fleet alerts: what is wrong now, grouped by what seems to have caused it, and who knows of it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { fleetAlertMeanings } from "./events.ts";
import acknowledgements from "./migrations/0001_fleet_alerts.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindFleetAlertRoutes } from "./routes.ts";

export const fleetAlertsFeature = defineFeature({
  name: "fleet-alerts",
  migrations: [acknowledgements],
  errors: fail.table,
  events: fleetAlertMeanings,
});

export const createFleetAlerts = (needs: Needs): Part => ({
  feature: fleetAlertsFeature,
  routes: [bindFleetAlertRoutes(needs)],
});
