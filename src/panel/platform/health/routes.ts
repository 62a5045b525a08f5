import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { healthRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { askDatabase } from "./store.ts";

/** What answers the routes of health. */
export const bindHealthRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(healthRoutes, {
    "GET /api/health": async () => {
      await askDatabase(needs.system);
      return { status: "ok" as const, version: needs.version };
    },
  });
