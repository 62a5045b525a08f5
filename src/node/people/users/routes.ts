import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { userRoutes } from "./contract.ts";
import { addUser, changeUser } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { presentUser } from "./present.ts";
import type { Removal } from "./remove.ts";
import { listUsers } from "./store.ts";

/** What answers the routes of users. */
export const bindUserRoutes = (needs: Needs, removal: Removal): BoundRoutes =>
  bindRoutes(userRoutes, {
    "GET /api/users": () => listUsers(needs.db).map(presentUser),
    "POST /api/users": ({ actor, ip, body }) => addUser(needs, { actor_id: actor.user_id, ip }, body),
    "PATCH /api/users/{id}": ({ actor, ip, params, body }) =>
      changeUser(needs, { actor_id: actor.user_id, ip, isKey: actor.key !== null }, params.id, body),
    "DELETE /api/users/{id}": ({ actor, ip, params, query, set }) => {
      removal.remove({ actor_id: actor.user_id, ip }, params.id, query.with_belongings ?? false);
      set.status = 204;
    },
  });
