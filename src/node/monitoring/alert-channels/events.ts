import { byAdmin, liveForAll, onRecord } from "../../event-lines.ts";
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
    timeline: ({ channel_id, name }) => ({
      category: "alert",
      severity: "warning",
      title: `The alert channel ${name} is paused: its maker may not have alert channels any more`,
      subject: ["channel", channel_id],
      link: PAGE,
      isInbox: true,
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
