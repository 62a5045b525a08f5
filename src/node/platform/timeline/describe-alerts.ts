import type { NameOf, Telling, Told } from "./describe.ts";

/** Something that an admin did to what watches and reports. */
function byAdmin<Data extends { user_id: string; name: string }>(verb: string, what: string, link: string) {
  return ({ user_id, name }: Data, nameOf: NameOf): Told => ({
    category: "alert",
    severity: "info",
    title: `${nameOf(user_id)} ${verb} the ${what} ${name}`,
    link,
  });
}

const eventLink = (id: string): string => `/alerts?tab=events&event=${id}`;
const RULES = "/alerts?tab=rules";
const CHANNELS = "/alerts?tab=channels";
const MAINTENANCE = "/alerts?tab=maintenance";

/** Alerts about what the timeline has told in its own words a moment before; one notification is enough. */
const TOLD_BEFORE = new Set(["app_crashed", "disk_health"]);

export const tellAlerts: Telling = {
  "alert.fired": ({ event_id, severity, message, metric }) => ({
    category: "alert",
    severity,
    title: message,
    subject: ["alert", event_id],
    link: eventLink(event_id),
    audience: "everybody",
    isInbox: !TOLD_BEFORE.has(metric ?? ""),
  }),
  "alert.resolved": ({ event_id, rule_name, entity_name }) => ({
    category: "alert",
    severity: "info",
    title: `Over: ${rule_name} (${entity_name})`,
    subject: ["alert", event_id],
    link: eventLink(event_id),
    audience: "everybody",
  }),
  "alert_rule.created": byAdmin("made", "alert rule", RULES),
  "alert_rule.deleted": byAdmin("deleted", "alert rule", RULES),
  "channel.created": byAdmin("added", "alert channel", CHANNELS),
  "channel.deleted": byAdmin("deleted", "alert channel", CHANNELS),
  "channel.failing": ({ channel_id, name, error, queued }) => ({
    category: "alert",
    severity: "warning",
    title: `Alerts do not get through on ${name}: ${error}. ${queued} wait`,
    subject: ["channel", channel_id],
    link: CHANNELS,
    isInbox: true,
    fold: `channel ${channel_id}`,
  }),
  "channel.recovered": ({ channel_id, name }) => ({
    category: "alert",
    severity: "info",
    title: `Alerts get through on ${name} again`,
    subject: ["channel", channel_id],
    link: CHANNELS,
  }),
  "maintenance.created": byAdmin("planned", "maintenance", MAINTENANCE),
  "maintenance.deleted": byAdmin("deleted", "maintenance", MAINTENANCE),
  "insight.raised": ({ subject, message }) => ({
    category: "alert",
    severity: "warning",
    title: message,
    subject: ["insight", subject],
    link: "/insights",
    audience: "everybody",
    isInbox: true,
  }),
  "webhook.created": ({ webhook_id, user_id, host }, nameOf) => ({
    category: "alert",
    severity: "info",
    title: `${nameOf(user_id)} added a webhook to ${host}`,
    subject: ["webhook", webhook_id],
    link: "/webhooks",
  }),
  "webhook.disabled": ({ webhook_id, url, reason }) => ({
    category: "alert",
    severity: "warning",
    title: `The webhook to ${new URL(url).host} was switched off: ${
      reason === "gone" ? "its receiver is gone for good" : "ten deliveries in a row failed"
    }`,
    subject: ["webhook", webhook_id],
    link: "/webhooks",
    isInbox: true,
  }),
};
