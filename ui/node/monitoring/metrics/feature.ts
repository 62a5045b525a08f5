import { lazy } from "../../../client/lazy.ts";
import { chartKeys } from "../../../shell/chart-keys.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What this server did, second by second and for years. */
export const metricsFeature: Feature = {
  screens: [
    {
      id: "metrics",
      pattern: "/metrics",
      title: "Metrics",
      icon: "metrics",
      nav: { key: "m", group: "watch", order: 10, onPhones: true },
      view: lazy(() => import("./metrics.tsx").then((module) => module.Metrics)),
    },
    {
      id: "network",
      pattern: "/network",
      title: "Network",
      icon: "network",
      nav: { key: "n", group: "watch", order: 60 },
      view: lazy(() => import("./network.tsx").then((module) => module.Network)),
    },
  ],
  partKeys: [chartKeys],
};
