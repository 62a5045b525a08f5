/** Lock: sessions that ask for the password or a passkey again, on demand or after idle time. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { lockMeanings } from "./events.ts";
import { createIdleLock, type IdleLock } from "./idle-lock.ts";
import init from "./migrations/0001_auto_lock.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindLockRoutes } from "./routes.ts";

export const lockFeature = defineFeature({
  name: "lock",
  events: lockMeanings,
  migrations: [init],
  errors: fail.table,
});

/** Notes signs of life of sessions and locks the idle ones. */
export interface Lock extends Part, IdleLock {}

export const createLock = (needs: Needs): Lock => ({
  feature: lockFeature,
  ...createIdleLock(needs),
  routes: [bindLockRoutes(needs)],
});
