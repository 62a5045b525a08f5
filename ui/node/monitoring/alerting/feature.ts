import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { openAlerts } from "./open-alerts.ts";

/** What is wrong, by which rules, and who is told. */
export const alertingFeature: Feature = {
  screens: [
    {
      id: "alerts",
      pattern: "/alerts",
      title: "Alerts",
      icon: "bell",
      nav: { key: "b", group: "watch", order: 20 },
      view: lazy(() => import("./alerts.tsx").then((module) => module.Alerts)),
    },
  ],
  reaction: {
    on: {
      "alert.*": () => {
        const open = resource("GET /api/alerting/events", openAlerts);
        if (open.data.peek() !== null) void open.refresh();
      },
    },
  },
};
