import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** What the system and the containers write. */
export const logsFeature: Feature = {
  screens: [
    {
      id: "logs",
      pattern: "/logs",
      title: "Logs",
      icon: "terminal",
      nav: { key: "y", group: "watch", order: 45 },
      mayOpen: isAdmin,
      view: lazy(() => import("./logs.tsx").then((module) => module.Logs)),
    },
  ],
};
