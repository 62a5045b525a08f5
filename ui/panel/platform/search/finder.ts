import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { api } from "../../client/api.ts";

/** More than these nobody reads in a list of commands; the pages have all of them. */
const most = 20;

/** What the palette calls what the panel finds; kinds that are not here other finders know already. */
const groups: Record<string, string> = {
  nodes: "Node",
  apps: "App",
  incidents: "Incident",
  rollouts: "Rollout",
  jobs: "Job",
};

/** Whatever the panel finds by the words. */
export const searchFinder: Finder = {
  order: 10,
  async search(words, signal) {
    const { results } = await api("GET /api/search/global", { query: { q: words, limit: most }, signal });
    return results.flatMap(({ source, id, title, snippet, path, icon }) => {
      const group = groups[source];
      if (group === undefined) return [];
      return [{ id: `${source}-${id}`, title, detail: snippet, group, icon, run: () => navigate(path) }];
    });
  },
};
