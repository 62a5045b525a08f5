import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** How the dashboard looks, and what may be chosen about this server. */
export const settingsFeature: Feature = {
  screens: [
    {
      id: "settings",
      pattern: "/settings",
      title: "Settings",
      icon: "settings",
      nav: { key: "t", group: "manage", order: 60 },
      tab: { order: 10, label: "Appearance" },
      view: lazy(() => import("./settings.tsx").then((module) => module.Settings)),
    },
  ],
};
