import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What the apps cost. */
export const costFeature: Feature = {
  screens: [
    {
      id: "cost",
      pattern: "/cost",
      title: "Cost",
      icon: "card",
      nav: { key: "c", group: "watch", order: 70 },
      view: lazy(() => import("./cost.tsx").then((module) => module.Cost)),
    },
  ],
};
