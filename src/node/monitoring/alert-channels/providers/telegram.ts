import { seconds } from "../../../../lib/duration.ts";
import { escapeHtml } from "../../../../lib/escape-html.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import { TelegramConfig } from "../contract.ts";
import { fitText, headline, plainEntry, type Style } from "./fit.ts";
import { postMessage } from "./post.ts";
import { defineProvider, type SendResult } from "./provider.ts";

/** Characters of a message (core.telegram.org/bots/api#sendmessage). */
const LIMIT = 4_096;
const DEFAULT_API = "https://api.telegram.org";

const RICH: Style = {
  escape: escapeHtml,
  whole: ({ subject, body, note }) =>
    [`<b>${escapeHtml(subject)}</b>`, escapeHtml(body), note && `<i>${escapeHtml(note)}</i>`]
      .filter((part) => part !== "")
      .join("\n"),
  line: ({ subject }) => `• ${escapeHtml(subject)}`,
};
const PLAIN: Style = { escape: (text) => text, whole: plainEntry, line: ({ subject }) => `• ${subject}` };

/** Telegram answers 400 also for a wrong chat, which is no fault of the message. */
const ABOUT_MESSAGE = /can't parse|too long|message text is empty|entit/i;

function readReply(body: string): Partial<SendResult> {
  const reply = parseJson(body);
  if (!isRecord(reply)) return {};
  const description = typeof reply["description"] === "string" ? reply["description"] : "";
  if (reply["ok"] === true) return { provider_message: "ok" };
  const parameters = isRecord(reply["parameters"]) ? reply["parameters"] : {};
  const wait = parameters["retry_after"];
  return {
    provider_message: description || body,
    status: ABOUT_MESSAGE.test(description) ? "refused" : "failed",
    ...(typeof wait === "number" ? { retry_after_ms: seconds(wait) } : {}),
  };
}

/** A bot that writes into a chat. */
export const telegram = defineProvider({
  type: "telegram",
  schema: TelegramConfig,
  secret: {
    name: "bot token",
    isRequired: true,
    check: (token) =>
      /^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(token) ? null : "must be the token that BotFather gave, like 123456:ABC…",
  },
  // One a second to a chat, twenty a minute to a group.
  gapMs: seconds(3),
  example: { chat_id: "1" },
  urls: ({ api_url }) => (api_url === undefined ? [] : [api_url]),
  secretPath: ({ api_url }) => api_url ?? "",
  render(message, { chat_id }) {
    const { text, isCut } = fitText(message, LIMIT, message.isPlain ? PLAIN : RICH);
    const payload = {
      chat_id,
      text,
      ...(message.isPlain ? {} : { parse_mode: "HTML" }),
      link_preview_options: { is_disabled: true },
    };
    return { subject: headline(message), payload: JSON.stringify(payload), isCut };
  },
  send: (ports, { config, secret }, { payload }) =>
    postMessage(
      ports,
      { url: `${(config.api_url ?? DEFAULT_API).replace(/\/+$/, "")}/bot${secret}/sendMessage`, body: payload },
      ({ body }) => readReply(body),
    ),
});
