import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";
import { resource } from "../../client/resource.ts";

const groups = () => resource("GET /api/fleet/groups");

/** The nodes of each group. */
export const fleetGroupsFinder: Finder = {
  order: 20,
  open: () => {
    if (may("fleet:read")) groups().need();
  },
  list: () =>
    may("fleet:read")
      ? (groups().data.value ?? []).map(({ id, name, instance_count }) => ({
          id: `group-${id}`,
          title: name,
          detail: `${instance_count.toLocaleString("en")} ${instance_count === 1 ? "node" : "nodes"}`,
          group: "Group",
          icon: "layers",
          run: () => navigate(`/fleet?group=${encodeURIComponent(name)}`),
        }))
      : [],
};
