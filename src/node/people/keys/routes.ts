import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { keyRoutes } from "./contract.ts";
import { createKey, listOwnKeys, revokeKey } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of API keys. */
export const bindKeyRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(keyRoutes, {
    "POST /api/keys": ({ actor, body, ip }) => createKey(needs, actor, body, ip),
    "GET /api/keys": ({ actor }) => listOwnKeys(needs, actor.user_id),
    "DELETE /api/keys/{id}": ({ actor, params, ip }) => {
      revokeKey(needs, actor.user_id, params.id, ip);
      return { message: "The key is revoked." };
    },
  });
