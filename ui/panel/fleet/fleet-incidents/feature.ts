import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

const view = lazy(() => import("./incidents.tsx").then((module) => module.IncidentsScreen));
const mayOpen = () => may("fleet:read");

/** What was wrong with the fleet, as one thing for one cause, and what people did about it. */
export const fleetIncidentsFeature: Feature = {
  screens: [
    {
      id: "incidents",
      pattern: "/incidents",
      title: "Incidents",
      icon: "zap",
      nav: { key: "i", group: "main", order: 26 },
      mayOpen,
      view,
    },
    {
      id: "incident",
      pattern: "/incidents/:id",
      title: "Incident",
      icon: "zap",
      parent: "incidents",
      mayOpen,
      view,
    },
  ],
};
