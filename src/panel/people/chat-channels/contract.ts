import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id, Name } from "../../schemas.ts";

/** How many rooms a workspace may tell. */
export const CHANNELS_MAX = 10;

/** The kinds of notifications that a room can hear: what concerns one person alone is none of them. */
const Kind = t.Union([
  t.Literal("incident.opened"),
  t.Literal("incident.escalated"),
  t.Literal("node.offline"),
  t.Literal("canary.paused"),
]);

/** How the receiver wants a message: `slack` is also what Mattermost, Rocket.Chat and Google Chat take. */
export const Service = t.Union([t.Literal("slack"), t.Literal("discord"), t.Literal("teams")]);
export type Service = Static<typeof Service>;

const Kinds = t.Array(Kind, { minItems: 1, maxItems: 4, uniqueItems: true });

export const ChatChannel = t.Object({
  id: t.String(),
  name: t.String(),
  service: Service,
  kinds: t.Array(t.String()),
  /** Where it goes, without what is secret of it. */
  host: t.String(),
  sent_at: NullableText,
  /** What went wrong the last time; null where nothing did since a message arrived. */
  last_error: NullableText,
  waiting: t.Integer(),
  /** Messages given up since the last one that arrived. */
  dropped: t.Integer(),
});
export type ChatChannel = Static<typeof ChatChannel>;

const Url = t.String({ minLength: 1, maxLength: 2000 });
export const ChannelInput = t.Object({ name: Name, service: Service, url: Url, kinds: Kinds });
export type ChannelInput = Static<typeof ChannelInput>;
/** Without an address the one that is kept stays. */
export const ChannelChange = t.Object({ name: Name, service: Service, url: t.Optional(Url), kinds: Kinds });
export type ChannelChange = Static<typeof ChannelChange>;

export const fail = defineErrors({
  chat_channel_not_found: [404, "There is no chat channel {id} in this workspace."],
  chat_channel_limit: [409, `A workspace has ${CHANNELS_MAX} chat channels at most. Delete one first.`],
  chat_url_unusable: [422, "Nothing can be sent to this address: {reason}"],
  chat_not_delivered: [502, "The message did not arrive: {reason}"],
});

type OfChannel = PanelEvent & { channel_id: string; name: string };
export type ChatChannelEvents = {
  "chat_channel.add": OfChannel & { host: string };
  "chat_channel.change": OfChannel & { host: string };
  "chat_channel.remove": OfChannel;
};

const read = can("settings:read");
const write = can("settings:write", { ownRole: true });
const Params = t.Object({ id: Id });

export const chatChannelRoutes = defineRoutes({
  "GET /api/chat-channels": { access: read, out: t.Object({ items: t.Array(ChatChannel) }) },
  "POST /api/chat-channels": { access: write, body: ChannelInput, out: ChatChannel },
  "PUT /api/chat-channels/{id}": { access: write, params: Params, body: ChannelChange, out: ChatChannel },
  "DELETE /api/chat-channels/{id}": { access: write, params: Params, ...noContent() },
  /** Sends a message that says what it is, and waits for what the receiver says. */
  "POST /api/chat-channels/{id}/test": { access: write, params: Params, ...noContent() },
});
export type ChatChannelApi = ApiOf<typeof chatChannelRoutes>;
