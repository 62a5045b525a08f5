import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** What a node's system and apps write, read through the panel. */
export const nodeLogsFeature: Feature = {
  screens: [
    {
      id: "node-logs",
      pattern: "/nodes/:id/logs",
      title: "Logs",
      icon: "logs",
      parent: "fleet",
      mayOpen: () => may("fleet:write"),
      view: lazy(() => import("./node-logs.tsx").then((module) => module.NodeLogs)),
    },
  ],
};
