import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** The page that a visit begins with. */
export const dashboardsFeature: Feature = {
  screens: [
    {
      id: "home",
      pattern: "/",
      title: "Home",
      icon: "home",
      nav: { key: "h", group: "main", order: 10, onPhones: true },
      view: lazy(() => import("./home.tsx").then((module) => module.Home)),
    },
  ],
};
