import { onRecord, pausedLine } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { WebhookEvents } from "./contract.ts";

const audit = onRecord<{ webhook_id: string; ip: string }>(({ webhook_id }) => `webhook:${webhook_id}`);

export const webhookMeanings: EventMeanings<WebhookEvents> = {
  "webhook.created": {
    audit,
    timeline: ({ webhook_id, user_id, host }, nameOf) => ({
      category: "alert",
      severity: "info",
      title: `${nameOf(user_id)} added a webhook to ${host}`,
      subject: ["webhook", webhook_id],
      link: "/webhooks",
    }),
  },
  "webhook.changed": { audit },
  "webhook.deleted": { audit },
  "webhook.secret_rotated": { audit },
  "webhook.taken_over": { audit },
  "webhook.paused": {
    timeline: ({ webhook_id, host }) =>
      pausedLine(`The webhook to ${host}`, "webhooks", {
        category: "alert",
        subject: ["webhook", webhook_id],
        link: `/webhooks/${webhook_id}`,
      }),
  },
  "webhook.disabled": {
    timeline: ({ webhook_id, url, reason }) => ({
      category: "alert",
      severity: "warning",
      title: `The webhook to ${new URL(url).host} was switched off: ${
        reason === "gone" ? "its receiver is gone for good" : "ten deliveries in a row failed"
      }`,
      subject: ["webhook", webhook_id],
      link: "/webhooks",
      isInbox: true,
    }),
  },
};
