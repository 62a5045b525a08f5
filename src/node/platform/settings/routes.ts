import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { settingRoutes } from "./contract.ts";
import { readSetting, writeSettings } from "./logic.ts";
import type { Needs } from "./needs.ts";

const changedBy = ({ user_id, key }: Actor, ip: string) => ({ actor_id: user_id, ip, isKey: key !== null });

/** What answers the routes of settings. */
export const bindSettingRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(settingRoutes, {
    "GET /api/settings": () => needs.settings.list(),
    "PUT /api/settings": ({ actor, ip, body }) => writeSettings(needs, changedBy(actor, ip), body),
    "GET /api/settings/{key}": ({ params }) => readSetting(needs, params.key),
    "PUT /api/settings/{key}": ({ actor, ip, params, body }) => {
      writeSettings(needs, changedBy(actor, ip), { [params.key]: body.value });
      return readSetting(needs, params.key);
    },
  });
