import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { startBeats } from "./presence-beat.ts";

/** Who works in this workspace, and who of them is here. */
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
  tool: {
    order: 10,
    view: lazy(() => import("./who-is-here.tsx").then((module) => module.WhoIsHere), { quiet: true }),
  },
  duty: startBeats,
};
