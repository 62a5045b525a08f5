import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { PROMETHEUS_TYPE, writeMeasures } from "../../../kernel/prometheus.ts";
import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { systemRoutes } from "./contract.ts";
import { readCurrent, readFilesystemEntries, readInfo } from "./facts.ts";
import { describeMeasures } from "./measures.ts";
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
    "GET /api/prometheus": async () => {
      const [glance, sample, filesystems] = [
        await overview.get(),
        await own.live.sample(),
        await readFilesystemEntries(own),
      ];
      const headers = { "content-type": PROMETHEUS_TYPE, "cache-control": "no-store" };
      return new Response(writeMeasures(describeMeasures(glance, sample, filesystems)), { headers });
    },
  });
}
