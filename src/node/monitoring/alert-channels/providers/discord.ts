import { cutText } from "../../../../lib/cut-text.ts";
import { seconds } from "../../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import { HookConfig, type NoticeKind, type Severity } from "../contract.ts";
import { fitText, headline, plainEntry, type Style } from "./fit.ts";
import { checkSecretUrl, postMessage } from "./post.ts";
import { defineProvider, type Entry, type Message, type SendResult } from "./provider.ts";

/** Characters, from Discord's reference of messages and embeds. */
const CONTENT_LIMIT = 2_000;
const TITLE_LIMIT = 256;
const DESCRIPTION_LIMIT = 4_096;
const EMBEDS_LIMIT = 6_000;
const MAX_EMBEDS = 10;

const RED = 0xd64545;
const AMBER = 0xd99a2b;
const BLUE = 0x4a7fd6;
const GREEN = 0x3f9d63;
const COLOURS: Record<Severity, number> = { critical: RED, warning: AMBER, info: BLUE };
const colourOf = (kind: NoticeKind, severity: Severity): number => (kind === "resolved" ? GREEN : COLOURS[severity]);

/** Markdown taken literally; addresses stay whole, a backslash inside would break them. */
const escapeMarkdown = (text: string): string =>
  text.replace(/https?:\/\/[^\s<>()[\]]+|[\\*_~`|>#[\]<@-]/g, (found) => (found.length > 1 ? found : `\\${found}`));

const LINES: Style = {
  escape: escapeMarkdown,
  whole: plainEntry,
  line: ({ subject }) => `• ${escapeMarkdown(subject)}`,
};
const PLAIN: Style = { escape: (text) => text, whole: plainEntry, line: ({ subject }) => `• ${subject}` };
const ALWAYS = { allowed_mentions: { parse: [] } };

function embedOf({ kind, notice, subject, body, note }: Entry) {
  const text = [body, note].filter((part) => part !== "").join("\n");
  return {
    title: escapeMarkdown(cutText(subject, 120)).slice(0, TITLE_LIMIT),
    description: cutText(escapeMarkdown(text), DESCRIPTION_LIMIT),
    color: colourOf(kind, notice.severity),
  };
}

function renderRich(message: Message) {
  const embeds = message.entries.slice(0, MAX_EMBEDS).map(embedOf);
  const size = embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0);
  if (message.entries.length > MAX_EMBEDS || size > EMBEDS_LIMIT) return null;
  const content = embeds.length > 1 ? cutText(escapeMarkdown(headline(message)), CONTENT_LIMIT) : "";
  return JSON.stringify({ content, embeds, ...ALWAYS });
}

function readReply(body: string): Partial<SendResult> {
  const reply = parseJson(body);
  if (!isRecord(reply)) return {};
  const wait = reply["retry_after"];
  const text = typeof reply["message"] === "string" ? reply["message"] : null;
  const id = typeof reply["id"] === "string" ? `message ${reply["id"]}` : null;
  return {
    provider_message: text ?? id ?? body,
    ...(typeof wait === "number" ? { retry_after_ms: Math.ceil(seconds(wait)) } : {}),
  };
}

/** A webhook of a Discord channel. */
export const discord = defineProvider({
  type: "discord",
  schema: HookConfig,
  secret: { name: "webhook address", isRequired: true, check: checkSecretUrl },
  // Thirty a minute.
  gapMs: seconds(2),
  example: {},
  urls: (_, secret) => (secret === null ? [] : [secret]),
  secretPath: () => "",
  render(message) {
    const rich = message.isPlain ? null : renderRich(message);
    if (rich !== null) return { subject: headline(message), payload: rich, isCut: false };
    const { text, isCut } = fitText(message, CONTENT_LIMIT, message.isPlain ? PLAIN : LINES);
    return { subject: headline(message), payload: JSON.stringify({ content: text, ...ALWAYS }), isCut };
  },
  send(ports, { secret }, { payload }) {
    const url = new URL(secret ?? "");
    // Without it Discord answers before it has looked at the message.
    url.searchParams.set("wait", "true");
    return postMessage(ports, { url: url.href, body: payload }, ({ body }) => readReply(body));
  },
});
