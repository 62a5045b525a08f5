import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { commandRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import type { CommandQueue } from "./queue.ts";
import type { CommandRate } from "./rate.ts";
import { cancelSent, getSent, listSent, sendCommand } from "./send.ts";

/** What answers the routes of commands. */
export const bindCommandRoutes = (own: Needs & { queue: CommandQueue; rate: CommandRate }): BoundRoutes =>
  bindRoutes(commandRoutes, {
    "POST /api/fleet/commands": ({ actor, ip, body }) => sendCommand(own, actor, ip, body),
    "GET /api/fleet/commands": async ({ actor, query }) => ({ commands: await listSent(own, actor, query) }),
    "GET /api/fleet/commands/{id}": ({ actor, params }) => getSent(own, actor, params.id),
    "POST /api/fleet/commands/{id}/cancel": ({ actor, ip, params }) => cancelSent(own, actor, ip, params.id),
  });
