import type { Routes } from "../../client/routes.ts";

/** A room of a chat that is told things. */
export type ChatChannel = Routes["GET /api/chat-channels"]["out"]["items"][number];
/** What can be chosen about one. */
export type ChannelInput = Routes["POST /api/chat-channels"]["in"];
