/** Maintenance: windows in which alerts are noted but nobody is told, by the wall clock of a time zone. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { maintenanceMeanings } from "./events.ts";
import { createHold } from "./logic.ts";
import init from "./migrations/0001_maintenance.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindMaintenanceRoutes } from "./routes.ts";

export const maintenanceFeature = defineFeature({
  name: "maintenance",
  migrations: [init],
  errors: fail.table,
  events: maintenanceMeanings,
});

/** The windows of maintenance. */
export interface Maintenance extends Part {
  /** A question whether a rule's messages are held back at `now`; alerts without a rule are held by windows for all. */
  createHold(now: number): (ruleId: string | null) => boolean;
}

export const createMaintenance = (needs: Needs): Maintenance => ({
  feature: maintenanceFeature,
  routes: [bindMaintenanceRoutes(needs)],
  createHold: (now) => createHold(needs.db, now),
});
