import { byAdmin, onRecord, pausedLine } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { LogForwarderEvents } from "./contract.ts";

const audit = onRecord<{ forwarder_id: string; ip: string }>(({ forwarder_id }) => `log_forwarder:${forwarder_id}`);
const PAGE = "/logs/forwarders";

const linesOf = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);

/** What happens to log forwarders concerns admins, who alone may read logs. */
export const logForwarderMeanings: EventMeanings<LogForwarderEvents> = {
  "log_forwarder.created": { audit, timeline: byAdmin("added", "log forwarder", PAGE) },
  "log_forwarder.changed": { audit },
  "log_forwarder.deleted": {
    audit,
    timeline: byAdmin("deleted", "log forwarder", PAGE),
    alert: ({ forwarder_id }) => ({ gone: `log_forwarder:${forwarder_id}`, ending: "entity_removed" }),
  },
  "log_forwarder.tested": { audit },
  "log_forwarder.taken_over": { audit },
  "log_forwarder.paused": {
    timeline: ({ forwarder_id, name }) =>
      pausedLine(`The log forwarder ${name}`, "log forwarders", {
        category: "system",
        subject: ["log_forwarder", forwarder_id],
        link: PAGE,
      }),
  },
  "log_forwarder.failing": {
    timeline: ({ forwarder_id, name, error, waiting }) => ({
      category: "system",
      severity: "warning",
      title: `No log line has reached ${name} for an hour: ${error}. ${linesOf(waiting)} wait`,
      subject: ["log_forwarder", forwarder_id],
      link: PAGE,
      isInbox: true,
      fold: `log forwarder ${forwarder_id}`,
    }),
    alert: ({ forwarder_id, name, error }) => ({
      metric: "log_forwarding",
      entity: `log_forwarder:${forwarder_id}`,
      name,
      bad: true,
      message: `No log line has reached ${name} for an hour: ${error}.`,
    }),
  },
  "log_forwarder.recovered": {
    timeline: ({ forwarder_id, name }) => ({
      category: "system",
      severity: "info",
      title: `Log lines reach ${name} again`,
      subject: ["log_forwarder", forwarder_id],
      link: PAGE,
    }),
    alert: ({ forwarder_id, name }) => ({
      metric: "log_forwarding",
      entity: `log_forwarder:${forwarder_id}`,
      name,
      bad: false,
      message: `Log lines reach ${name} again.`,
    }),
  },
  "log_forwarder.dropped": {
    timeline: ({ forwarder_id, name, lines, why }) => ({
      category: "system",
      severity: "warning",
      title: `${linesOf(lines)} for ${name} ${lines === 1 ? "was" : "were"} lost: ${why}`,
      subject: ["log_forwarder", forwarder_id],
      link: PAGE,
      isInbox: true,
      fold: `log forwarder lost ${forwarder_id}`,
    }),
  },
};
