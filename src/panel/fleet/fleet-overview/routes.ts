import { Elysia, t } from "elysia";
import { seconds } from "../../../lib/duration.ts";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { indexOf, prepareIndex } from "../fleet/index.ts";
import { describeCluster, listClusters } from "./clusters.ts";
import {
  CLUSTERS_MAX,
  Cluster,
  ClusterParams,
  ClustersQuery,
  HeatCells,
  Heatmap,
  HeatmapQuery,
  Overview,
  OverviewQuery,
  Region,
  Topology,
} from "./contract.ts";
import { writeCellList, writeHeatmap } from "./heatmap.ts";
import { keepAnswers } from "./keep-answers.ts";
import { makeOverview } from "./overview.ts";
import { listRegions } from "./tally.ts";

const access = can("fleet:read");
/** How long an overview and a heat map stay good. */
const KEEP_MS = seconds(20);
/** Clusters change with what nodes tell, which makes a list anew; this is for what time does to it. */
const KEEP_LIST_MS = seconds(5);
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export const fleetOverviewRoutes: PanelRoutes = (ctx) => {
  const { live } = ctx;
  const overviews = keepAnswers<Overview>(ctx.clock, KEEP_MS, 500);
  const maps = keepAnswers<string>(ctx.clock, KEEP_MS, 50);
  const lists = keepAnswers<Cluster[]>(ctx.clock, KEEP_LIST_MS, 500);
  return new Elysia({ prefix: "/api/fleet" })
    .use(ctx.guard)
    .get(
      "/overview",
      ({ actor, query: { range = "24h", top = 5, alerts = 10 } }) =>
        overviews(JSON.stringify([actor.tenant_id, range, top, alerts]), () =>
          makeOverview(actor.db, live.fleetOf(actor), { range, top, alerts }, ctx.clock.now()),
        ),
      { access, query: OverviewQuery, response: Overview },
    )
    .get(
      "/heatmap",
      async ({ actor, query: { metric } }) => {
        const fleet = live.fleetOf(actor);
        // Written as text: a hundred thousand cells are checked in the tests, not at every answer.
        return new Response(
          await maps(JSON.stringify([actor.tenant_id, metric ?? null]), () =>
            metric === undefined ? writeCellList(fleet) : writeHeatmap(fleet, metric),
          ),
          { headers: JSON_TYPE },
        );
      },
      { access, query: HeatmapQuery, response: t.Union([Heatmap, HeatCells]) },
    )
    .get(
      "/regions",
      async ({ actor }) => {
        const fleet = live.fleetOf(actor);
        await prepareIndex(fleet, []);
        return listRegions(fleet, indexOf(fleet));
      },
      { access, response: t.Array(Region) },
    )
    .get(
      "/clusters",
      async ({ actor, query: { page = 1, per_page = CLUSTERS_MAX } }) => {
        const fleet = live.fleetOf(actor);
        const all = await lists(JSON.stringify([actor.tenant_id, fleet.version()]), () => listClusters(fleet));
        return all.slice((page - 1) * per_page, page * per_page);
      },
      { access, query: ClustersQuery, response: t.Array(Cluster) },
    )
    .get("/clusters/:id/topology", ({ actor, params }) => describeCluster(live.fleetOf(actor), params.id), {
      access,
      params: ClusterParams,
      response: Topology,
    });
};
