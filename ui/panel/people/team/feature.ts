import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Who works in this workspace. */
export const teamFeature: Feature = {
  screens: [
    {
      id: "team",
      pattern: "/team",
      title: "Team",
      icon: "users",
      nav: { key: "t", group: "workspace", order: 10 },
      view: lazy(() => import("./team.tsx").then((module) => module.Team)),
    },
  ],
};
