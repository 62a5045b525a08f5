import { cutText } from "../../../lib/cut-text.ts";
import { type Language, typeset } from "../../languages.ts";
import type { Service } from "./contract.ts";
import { CHAT_WORDS } from "./words.ts";

/** One thing that a message tells. */
export interface Told {
  title: string;
  body: string;
  /** The whole address of the page; empty where the panel does not know its own. */
  url: string;
}

/** The workspace that tells, and the language that it speaks. */
export interface Speaker {
  name: string;
  language: Language;
}

const LINES_MAX = 20;
/** The smallest limit of the three is Discord's. */
const TEXT_MAX = 1_900;

/** What nobody sees, between characters that would mean something together. */
const BREAK = "\u200b";

/** Mattermost and Rocket.Chat, which take the same form, call people by plain words and know links of Markdown besides. */
const escapeSlack = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", `@${BREAK}`)
    .replaceAll("](", `]${BREAK}(`);
/** Markdown taken literally; addresses stay whole. */
const escapeMarkdown = (text: string): string =>
  text.replace(/https?:\/\/[^\s<>()[\]]+|[\\*_~`|>#[\]<@-]/g, (found) => (found.length > 1 ? found : `\\${found}`));

const lineOf = ({ title, body, url }: Told, language: Language, quote: (text: string) => string): string => {
  const words = [cutText(title, 200), cutText(body, 400)]
    .filter((part) => part !== "")
    .map((part) => quote(typeset(language, part)));
  return [...words, ...(url === "" ? [] : [url])].join("\n");
};

/** As many of them as fit, and how many are left out, with how many were too old to be told. */
function textOf(
  { name, language }: Speaker,
  { told, old }: { told: readonly Told[]; old: number },
  quote: (text: string) => string,
): string {
  const head = quote(cutText(name, 100));
  const parts: string[] = [];
  let room = TEXT_MAX - head.length;
  for (const one of told.slice(0, LINES_MAX)) {
    const line = lineOf(one, language, quote);
    if (parts.length > 0 && line.length + 2 > room) break;
    room -= line.length + 2;
    parts.push(line);
  }
  const left = told.length - parts.length;
  const { more, tooOld } = CHAT_WORDS[language];
  return [head, ...parts, ...(left > 0 ? [more(left)] : []), ...(old > 0 ? [tooOld(old)] : [])].join("\n\n");
}

/** A message as the service takes it; `old` things came too late to be told. Nobody is called by it, whatever names stand in the text. */
export function renderMessage(service: Service, speaker: Speaker, told: readonly Told[], old = 0): string {
  const text = (quote: (text: string) => string): string => textOf(speaker, { told, old }, quote);
  if (service === "slack") return JSON.stringify({ text: text(escapeSlack), unfurl_links: false, unfurl_media: false });
  if (service === "discord") return JSON.stringify({ content: text(escapeMarkdown), allowed_mentions: { parse: [] } });
  const block = { type: "TextBlock", wrap: true, text: text(escapeMarkdown) };
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    ...{ type: "AdaptiveCard", version: "1.4", body: [block] },
  };
  return JSON.stringify({
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
  });
}
