/** Drop-offs: places on this server where other servers keep their backups, each behind a key that opens nothing else. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createKeyedGate } from "../../../lib/keyed-gate.ts";
import { createPlaces } from "../../../lib/places.ts";
import { createTally } from "../../../lib/tally.ts";
import { createRoomCheck } from "../../storage/object-store/index.ts";
import { fail } from "./contract.ts";
import { dropOffMeanings } from "./events.ts";
import { MOST_LEAVING, recount } from "./files.ts";
import { createGates } from "./keys.ts";
import init from "./migrations/0001_drop_offs.sql" with { type: "text" };
import files from "./migrations/0002_files.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindDropOffRoutes } from "./routes.ts";

export const dropOffsFeature = defineFeature({
  name: "drop-offs",
  migrations: [init, files],
  errors: fail.table,
  events: dropOffMeanings,
});

/** Makes the places. */
export function createDropOffs(needs: Needs): Part {
  const own: Own = {
    ...needs,
    gates: createGates(needs),
    incoming: new Map(),
    leaving: createTally(MOST_LEAVING),
    listing: createPlaces(),
    byName: createKeyedGate(),
    places: new Map(),
    requireRoom: createRoomCheck(needs),
  };
  return {
    feature: dropOffsFeature,
    routes: [bindDropOffRoutes(own)],
    start: () => recount(own),
  };
}
