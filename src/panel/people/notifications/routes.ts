import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { notificationRoutes } from "./contract.ts";
import { countOwn, listOwn, readAll, readOne } from "./logic.ts";
import type { Own } from "./needs.ts";
import { changePreferences, readPreferences } from "./preferences.ts";

/** What answers the routes of notifications. Preferences have two addresses, which answer the same. */
export const bindNotificationRoutes = (own: Own): BoundRoutes =>
  bindRoutes(notificationRoutes, {
    "GET /api/notifications": ({ actor, query }) => listOwn(own, actor, query),
    "GET /api/notifications/count": ({ actor }) => countOwn(own, actor),
    "POST /api/notifications/{id}/read": ({ actor, params }) => readOne(own, actor, params.id),
    "POST /api/notifications/read-all": ({ actor }) => readAll(own, actor),
    "GET /api/profile/notifications": ({ actor }) => readPreferences(own, actor),
    "PUT /api/profile/notifications": ({ actor, body }) => changePreferences(own, actor, body),
    "GET /api/auth/notifications": ({ actor }) => readPreferences(own, actor),
    "PUT /api/auth/notifications": ({ actor, body }) => changePreferences(own, actor, body),
  });
