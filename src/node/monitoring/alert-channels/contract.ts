import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";

export const NOTICE_KINDS = ["fired", "resolved", "reminder", "flapping"] as const;
export const CHANNEL_TYPES = ["email", "telegram", "slack", "discord", "webhook"] as const;

export const NoticeKind = t.Union([
  t.Literal("fired"),
  t.Literal("resolved"),
  t.Literal("reminder"),
  t.Literal("flapping"),
]);
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export const ChannelType = t.Union([
  t.Literal("email"),
  t.Literal("telegram"),
  t.Literal("slack"),
  t.Literal("discord"),
  t.Literal("webhook"),
]);
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export const Severity = t.Union([t.Literal("info"), t.Literal("warning"), t.Literal("critical")]);
export type Severity = Static<typeof Severity>;

/** What is told about one alert. Texts are for people; numbers are in `unit`, times ISO UTC. */
export const Notice = t.Object({
  event_id: t.String(),
  /** Type of the rule, or what happened, for example `app_crashed`. */
  type: t.String(),
  rule_id: NullableText,
  rule_name: t.String(),
  severity: Severity,
  /** What it is about, for machines: `host`, `app:app_01…`, `disk:sda`. */
  entity: t.String(),
  /** The same for people. */
  entity_name: t.String(),
  metric: NullableText,
  value: NullableNumber,
  threshold: NullableNumber,
  unit: NullableText,
  message: t.String(),
  started_at: t.String(),
  resolved_at: NullableText,
  /** Worst value of the episode so far. */
  peak: NullableNumber,
  duration_seconds: NullableNumber,
  /** With the first word of a fire: what was done to the same app or server in the hour before. */
  changes: t.Optional(t.String()),
});
export type Notice = Static<typeof Notice>;

/** What to tell and to whom; `all` means every channel that is switched on. */
export interface NoticeRequest {
  kind: NoticeKind;
  notice: Notice;
  channel_ids: readonly string[] | "all";
}

/** The description is what people are told about a value that does not fit. */
const Host = t.String({
  minLength: 1,
  maxLength: 253,
  pattern: "^[A-Za-z0-9._:-]+$",
  description: "must be a name such as mail.example.org, or an address",
});
const Address = t.String({
  minLength: 3,
  maxLength: 254,
  pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$",
  description: "must be an address such as mara@example.org",
});
const WebUrl = t.String({
  minLength: 8,
  maxLength: 2_048,
  pattern: "^https?://\\S+$",
  description: "must be an address that begins with https:// or http://",
});

export const EmailConfig = t.Object({
  host: Host,
  port: t.Integer({ minimum: 1, maximum: 65_535 }),
  /** `starttls` demands the upgrade, `tls` begins encrypted (port 465), `none` is plain. */
  security: t.Union([t.Literal("starttls"), t.Literal("tls"), t.Literal("none")]),
  /** False accepts any certificate, for mail servers of one's own network. */
  verify_certificate: t.Optional(t.Boolean()),
  /** Empty sends without signing in. */
  user: t.Optional(t.String({ maxLength: 254 })),
  from: Address,
  to: t.Array(Address, { minItems: 1, maxItems: 20 }),
});
export type EmailConfig = Static<typeof EmailConfig>;

export const TelegramConfig = t.Object({
  /** Number of a chat or group, or `@name` of a channel. */
  chat_id: t.String({
    pattern: "^(-?\\d{1,20}|@[A-Za-z0-9_]{4,64})$",
    description: "must be a number such as -1001234567890, or @name",
  }),
  /** Address of a Bot API server of one's own. */
  api_url: t.Optional(WebUrl),
});
export type TelegramConfig = Static<typeof TelegramConfig>;

/** Slack and Discord: all there is to know is in the secret address. */
export const HookConfig = t.Object({});

export const WebhookConfig = t.Object({ url: WebUrl });
export type WebhookConfig = Static<typeof WebhookConfig>;

const ChannelConfig = t.Union([EmailConfig, TelegramConfig, WebhookConfig, HookConfig]);
const Name = NameText(64);
/** Password, bot token, address of the incoming webhook, or signing secret, by type. Never comes back. */
const Secret = t.String({ minLength: 1, maxLength: 2_048 });

