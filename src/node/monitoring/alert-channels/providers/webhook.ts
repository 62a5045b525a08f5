import { createHmac } from "node:crypto";
import { cutText } from "../../../../lib/cut-text.ts";
import { WebhookConfig } from "../contract.ts";
import { headline, plainEntry } from "./fit.ts";
import { postMessage } from "./post.ts";
import { defineProvider } from "./provider.ts";

const MAX_TEXT = 4_000;

/** Any program that takes JSON: all notices with their figures, signed when there is a secret. */
export const webhook = defineProvider({
  type: "webhook",
  schema: WebhookConfig,
  secret: {
    name: "signing secret",
    isRequired: false,
    check: (secret) => (secret.length >= 8 ? null : "must have at least 8 characters"),
  },
  gapMs: 0,
  example: { url: "https://example.org/hook" },
  urls: ({ url }) => [url],
  // Only a signature made with it travels.
  secretPath: () => "",
  render(message) {
    const { entries, key, server, sent_at } = message;
    const text = cutText(entries.map(plainEntry).join("\n\n"), MAX_TEXT);
    const notices = entries.map(({ kind, kinds, notice, subject, note }) => ({
      kind,
      kinds,
      subject,
      note,
      ...notice,
    }));
    const payload = { id: key, server, sent_at, subject: headline(message), text, notices };
    return { subject: headline(message), payload: JSON.stringify(payload), isCut: false };
  },
  send(ports, { config, secret, key }, { payload }) {
    const signature = secret === null ? null : createHmac("sha256", secret).update(payload).digest("hex");
    const headers = {
      "x-orrery-message-id": key,
      ...(signature === null ? {} : { "x-service-signature": `sha256=${signature}` }),
    };
    return postMessage(ports, { url: config.url, body: payload, headers });
  },
});
