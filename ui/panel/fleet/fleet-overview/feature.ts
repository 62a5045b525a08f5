import { lazy } from "../../../client/lazy.ts";
import { chartKeys } from "../../../shell/chart-keys.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** The whole fleet in pictures. */
export const fleetOverviewFeature: Feature = {
  screens: [
    {
      id: "overview",
      pattern: "/",
      title: "Overview",
      icon: "home",
      nav: { key: "o", group: "main", order: 10, onPhones: true },
      view: lazy(() => import("./overview.tsx").then((module) => module.Overview)),
    },
    {
      id: "heatmap",
      pattern: "/heatmap",
      title: "Heatmap",
      icon: "grid",
      nav: { key: "h", group: "main", order: 30, onPhones: true },
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./heatmap/heatmap.tsx").then((module) => module.HeatmapScreen)),
    },
    {
      id: "clusters",
      pattern: "/clusters",
      title: "Clusters",
      icon: "network",
      nav: { key: "c", group: "main", order: 40 },
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./clusters/clusters.tsx").then((module) => module.ClustersScreen)),
    },
    {
      id: "cluster",
      pattern: "/clusters/:id",
      title: "Cluster",
      icon: "network",
      parent: "clusters",
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./clusters/cluster.tsx").then((module) => module.ClusterPage)),
    },
  ],
  partKeys: [
    {
      title: "Heatmap",
      keys: [
        { shown: ["←", "→", "↑", "↓"], what: "Walk from node to node" },
        { shown: ["Enter"], what: "Open the node" },
        { shown: ["Esc"], what: "Point at none" },
      ],
    },
    chartKeys,
  ],
};
