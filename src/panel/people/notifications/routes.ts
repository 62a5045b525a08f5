import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { notificationRoutes } from "./contract.ts";
import { countOwn, listOwn, readAll, readOne } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { changePreferences, readPreferences } from "./preferences.ts";

/** What answers the routes of notifications. Preferences have two addresses, which answer the same. */
export const bindNotificationRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(notificationRoutes, {
    "GET /api/notifications": ({ actor, query }) => listOwn(needs, actor, query),
    "GET /api/notifications/count": ({ actor }) => countOwn(needs, actor),
    "POST /api/notifications/{id}/read": ({ actor, params }) => readOne(needs, actor, params.id),
    "POST /api/notifications/read-all": ({ actor }) => readAll(needs, actor),
    "GET /api/profile/notifications": ({ actor }) => readPreferences(needs, actor),
    "PUT /api/profile/notifications": ({ actor, body }) => changePreferences(needs, actor, body),
    "GET /api/auth/notifications": ({ actor }) => readPreferences(needs, actor),
    "PUT /api/auth/notifications": ({ actor, body }) => changePreferences(needs, actor, body),
  });
