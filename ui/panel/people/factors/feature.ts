import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What lets somebody in besides the passphrase. */
export const factorsFeature: Feature = {
  screens: [
    {
      id: "security",
      pattern: "/security",
      title: "Security",
      icon: "shield",
      view: lazy(() => import("./screens.ts").then((module) => module.Security)),
    },
  ],
  account: { order: 10, title: "Security", icon: "shield", to: "/security" },
};
