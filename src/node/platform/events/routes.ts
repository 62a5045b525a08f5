import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import type { Actor } from "../../actor.ts";
import type { NodeBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { eventRoutes } from "./contract.ts";
import type { EventHub, Reader } from "./hub.ts";

/** API keys hear nothing of their user's own: a sign-in to be approved can be taken by whoever hears its id. */
const readerOf = ({ role, user_id, credential }: Actor): Reader => ({
  role,
  user_id: credential === "key" ? null : user_id,
});

/** What answers the live stream. */
export const bindEventRoutes = (needs: NodeBase, hub: EventHub): BoundRoutes =>
  bindRoutes(eventRoutes, {
    "GET /api/events/stream": ({ actor, request, server }) =>
      sse(needs, { request, server }, (signal) =>
        hub.read(readerOf(actor), request.headers.get("last-event-id"), signal),
      ),
  });
