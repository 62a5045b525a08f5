import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import type { Connection } from "./connection.ts";
import { runtimeRoutes } from "./contract.ts";

/** What answers the routes of the runtime. */
export const bindRuntimeRoutes = (connection: Pick<Connection, "status">): BoundRoutes =>
  bindRoutes(runtimeRoutes, {
    "GET /api/system/runtime": () => connection.status(),
  });
