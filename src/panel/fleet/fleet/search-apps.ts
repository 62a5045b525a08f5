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
export const searchApps = ({ live }: Pick<Own, "live">): SearchSource => ({
  source: "apps",
  async find(actor, text, limit) {
    if (!may(actor, "fleet:read")) return [];
    const wanted = text.toLowerCase();
    const byRank: Found[][] = [[], [], []];
    for (const node of live.fleetOf(actor).nodes())
      for (const app of node.apps) {
        const rank = nameRank(app.name.toLowerCase(), wanted);
        const found = rank === null ? undefined : byRank[rank];
        if (found && rank !== null && found.length < limit) found.push({ app, node, rank });
      }
    return byRank.flat().slice(0, limit).map(hitOf);
  },
});

const hitOf = ({ app, node }: Found): SearchHit => ({
  id: `${node.id}/${app.app_id}`,
  title: app.name,
  snippet: `${app.status}, on ${node.hostname}`,
  path: `/nodes/${encodeURIComponent(node.id)}`,
  icon: "apps",
});
