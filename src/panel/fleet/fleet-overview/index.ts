/** Fleet overview: the whole fleet on one screen, its heat map, its regions and its clusters. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import { type Cluster, fail, type Overview } from "./contract.ts";
import { keepAnswers } from "./keep-answers.ts";
import type { Needs } from "./needs.ts";
import { bindFleetOverviewRoutes } from "./routes.ts";

/** How long an overview and a heat map stay good. */
const KEEP_MS = seconds(20);
/** Clusters change with what nodes tell, which makes a list anew; this is for what time does to it. */
const KEEP_LIST_MS = seconds(5);
/** One cluster is looked at as it is now: only those who ask at one moment get the same answer. */
const KEEP_TOPOLOGY_MS = seconds(1);

export const fleetOverviewFeature = defineFeature({ name: "fleet-overview", errors: fail.table });

export function createFleetOverview(needs: Needs): Part {
  const { clock } = needs;
  const own = {
    ...needs,
    overviews: keepAnswers<Overview>(clock, KEEP_MS, 500),
    maps: keepAnswers<string>(clock, KEEP_MS, 50),
    clusters: keepAnswers<Cluster[]>(clock, KEEP_LIST_MS, 500),
    topologies: keepAnswers<string>(clock, KEEP_TOPOLOGY_MS, 20),
  };
  return { feature: fleetOverviewFeature, routes: [bindFleetOverviewRoutes(own)] };
}
