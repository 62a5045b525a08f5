/** WebDAV: the Drive for file managers and other programs, with locks that outlast a restart and properties that they keep. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { deleteExpired } from "./lock-store.ts";
import init from "./migrations/0001_dav.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindDavRoutes } from "./routes.ts";

export const davFeature = defineFeature({ name: "dav", migrations: [init], errors: fail.table });

/** Makes it. */
export const createDav = (needs: Needs): Part => ({
  feature: davFeature,
  routes: [bindDavRoutes(needs)],
  jobs: [
    {
      name: "dav-locks",
      everyMs: hours(1),
      run: () => needs.db.tx(() => deleteExpired(needs.db, needs.clock.now())),
    },
  ],
});
