/** WebDAV: the Drive for file managers and other programs, with locks that outlast a restart and properties that they keep. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { deleteExpired } from "./lock-store.ts";
import init from "./migrations/0001_dav.sql" with { type: "text" };
import sums from "./migrations/0002_property_sums.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { propertiesKept, propertyBelongings } from "./property-room.ts";
import { bindDavRoutes } from "./routes.ts";

export const davFeature = defineFeature({ name: "dav", migrations: [init, sums], errors: fail.table });

/** Makes it. */
export function createDav(needs: Needs): Part {
  needs.drive.keep(propertiesKept(needs));
  needs.lists.belongings.add(propertyBelongings(needs));
  return {
    feature: davFeature,
    routes: [bindDavRoutes(needs)],
    jobs: [
      {
        name: "dav-locks",
        everyMs: hours(1),
        run: () => needs.db.tx(() => deleteExpired(needs.db, needs.clock.now())),
      },
    ],
  };
}
