import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What a workspace is for, and the way out of it. */
export const workspaceSettingsFeature: Feature = {
  screens: [
    {
      id: "settings",
      pattern: "/settings",
      title: "Settings",
      icon: "settings",
      nav: { key: "s", group: "workspace", order: 30 },
      view: lazy(() => import("./settings.tsx").then((module) => module.Settings)),
    },
  ],
};
