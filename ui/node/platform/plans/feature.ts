import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What the plan of this server includes. */
export const plansFeature: Feature = {
  screens: [
    {
      id: "plan",
      pattern: "/settings/plan",
      title: "Plan",
      icon: "card",
      parent: "settings",
      tab: { order: 80 },
      view: lazy(() => import("./plan.tsx").then((module) => module.Plan)),
    },
  ],
};
