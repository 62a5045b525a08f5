import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";
import { resource } from "../../client/resource.ts";

const views = () => resource("GET /api/fleet/views");

/** Kept views, and the list for the words. */
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
