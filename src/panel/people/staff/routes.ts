import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { staffRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { closePermit, enter, listPermits, openPermit } from "./permits.ts";
import { listAll, resume, setPlan, suspend } from "./workspaces.ts";

/** What answers the staff of the panel, and those who let it in. */
export const bindStaffRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(staffRoutes, {
    "GET /api/staff/workspaces": ({ query }) => listAll(needs, query),
    "POST /api/staff/workspaces/{id}/suspend": ({ actor, params, body }) =>
      suspend(needs, actor, params.id, body.reason),
    "POST /api/staff/workspaces/{id}/resume": ({ actor, params }) => resume(needs, actor, params.id),
    "PUT /api/staff/workspaces/{id}/plan": ({ actor, params, body }) => setPlan(needs, actor, params.id, body.plan),
    async "POST /api/staff/workspaces/{id}/enter"({ actor, ip, params, set }) {
      await enter(needs, actor, ip, params.id);
      set.status = 204;
    },
    "GET /api/support-access": ({ actor }) => listPermits(actor),
    "POST /api/support-access": ({ actor, ip, body }) => openPermit(needs, actor, ip, body),
    "DELETE /api/support-access": ({ actor, ip }) => closePermit(needs, actor, ip),
  });
