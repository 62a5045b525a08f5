import { Elysia, t } from "elysia";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { MaintenanceChange, MaintenanceInput, MaintenanceParams, MaintenanceWindow } from "./contract.ts";
import { changeMaintenance, createMaintenance, deleteMaintenance, listMaintenance, readMaintenance } from "./logic.ts";

export const maintenanceRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/alerting/maintenance" })
    .use(ctx.guard)
    .get("", () => listMaintenance(ctx), { access: user("alerts"), response: t.Array(MaintenanceWindow) })
    .post("", ({ actor, ip, body }) => createMaintenance(ctx, { actor, ip }, body), {
      access: admin("alerts"),
      body: MaintenanceInput,
      response: MaintenanceWindow,
    })
    .get("/:id", ({ params }) => readMaintenance(ctx, params.id), {
      access: user("alerts"),
      params: MaintenanceParams,
      response: MaintenanceWindow,
    })
    .put("/:id", ({ actor, ip, params, body }) => changeMaintenance(ctx, { actor, ip }, params.id, body), {
      access: admin("alerts"),
      params: MaintenanceParams,
      body: MaintenanceChange,
      response: MaintenanceWindow,
    })
    .delete(
      "/:id",
      ({ actor, ip, params }) => {
        deleteMaintenance(ctx, { actor, ip }, params.id);
        return { message: "The maintenance window is deleted." };
      },
      { access: admin("alerts"), params: MaintenanceParams, response: t.Object({ message: t.String() }) },
    );
