import { byAdmin, liveForAll, onRecord, pausedLine } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { AlertChannelEvents } from "./contract.ts";

const audit = onRecord<{ channel_id: string; ip: string }>(({ channel_id }) => `channel:${channel_id}`);
const PAGE = "/alerts?tab=channels";

export const alertChannelMeanings: EventMeanings<AlertChannelEvents> = {
  "channel.created": { audit, timeline: byAdmin("added", "alert channel", PAGE) },
  "channel.changed": { audit },
  "channel.deleted": { audit, timeline: byAdmin("deleted", "alert channel", PAGE) },
  "channel.tested": { audit },
  "channel.taken_over": { audit },
  "channel.paused": {
    timeline: ({ channel_id, name }) =>
      pausedLine(`The alert channel ${name}`, "alert channels", {
        category: "alert",
        subject: ["channel", channel_id],
        link: PAGE,
      }),
  },
  "channel.template_changed": {
    audit: onRecord(({ kind, channel_type }) => `alert_template:${kind}/${channel_type}`),
  },
  "channel.failing": {
    timeline: ({ channel_id, name, error, queued }) => ({
      category: "alert",
      severity: "warning",
      title: `Alerts do not get through on ${name}: ${error}. ${queued} wait`,
      subject: ["channel", channel_id],
      link: PAGE,
      isInbox: true,
      fold: `channel ${channel_id}`,
    }),
    live: liveForAll,
  },
  "channel.recovered": {
    timeline: ({ channel_id, name }) => ({
      category: "alert",
      severity: "info",
      title: `Alerts get through on ${name} again`,
      subject: ["channel", channel_id],
      link: PAGE,
    }),
    live: liveForAll,
  },
};
