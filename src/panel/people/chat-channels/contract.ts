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

/** The least that a room hears; those kinds are never less than a warning. */
export const LeastSeverity = t.Union([t.Literal("warning"), t.Literal("critical")]);
export type LeastSeverity = Static<typeof LeastSeverity>;
const Least = t.Optional(LeastSeverity);

const Kinds = t.Array(Kind, { minItems: 1, maxItems: 4, uniqueItems: true });

export const ChatChannel = t.Object({
  id: t.String(),
  name: t.String(),
  service: Service,
  kinds: t.Array(t.String()),
  least_severity: LeastSeverity,
  /** Where it goes, without what is secret of it. */
  host: t.String(),
  sent_at: NullableText,
  /** What went wrong the last time; null where nothing did since a message arrived. */
  last_error: NullableText,
  waiting: t.Integer(),
  /** Messages given up since the last one that arrived. */
  dropped: t.Integer(),
  /** Since when nothing is sent any more, because nothing has arrived for days; null while it is. A test that arrives turns it on again. */
  off_at: NullableText,
  /** Nothing is sent, because its maker may not have chat channels any more: who may takes it over or deletes it. */
  paused: t.Boolean(),
});
export type ChatChannel = Static<typeof ChatChannel>;

const Url = t.String({ minLength: 1, maxLength: 2000 });
export const ChannelInput = t.Object({ name: Name, service: Service, url: Url, kinds: Kinds, least_severity: Least });
export type ChannelInput = Static<typeof ChannelInput>;
/** Without an address the one that is kept stays. One that was switched off is on again. */
export const ChannelChange = t.Object({
  ...{ name: Name, service: Service, url: t.Optional(Url) },
  ...{ kinds: Kinds, least_severity: Least },
});
export type ChannelChange = Static<typeof ChannelChange>;

export const fail = defineErrors({
  chat_channel_not_found: [404, "There is no chat channel {id} in this workspace."],
  chat_channel_limit: [409, `A workspace has ${CHANNELS_MAX} chat channels at most. Delete one first.`],
  chat_channel_paused: [
    409,
    "{name} is paused, because its maker may not have chat channels any more. Take it over, or delete it.",
  ],
  chat_url_unusable: [422, "Nothing can be sent to this address: {reason}"],
  chat_not_delivered: [502, "The message did not arrive: {reason}"],
});

type OfChannel = PanelEvent & { channel_id: string; name: string };
export type ChatChannelEvents = {
  "chat_channel.add": OfChannel & { host: string };
  "chat_channel.change": OfChannel & { host: string };
  "chat_channel.remove": OfChannel;
  "chat_channel.take_over": OfChannel;
  /** Nothing is sent there, because whoever answers for it may not have it any more. */
  "chat_channel.pause": OfChannel;
  /** Nothing has arrived there for days, so nothing is sent any more; `reason` is what the last try said. */
  "chat_channel.off": OfChannel & { reason: string };
};

// Who sees where messages go, and why they do not arrive, is whoever can do something about it.
const manage = can("settings:write", { ownRole: true });
const Params = t.Object({ id: Id });

export const chatChannelRoutes = defineRoutes({
  "GET /api/chat-channels": { access: manage, out: t.Object({ items: t.Array(ChatChannel) }) },
  "POST /api/chat-channels": { access: manage, body: ChannelInput, out: ChatChannel },
  "PUT /api/chat-channels/{id}": { access: manage, params: Params, body: ChannelChange, out: ChatChannel },
  "DELETE /api/chat-channels/{id}": { access: manage, params: Params, ...noContent() },
  /** Makes the caller answer for it, so that it is told again. */
  "POST /api/chat-channels/{id}/take-over": { access: manage, params: Params, out: ChatChannel },
  /** Sends a message that says what it is, and waits for what the receiver says. */
  "POST /api/chat-channels/{id}/test": { access: manage, params: Params, ...noContent() },
});
export type ChatChannelApi = ApiOf<typeof chatChannelRoutes>;
