import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { systemRoutes } from "./contract.ts";
import { readCurrent, readFilesystemEntries, readInfo } from "./facts.ts";
import type { Own } from "./needs.ts";
import { readOverview } from "./overview.ts";

/** What answers the routes of the system. */
export function bindSystemRoutes(own: Own): BoundRoutes {
  const overview = createCached(own.clock, seconds(5), () => readOverview(own));
  return bindRoutes(systemRoutes, {
    "GET /api/system/info": () => readInfo(own),
    "GET /api/system/overview": () => overview.get(),
    "GET /api/system/disks": () => readFilesystemEntries(own),
    "GET /api/system/metrics/current": () => readCurrent(own),
    "GET /api/system/metrics/live": () => own.live.sample(),
  });
}
