import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { workspaceSettingsRoutes } from "./contract.ts";
import { getMode, getSettings, putMode, putSettings, show } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of a workspace's settings. */
export const bindWorkspaceSettingsRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(workspaceSettingsRoutes, {
    "GET /api/v1/workspace/settings": async ({ actor }) => show(needs, actor.tenant_id, await getSettings(actor.db)),
    "PUT /api/v1/workspace/settings": async ({ actor, ip, body }) =>
      show(needs, actor.tenant_id, await putSettings(needs, actor, ip, body)),
    "GET /api/v1/workspace/mode": ({ actor }) => getMode(actor.db),
    "PUT /api/v1/workspace/mode": ({ actor, ip, body }) => putMode(needs, actor, ip, body.mode),
  });
