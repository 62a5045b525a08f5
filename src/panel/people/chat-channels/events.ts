import type { EventMeanings } from "../../event-meaning.ts";
import type { ChatChannelEvents } from "./contract.ts";

/** What changes of chat channels mean. */
export const chatChannelMeanings: EventMeanings<ChatChannelEvents> = {
  "chat_channel.add": { audit: ({ channel_id, name, host }) => ({ subject_id: channel_id, details: { name, host } }) },
  "chat_channel.change": {
    audit: ({ channel_id, name, host }) => ({ subject_id: channel_id, details: { name, host } }),
  },
  "chat_channel.remove": { audit: ({ channel_id, name }) => ({ subject_id: channel_id, details: { name } }) },
};
