import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { listClusters, writeTopology } from "./clusters.ts";
import { CLUSTERS_MAX, fleetOverviewRoutes } from "./contract.ts";
import { writeCellList, writeHeatmap } from "./heatmap.ts";
import type { Own } from "./needs.ts";
import { makeOverview } from "./overview.ts";
import { listRegions } from "./tally.ts";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** What answers the routes of the overview. */
export function bindFleetOverviewRoutes(own: Own): BoundRoutes {
  const { live, clock, fleet: indexes, takeTurn } = own;
  const othersFirst = (actor: Actor) => () => giveWay(takeTurn, [actor.tenant_id, actor.account_id]);
  return bindRoutes(fleetOverviewRoutes, {
    "GET /api/fleet/overview": ({ actor, query: { range = "24h", top = 5, alerts = 10 } }) =>
      own.overviews(JSON.stringify([actor.tenant_id, range, top, alerts]), () =>
        makeOverview(own, actor.db, live.fleetOf(actor), { range, top, alerts }, clock.now()),
      ),
    "GET /api/fleet/heatmap": async ({ actor, query: { metric } }) => {
      const fleet = live.fleetOf(actor);
      // Written as text: a hundred thousand cells are checked in the tests, not at every answer.
      const text = await own.maps(JSON.stringify([actor.tenant_id, metric ?? null]), () =>
        metric === undefined ? writeCellList(indexes, fleet) : writeHeatmap(indexes, fleet, metric),
      );
      return new Response(text, { headers: JSON_TYPE });
    },
    "GET /api/fleet/regions": async ({ actor }) => {
      const fleet = live.fleetOf(actor);
      await indexes.prepareIndex(fleet, []);
      return listRegions(fleet, indexes.indexOf(fleet));
    },
    "GET /api/fleet/clusters": async ({ actor, query: { page = 1, per_page = CLUSTERS_MAX } }) => {
      const fleet = live.fleetOf(actor);
      const all = await own.clusters(JSON.stringify([actor.tenant_id, fleet.version()]), () =>
        listClusters(fleet, othersFirst(actor)),
      );
      return all.slice((page - 1) * per_page, page * per_page);
    },
    "GET /api/fleet/clusters/{id}/topology": async ({ actor, params: { id } }) => {
      // As the heat map: whoever asks while it is made waits for the same one.
      const fleet = live.fleetOf(actor);
      const text = await own.topologies(JSON.stringify([actor.tenant_id, fleet.version(), id]), () =>
        writeTopology(fleet, id, othersFirst(actor)),
      );
      return new Response(text, { headers: JSON_TYPE });
    },
  });
}
