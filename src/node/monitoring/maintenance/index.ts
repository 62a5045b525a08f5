/** Maintenance: windows in which alerts are noted but nobody is told, by the wall clock of a time zone. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { maintenanceMeanings } from "./events.ts";
import init from "./migrations/0001_maintenance.sql" with { type: "text" };
import { maintenanceRoutes } from "./routes.ts";

export { createHold } from "./logic.ts";

export const maintenance = defineContextFeature<NodeContext>({
  name: "maintenance",
  migrations: [init],
  errors: fail.table,
  events: maintenanceMeanings,
  routes: maintenanceRoutes,
});
