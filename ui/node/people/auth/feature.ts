import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Everything that lets somebody in. */
export const authFeature: Feature = {
  screens: [
    {
      id: "security",
      pattern: "/security",
      title: "Security",
      icon: "shield",
      nav: { key: "e", group: "manage", order: 20 },
      tab: { order: 30 },
      view: lazy(() => import("./security.tsx").then((module) => module.Security)),
    },
  ],
  account: { order: 10, title: "Security", icon: "shield", to: "/security" },
};
