import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** Changes of many nodes in stages. */
export const rolloutsFeature: Feature = {
  screens: [
    {
      id: "rollouts",
      pattern: "/rollouts",
      title: "Rollouts",
      icon: "flag",
      nav: { key: "u", group: "main", order: 45 },
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./screens.ts").then((module) => module.RolloutsScreen)),
    },
    {
      id: "rollout",
      pattern: "/rollouts/:id",
      title: "Rollout",
      icon: "flag",
      parent: "rollouts",
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./screens.ts").then((module) => module.RolloutPage)),
    },
  ],
};
