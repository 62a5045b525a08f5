import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";
import { resource } from "../../client/resource.ts";
import { clusterPath } from "./clusters/words.ts";

const clusters = () => resource("GET /api/fleet/clusters");

/** Each cluster. */
export const fleetOverviewFinder: Finder = {
  order: 30,
  open: () => {
    if (may("fleet:read")) clusters().need();
  },
  list: () =>
    may("fleet:read")
      ? (clusters().data.value ?? []).map(({ id, name, client_name }) => ({
          id: `cluster-${id}`,
          title: name,
          group: "Cluster",
          icon: "network",
          words: client_name ?? "",
          run: () => navigate(clusterPath(id)),
        }))
      : [],
};
