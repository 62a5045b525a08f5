import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";

const interfaces = () => resource("GET /api/system/network/interfaces");

/** Each network interface. */
export const metricsFinder: Finder = {
  order: 35,
  open: () => interfaces().need(),
  list: () =>
    (interfaces().data.value ?? []).map(({ name, kind, mac }) => ({
      id: `interface-${name}`,
      title: name,
      detail: kind,
      group: "Network interface",
      icon: "network",
      words: mac ?? "",
      run: () => navigate(`/network?interface=${encodeURIComponent(name)}`),
    })),
};
