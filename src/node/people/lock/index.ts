/** Lock: sessions that ask for the password or a passkey again, on demand or after idle time. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { lockMeanings } from "./events.ts";
import init from "./migrations/0001_auto_lock.sql" with { type: "text" };
import { lockRoutes } from "./routes.ts";

export { createIdleLock, type IdleLock } from "./idle-lock.ts";

export const lock = defineContextFeature<NodeContext>({
  name: "lock",
  migrations: [init],
  errors: fail.table,
  events: lockMeanings,
  routes: lockRoutes,
});
