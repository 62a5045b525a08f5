import { byAdmin, liveForAll, onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { AlertingEvents } from "./contract.ts";

const audit = onRecord<{ rule_id: string; ip: string }>(({ rule_id }) => `alert_rule:${rule_id}`);
const RULES = "/alerts?tab=rules";
const pageOf = (id: string): string => `/alerts?tab=events&event=${id}`;

/** Alerts about what the timeline has told in its own words a moment before; one notification is enough. */
const TOLD_BEFORE = new Set(["app_crashed", "disk_health"]);

export const alertingMeanings: EventMeanings<AlertingEvents> = {
  "alert.fired": {
    timeline: ({ event_id, severity, message, metric }) => ({
      category: "alert",
      severity,
      title: message,
      subject: ["alert", event_id],
      link: pageOf(event_id),
      audience: "everybody",
      isInbox: !TOLD_BEFORE.has(metric ?? ""),
    }),
    webhook: { trigger: "An alert rule’s threshold is breached", carriesAlarms: true },
    live: liveForAll,
  },
  "alert.resolved": {
    timeline: ({ event_id, rule_name, entity_name }) => ({
      category: "alert",
      severity: "info",
      title: `Over: ${rule_name} (${entity_name})`,
      subject: ["alert", event_id],
      link: pageOf(event_id),
      audience: "everybody",
    }),
    webhook: { trigger: "An alert’s condition returns to normal" },
    live: liveForAll,
  },
  "alert.acknowledged": { live: liveForAll },
  "alert_rule.created": { audit, timeline: byAdmin("made", "alert rule", RULES) },
  "alert_rule.changed": { audit },
  "alert_rule.deleted": { audit, timeline: byAdmin("deleted", "alert rule", RULES) },
};
