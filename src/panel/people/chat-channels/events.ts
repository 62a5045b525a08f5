import type { EventMeanings } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { ChatChannelEvents } from "./contract.ts";
import { CHAT_WORDS } from "./words.ts";

/** What changes of chat channels mean. */
export const chatChannelMeanings: EventMeanings<ChatChannelEvents> = {
  "chat_channel.add": { audit: ({ channel_id, name, host }) => ({ subject_id: channel_id, details: { name, host } }) },
  "chat_channel.change": {
    audit: ({ channel_id, name, host }) => ({ subject_id: channel_id, details: { name, host } }),
  },
  "chat_channel.off": {
    audit: ({ channel_id, name, reason }) => ({ subject_id: channel_id, details: { name, reason } }),
    notice: ({ name, reason }) => ({
      kind: "chat_channel.off",
      severity: "warning",
      words: inEach((language) => CHAT_WORDS[language].off(name, reason.replace(/\.?$/, "."))),
      link: "/settings",
      to: { permission: "settings:write" },
    }),
  },
  "chat_channel.pause": {
    audit: ({ channel_id, name }) => ({ subject_id: channel_id, details: { name } }),
    notice: ({ name }) => ({
      kind: "chat_channel.paused",
      severity: "warning",
      words: inEach((language) => CHAT_WORDS[language].paused(name)),
      link: "/settings",
      to: { permission: "settings:write" },
    }),
  },
  "chat_channel.take_over": { audit: ({ channel_id, name }) => ({ subject_id: channel_id, details: { name } }) },
  "chat_channel.remove": { audit: ({ channel_id, name }) => ({ subject_id: channel_id, details: { name } }) },
};
