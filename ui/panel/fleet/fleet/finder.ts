import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { resource } from "../../client/resource.ts";

const views = () => resource("GET /api/fleet/views");
/** More than these nobody reads in a list of commands; the fleet has all of them. */
const most = 20;

/** Nodes by whatever the panel finds them by, kept views, and the list for the words. */
export const fleetFinder: Finder = {
  order: 10,
  open: () => {
    if (may("fleet:read")) views().need();
  },
  list: () =>
    may("fleet:read")
      ? (views().data.value?.views ?? []).map(({ name, query }) => ({
          id: `view-${name}`,
          title: name,
          group: "View of the fleet",
          icon: "star",
          words: "saved filter nodes",
          run: () => navigate(query === "" ? "/fleet" : `/fleet?${query}`),
        }))
      : [],
  async search(words, signal) {
    if (!may("fleet:read")) return [];
    const { results } = await api("GET /api/search/global", { query: { q: words, limit: most }, signal });
    return results
      .filter(({ source }) => source === "nodes")
      .map(({ id, title, snippet, path, icon }) => ({
        id: `node-${id}`,
        title,
        detail: snippet,
        group: "Node",
        icon,
        run: () => navigate(path),
      }));
  },
  words: (words) =>
    may("fleet:read")
      ? [
          {
            id: "fleet-words",
            title: `Show nodes with “${words}”`,
            group: "Fleet",
            icon: "search",
            run: () => navigate(`/fleet?q=${encodeURIComponent(words)}`),
          },
        ]
      : [],
};
