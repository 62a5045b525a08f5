import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const windows = () => resource("GET /api/alerting/maintenance");

/** When alerts are silent, and a new such time. */
export const maintenanceFinder: Finder = {
  order: 60,
  open: () => windows().need(),
  list: () => [
    ...(isAdmin()
      ? [
          wishCommand(
            { title: "Plan maintenance", group: "Alerts", icon: "calendar", words: "silence quiet window downtime" },
            { address: "/alerts?tab=maintenance", wish: "maintenance" },
          ),
        ]
      : []),
    placeCommand({ title: "Maintenance", group: "Alerts", icon: "calendar" }, { address: "/alerts?tab=maintenance" }),
    ...(windows().data.value ?? []).map((one) => ({
      ...placeCommand(
        { title: one.name, group: "Maintenance", icon: "calendar" },
        { address: "/alerts?tab=maintenance", row: one.name },
      ),
      id: `maintenance-${one.id}`,
    })),
  ],
};
