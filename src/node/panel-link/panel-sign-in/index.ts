/** Panel sign-in: people come in with their account on the panel, from its sign-in page or from the node's page there. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { createGate } from "../../../lib/gate.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { ASKING_MS } from "./arrive.ts";
import { BEGUN_MS } from "./begin.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_panel_sign_in.sql" with { type: "text" };
import roleTold from "./migrations/0002_role_told.sql" with { type: "text" };
import people from "./migrations/0003_people.sql" with { type: "text" };
import visits from "./migrations/0004_visits.sql" with { type: "text" };
import type { Arrival, Begun, Needs } from "./needs.ts";
import { bindPanelSignInRoutes } from "./routes.ts";
import { readerOf } from "./visitors.ts";

export const panelSignInFeature = defineFeature({
  name: "panel-sign-in",
  migrations: [init, roleTold, people, visits],
  errors: fail.table,
});

const MAX_BEGUN = 1_000;
export function createPanelSignIn(needs: Needs): Part {
  const { clock } = needs;
  const own = {
    ...needs,
    begun: createSharedMap<Begun>(clock, { size: MAX_BEGUN, ttlMs: BEGUN_MS }),
    arrivals: createSharedMap<Arrival>(clock, { size: MAX_BEGUN, ttlMs: ASKING_MS }),
    attempts: createLimiter(clock, 30, minutes(10)),
    turn: createGate(1),
  };
  needs.lists.panelReaders.add((person) => readerOf(needs, person));
  return { feature: panelSignInFeature, routes: [bindPanelSignInRoutes(own)] };
}
