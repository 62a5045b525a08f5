import { navigate } from "../../../client/router.ts";
import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { openAlerts } from "./open-alerts.ts";

const rules = () => resource("GET /api/alerting/rules");
const firing = () => resource("GET /api/alerting/events", openAlerts);

/** Alert rules, what is wrong now, and a new rule. */
export const alertingFinder: Finder = {
  order: 40,
  open: () => {
    rules().need();
    firing().need();
  },
  list: () => [
    ...(mayChangeThings()
      ? [
          wishCommand(
            { title: "Add rule", group: "Alerts", icon: "plus", words: "alert rule new watch threshold" },
            { address: "/alerts?tab=rules", wish: "rule" },
          ),
        ]
      : []),
    placeCommand(
      { title: "Alert events", group: "Alerts", icon: "bell", words: "history firing" },
      { address: "/alerts?tab=events" },
    ),
    ...(firing().data.value ?? []).map((event) => ({
      id: `event-${event.id}`,
      title: event.rule_name,
      detail: event.entity_name,
      group: "Firing now",
      icon: "bell",
      words: `alert ${event.severity}`,
      run: () => navigate(`/alerts?tab=events&event=${encodeURIComponent(event.id)}`),
    })),
    ...(rules().data.value ?? []).map((rule) => ({
      ...placeCommand(
        { title: rule.name, group: "Alert rule", icon: "bell", words: `${rule.metric} ${rule.severity}` },
        { address: "/alerts?tab=rules", row: rule.name },
      ),
      id: `rule-${rule.id}`,
    })),
  ],
};
