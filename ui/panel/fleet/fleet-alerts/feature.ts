import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";
import { AlertCount } from "./alert-count.tsx";

/** What is wrong with the fleet now. */
export const fleetAlertsFeature: Feature = {
  screens: [
    {
      id: "alerts",
      pattern: "/alerts",
      title: "Alerts",
      icon: "bell",
      nav: { key: "l", group: "main", order: 25, badge: AlertCount },
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./alerts.tsx").then((module) => module.AlertsScreen)),
    },
  ],
};
