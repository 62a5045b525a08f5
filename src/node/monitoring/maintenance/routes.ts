import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { maintenanceRoutes } from "./contract.ts";
import { changeMaintenance, createMaintenance, deleteMaintenance, listMaintenance, readMaintenance } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of maintenance. */
export const bindMaintenanceRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(maintenanceRoutes, {
    "GET /api/alerting/maintenance": () => listMaintenance(needs),
    "POST /api/alerting/maintenance": ({ actor, ip, body }) => createMaintenance(needs, { actor, ip }, body),
    "GET /api/alerting/maintenance/{id}": ({ params }) => readMaintenance(needs, params.id),
    "PUT /api/alerting/maintenance/{id}": ({ actor, ip, params, body }) =>
      changeMaintenance(needs, { actor, ip }, params.id, body),
    "DELETE /api/alerting/maintenance/{id}": ({ actor, ip, params }) => {
      deleteMaintenance(needs, { actor, ip }, params.id);
      return { message: "The maintenance window is deleted." };
    },
  });
