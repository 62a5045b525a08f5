/** Fleet incidents: what is wrong with fleets as one thing for one cause, opened, escalated and over by itself. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { hearDeclaration } from "./declare.ts";
import { incidentMeanings } from "./events.ts";
import { createJudge } from "./judge.ts";
import { hearAcknowledgement } from "./logic.ts";
import init from "./migrations/0001_fleet_incidents.sql" with { type: "text" };
import timeline from "./migrations/0002_incident_timeline.sql" with { type: "text" };
import declared from "./migrations/0003_declared_incidents.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindFleetIncidentRoutes } from "./routes.ts";
import { searchIncidents } from "./search.ts";
import { countOpen, deleteOld } from "./store.ts";

/** How long those that are over are kept, and how many of a workspace. */
const KEPT_MS = days(90);
const KEPT = 10_000;

export const fleetIncidentsFeature = defineFeature({
  name: "fleet-incidents",
  migrations: [init, timeline, declared],
  errors: fail.table,
  events: incidentMeanings,
});

export function createFleetIncidents(needs: Needs): Part {
  needs.lists.searches.add(searchIncidents);
  needs.lists.incidents.add(countOpen);
  return {
    feature: fleetIncidentsFeature,
    routes: [bindFleetIncidentRoutes(needs)],
    subscribe() {
      needs.bus.onEmit((tx, name, event) => hearAcknowledgement(needs, tx, name, event));
      needs.bus.onEmit((tx, name, event) => hearDeclaration(needs, tx, name, event));
    },
    jobs: [
      { name: "incidents.judge", everyMs: seconds(15), run: createJudge(needs) },
      {
        name: "incidents.forget",
        everyMs: hours(1),
        run: () => deleteOld(needs.system, needs.clock.now() - KEPT_MS, KEPT),
      },
    ],
  };
}
