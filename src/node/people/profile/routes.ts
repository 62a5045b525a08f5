import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { profileRoutes } from "./contract.ts";
import { changePreferences, readPreferences } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { findSeenRelease, saveSeenRelease } from "./store.ts";

/** What answers the routes of the profile. */
export const bindProfileRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(profileRoutes, {
    "GET /api/profile/preferences": ({ actor }) => readPreferences(needs, actor.user_id),
    "PUT /api/profile/preferences": ({ actor, body }) => changePreferences(needs, actor.user_id, body),
    "GET /api/profile/last-seen-release": ({ actor }) => ({ version: findSeenRelease(needs.db, actor.user_id) }),
    "PUT /api/profile/last-seen-release": ({ actor, body }) => {
      saveSeenRelease(needs.db, actor.user_id, body.version);
      return { version: body.version };
    },
  });
