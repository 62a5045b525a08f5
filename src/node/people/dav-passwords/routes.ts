import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { davPasswordRoutes } from "./contract.ts";
import { listOwnPasswords, makePassword, revokePassword } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of passwords for WebDAV. */
export const bindDavPasswordRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(davPasswordRoutes, {
    "GET /api/drive/webdav-passwords": ({ actor }) => ({ passwords: listOwnPasswords(needs, actor.user_id) }),
    "POST /api/drive/webdav-passwords": ({ actor, body, ip, set }) => {
      set.status = 201;
      return makePassword(needs, actor, body, ip);
    },
    "DELETE /api/drive/webdav-passwords/{id}": ({ actor, params, ip, set }) => {
      revokePassword(needs, actor.user_id, params.id, ip);
      set.status = 204;
    },
  });