export const ChannelInput = t.Object({
  name: Name,
  type: ChannelType,
  enabled: t.Optional(t.Boolean()),
  config: t.Optional(t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 20 })),
  secret: t.Optional(Secret),
});
export type ChannelInput = Static<typeof ChannelInput>;

/** Fields that are left out stay; `secret: null` takes it away. */
export const ChannelChange = t.Object({
  name: t.Optional(Name),
  enabled: t.Optional(t.Boolean()),
  config: t.Optional(t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 20 })),
  secret: t.Optional(Nullable(Secret)),
});
export type ChannelChange = Static<typeof ChannelChange>;

export const ChannelState = t.Union([
  t.Literal("unused"),
  t.Literal("working"),
  t.Literal("failing"),
  t.Literal("off"),
  /** Its maker may not have channels any more: an admin takes it over or deletes it. */
  t.Literal("paused"),
]);

export const Channel = t.Object({
  id: t.String(),
  name: t.String(),
  type: ChannelType,
  enabled: t.Boolean(),
  config: ChannelConfig,
  has_secret: t.Boolean(),
  state: ChannelState,
  /** First of the failures without a success since. */
  failing_since: NullableText,
  last_delivery_at: NullableText,
  /** The provider's words on the latest failure, null when it works. */
  last_error: NullableText,
  /** Notices that wait to be delivered. */
  queued: t.Integer(),
  created_at: t.String(),
});
export type Channel = Static<typeof Channel>;

const ChannelParams = t.Object({ id: t.String({ maxLength: 64 }) });

export const DeliveryStatus = t.Union([
  t.Literal("sending"),
  t.Literal("delivered"),
  t.Literal("failed"),
  t.Literal("interrupted"),
]);

