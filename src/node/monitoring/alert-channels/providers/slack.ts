import { seconds } from "../../../../lib/duration.ts";
import { HookConfig } from "../contract.ts";
import { fitText, headline, plainEntry, type Style } from "./fit.ts";
import { checkSecretUrl, postMessage } from "./post.ts";
import { defineProvider } from "./provider.ts";

/** Beyond this Slack cuts a message itself. */
const LIMIT = 4_000;

const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Stars and line breaks would end the bold text early. */
const bold = (text: string): string => `*${escapeSlack(text.replaceAll("*", "∗"))}*`;

const RICH: Style = {
  escape: escapeSlack,
  whole: ({ subject, body, note }) =>
    [bold(subject), escapeSlack(body), note && `_${escapeSlack(note)}_`].filter((part) => part !== "").join("\n"),
  line: ({ subject }) => `• ${escapeSlack(subject)}`,
};
/** `&`, `<` and `>` steer Slack's reader in plain messages too. */
const PLAIN: Style = { ...RICH, whole: (entry) => escapeSlack(plainEntry(entry)) };

/** An incoming webhook of Slack, or of a server that takes the same messages, such as Mattermost. */
export const slack = defineProvider({
  type: "slack",
  schema: HookConfig,
  secret: { name: "incoming webhook address", isRequired: true, check: checkSecretUrl },
  gapMs: seconds(1),
  example: {},
  urls: (_, secret) => (secret === null ? [] : [secret]),
  secretPath: () => "",
  render(message) {
    const { text, isCut } = fitText(message, LIMIT, message.isPlain ? PLAIN : RICH);
    const payload = { text, mrkdwn: !message.isPlain, unfurl_links: false, unfurl_media: false };
    return { subject: headline(message), payload: JSON.stringify(payload), isCut };
  },
  send: (ports, { secret }, { payload }) => postMessage(ports, { url: secret ?? "", body: payload }),
});
