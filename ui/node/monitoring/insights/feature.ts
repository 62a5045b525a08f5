import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What the figures of weeks say about the days to come. */
export const insightsFeature: Feature = {
  screens: [
    {
      id: "insights",
      pattern: "/insights",
      title: "Insights",
      icon: "wand",
      nav: { key: "p", group: "watch", order: 30 },
      view: lazy(() => import("./insights.tsx").then((module) => module.Insights)),
    },
  ],
};