/** One attempt to deliver one message, which may carry several notices. */
export const Delivery = t.Object({
  id: t.String(),
  channel_id: t.String(),
  channel_name: t.String(),
  channel_type: ChannelType,
  events: t.Array(t.Object({ event_id: t.String(), kind: NoticeKind })),
  /** Counted from the channel's last success. */
  attempt: t.Integer(),
  status: DeliveryStatus,
  /** What the provider answered: an HTTP status or an SMTP reply code. */
  code: Nullable(t.Integer()),
  latency_ms: Nullable(t.Integer()),
  provider_text: t.String(),
  /** True when formatting was left out because the provider refused it. */
  plain: t.Boolean(),
  test: t.Boolean(),
  at: t.String(),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryQuery = t.Object({
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  /** Id of the last delivery of the page before. */
  cursor: t.Optional(t.String({ maxLength: 64 })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

const EventDeliveryQuery = t.Object({ event_id: t.String({ minLength: 1, maxLength: 64 }) });

/** What came of pressing the test button. */
export const TestResult = t.Object({
  ok: t.Boolean(),
  code: Nullable(t.Integer()),
  provider_text: t.String(),
  latency_ms: t.Integer(),
  delivery_id: t.String(),
});
export type TestResult = Static<typeof TestResult>;

const TemplateText = { subject: t.String({ minLength: 1, maxLength: 500 }), body: t.String({ maxLength: 4_000 }) };

export const Template = t.Object({
  kind: NoticeKind,
  channel_type: ChannelType,
  ...TemplateText,
  /** False for the text that Orrery brings. */
  is_custom: t.Boolean(),
});
export type Template = Static<typeof Template>;

export const TemplateList = t.Object({
  variables: t.Array(t.Object({ name: t.String(), meaning: t.String() })),
  templates: t.Array(Template),
  /** Events that were told lately, to preview with; the newest first. */
  recent_events: t.Array(t.Object({ event_id: t.String(), title: t.String() })),
});
export type TemplateList = Static<typeof TemplateList>;

/** Replaces one text; without subject and body the one that Orrery brings comes back. */
export const TemplateInput = t.Object({
  kind: NoticeKind,
  channel_type: ChannelType,
  subject: t.Optional(TemplateText.subject),
  body: t.Optional(TemplateText.body),
});
export type TemplateInput = Static<typeof TemplateInput>;

export const PreviewInput = t.Object({
  kind: NoticeKind,
  channel_type: ChannelType,
  /** Left out: the text in force. */
  subject: t.Optional(TemplateText.subject),
  body: t.Optional(TemplateText.body),
  /** A real event that was told before; left out: a made-up one. */
  event_id: t.Optional(t.String({ maxLength: 64 })),
});
export type PreviewInput = Static<typeof PreviewInput>;

export const Preview = t.Object({
  subject: t.String(),
  body: t.String(),
  /** What goes over the wire, as the provider takes it. */
  payload: t.String(),
  is_cut: t.Boolean(),
});
export type Preview = Static<typeof Preview>;

export const fail = defineErrors({
  channel_not_found: [404, "There is no alert channel {id}. It may have been deleted; load the list again."],
  channel_paused: [
    409,
    "{name} is paused, because its maker may not have alert channels any more. Take it over, or delete it.",
  ],
  channel_name_taken: [409, "There is a channel called {name} already. Give this one another name."],
  channel_limit: [409, "There can be {limit} alert channels. Delete one first."],
  channel_secret_missing: [400, "A channel of type {type} needs its {secret} in the field secret."],
  key_cannot_lead_channel: [
    403,
    "An API key cannot say where a channel sends: that would go on when the key has ended. Leave out config and secret, or sign in and do it there.",
  ],
  channel_secret_again: [
    400,
    "Enter the {secret} again: the stored one is not sent to another place than the one it was entered for.",
  ],
  delivery_cursor_unknown: [400, "There is no delivery {cursor} to go on from."],
  template_variable_unknown: [400, "There is no variable {variable}. Known are {known}."],
  notice_not_found: [404, "Nothing was told about event {event_id} yet, so it cannot be previewed."],
});

type ChannelActor = { user_id: string; channel_id: string; name: string; type: ChannelType; ip: string };

export type AlertChannelEvents = {
  "channel.created": ChannelActor;
  "channel.changed": ChannelActor & { fields: string[] };
  "channel.deleted": ChannelActor;
  "channel.taken_over": ChannelActor;
  /** Its maker may not have it any more. */
  "channel.paused": { channel_id: string; name: string };
  "channel.tested": ChannelActor & { ok: boolean };
  /** Three attempts in a row failed. */
  "channel.failing": {
    channel_id: string;
    name: string;
    type: ChannelType;
    failing_since: string;
    error: string;
    queued: number;
  };
  "channel.recovered": { channel_id: string; name: string; type: ChannelType; failing_since: string };
  "channel.template_changed": {
    user_id: string;
    kind: NoticeKind;
    channel_type: ChannelType;
    is_custom: boolean;
    ip: string;
  };
};

const read = user("alerts");
const change = admin("alerts");
/** A channel goes on sending when the key that would have made it, or led it elsewhere, has ended. */
const byPeople = admin("alerts", { keys: "never" });

export const alertChannelRoutes = defineRoutes({
  "GET /api/alerting/channels": { access: read, out: t.Array(Channel) },
  "POST /api/alerting/channels": { access: byPeople, body: ChannelInput, out: Channel },
  "GET /api/alerting/channels/{id}": { access: read, params: ChannelParams, out: Channel },
  "PUT /api/alerting/channels/{id}": {
    access: admin("alerts", { keys: "bounded" }),
    params: ChannelParams,
    body: ChannelChange,
    out: Channel,
  },
  "DELETE /api/alerting/channels/{id}": {
    access: change,
    params: ChannelParams,
    out: t.Object({ message: t.String() }),
  },
  "POST /api/alerting/channels/{id}/take-over": {
    access: byPeople,
    params: ChannelParams,
    out: Channel,
  },
  "POST /api/alerting/channels/{id}/test": { access: change, params: ChannelParams, out: TestResult },
  "GET /api/alerting/channels/{id}/deliveries": {
    access: read,
    params: ChannelParams,
    query: DeliveryQuery,
    out: t.Array(Delivery),
  },
  "GET /api/alerting/deliveries": { access: read, query: EventDeliveryQuery, out: t.Array(Delivery) },
  "GET /api/alerting/templates": { access: read, out: TemplateList },
  "PUT /api/alerting/templates": { access: change, body: TemplateInput, out: Template },
  "POST /api/alerting/templates/preview": { access: read, body: PreviewInput, out: Preview },
});
export type AlertChannelApi = ApiOf<typeof alertChannelRoutes>;
