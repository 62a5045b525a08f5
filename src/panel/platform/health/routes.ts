import { createSpaceReader } from "../../../kernel/host/space.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { FULL_BYTES } from "../../../kernel/service/reserve.ts";
import { seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import { bindRoutes } from "../../route.ts";
import { healthRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { takesChanges } from "./store.ts";

/** A load balancer waits no longer. */
const PATIENCE_MS = seconds(3);

/** What answers the routes of health. */
export function bindHealthRoutes(needs: Needs): BoundRoutes {
  const space = createSpaceReader(needs.clock);
  return bindRoutes(healthRoutes, {
    "GET /api/health": async () => {
      const asked = takesChanges(needs.system);
      const canChange = await withPatience(needs.clock, PATIENCE_MS, asked).catch((error: unknown) => {
        needs.log.warn("the database does not answer a question about its health", { error });
        throw kernelFail("unavailable", { reason: "The database does not answer." });
      });
      if (!canChange) throw kernelFail("unavailable", { reason: "The database takes no changes." });
      const room = await space.read(needs.config.data_dir);
      const isFull = room !== null && room.free < FULL_BYTES;
      return { status: "ok" as const, version: needs.version, ...(isFull ? { disk: "full" as const } : {}) };
    },
  });
}
