import { inSteps } from "../../../lib/sort-in-steps.ts";
import { may } from "../../actor.ts";
import type { AppReport, NodeFacts } from "../../agents/live/index.ts";
import type { SearchHit, SearchSource } from "../../base.ts";
import type { Own } from "./needs.ts";
import { nameRank } from "./search.ts";

interface Found {
  app: AppReport;
  node: NodeFacts;
  rank: number;
}

/** Finds apps by a part of their name on whatever nodes they are, as the nodes told of them last. */
export const searchApps = ({ live, inScanTurn }: Pick<Own, "live" | "inScanTurn">): SearchSource => ({
  source: "apps",
  async find(actor, text, limit) {
    if (!may(actor, "fleet:read")) return [];
    return inScanTurn(actor, (othersFirst) =>
      inSteps(findApps(live.fleetOf(actor).nodes(), text.toLowerCase(), limit), othersFirst),
    );
  },
});

/** Looks at the apps of a node in each step; a node may have a thousand. */
function* findApps(nodes: readonly NodeFacts[], wanted: string, limit: number): Generator<void, SearchHit[]> {
  const byRank: Found[][] = [[], [], []];
  for (const node of nodes) {
    for (const app of node.apps) {
      const rank = nameRank(app.name.toLowerCase(), wanted);
      const found = rank === null ? undefined : byRank[rank];
      if (found && rank !== null && found.length < limit) found.push({ app, node, rank });
    }
    yield;
  }
  return byRank.flat().slice(0, limit).map(hitOf);
}

const hitOf = ({ app, node }: Found): SearchHit => ({
  id: `${node.id}/${app.app_id}`,
  title: app.name,
  snippet: `${app.status}, on ${node.hostname}`,
  path: `/nodes/${encodeURIComponent(node.id)}`,
  icon: "apps",
});
