import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { leaveToken } from "../sessions/index.ts";
import { workspaceRoutes } from "./contract.ts";
import { addWorkspace, leaveWorkspace, listWorkspaces, switchWorkspace } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { deleteWorkspace, renameWorkspace } from "./rename-delete.ts";

/** What answers the routes of workspaces. */
export const bindWorkspaceRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(workspaceRoutes, {
    "GET /api/workspaces": ({ actor }) => listWorkspaces(needs, actor),
    "POST /api/workspaces": async ({ actor, ip, body, isHttps, set }) =>
      leaveToken(set.headers, isHttps, await addWorkspace(needs, actor, ip, body)),
    "PATCH /api/workspaces/{id}": ({ actor, ip, params, body }) =>
      renameWorkspace(needs, actor, ip, params.id, body.name),
    "DELETE /api/workspaces/{id}": async ({ actor, ip, params, isHttps, set }) =>
      leaveToken(set.headers, isHttps, await deleteWorkspace(needs, actor, ip, params.id)),
    "POST /api/workspaces/{id}/switch": async ({ actor, ip, params, isHttps, set }) =>
      leaveToken(set.headers, isHttps, await switchWorkspace(needs, actor, ip, params.id)),
    "POST /api/workspaces/{id}/leave": async ({ actor, ip, params, isHttps, set }) =>
      leaveToken(set.headers, isHttps, await leaveWorkspace(needs, actor, ip, params.id)),
  });
