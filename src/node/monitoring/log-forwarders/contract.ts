import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

export const FORWARDER_KINDS = ["syslog", "loki", "http"] as const;
export type ForwarderKind = (typeof FORWARDER_KINDS)[number];
const Kind = t.Union([t.Literal("syslog"), t.Literal("loki"), t.Literal("http")]);

export const Level = t.Union([t.Literal("debug"), t.Literal("info"), t.Literal("warn"), t.Literal("error")]);
export type Level = Static<typeof Level>;

/** Whose lines go out: the system and all containers, or one of the two. */
export const Sources = t.Union([t.Literal("all"), t.Literal("system"), t.Literal("containers")]);
export type Sources = Static<typeof Sources>;

/** The description is what people are told about a value that does not fit. */
const Host = t.String({
  minLength: 1,
  maxLength: 253,
  pattern: "^[A-Za-z0-9._:-]+$",
  description: "must be a name such as logs.example.org, or an address",
});
const WebUrl = t.String({
  minLength: 8,
  maxLength: 2_048,
  pattern: "^https?://[^\\s@]+$",
  description: "must be an address that begins with http:// or https://, without a user name",
});
/** Certificates to trust instead of those that the system trusts. */
const Authority = t.String({
  maxLength: 16_384,
  pattern: "^\\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s-]+-----END CERTIFICATE-----\\s*$",
  description: "must be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----",
});
const ca = t.Optional(Authority);

export const SyslogConfig = t.Object({
  host: Host,
  port: t.Integer({ minimum: 1, maximum: 65_535 }),
  transport: t.Union([t.Literal("udp"), t.Literal("tcp"), t.Literal("tls")]),
  ca,
});
export type SyslogConfig = Static<typeof SyslogConfig>;

export const LokiConfig = t.Object({
  /** Of the server, or of its push route. */
  url: WebUrl,
  /** With one the secret is its password (Basic), without it is a token (Bearer). */
  user: t.Optional(
    t.String({
      maxLength: 200,
      pattern: "^[\\x20-\\x39\\x3b-\\x7e]*$",
      description: "must be plain text without a colon",
    }),
  ),
  /** `X-Scope-OrgID`. */
  tenant: t.Optional(
    t.String({
      maxLength: 150,
      pattern: "^[A-Za-z0-9!._*'()-]*$",
      description: "must be letters, digits and ! . _ * ' ( ) -",
    }),
  ),
  ca,
});
export type LokiConfig = Static<typeof LokiConfig>;

export const HttpConfig = t.Object({
  url: WebUrl,
  /** The header that the secret travels in; `Authorization` when left out. */
  header: t.Optional(
    t.String({
      maxLength: 100,
      pattern: "^[A-Za-z][A-Za-z0-9-]*$",
      description: "must be the name of a header such as X-Api-Key",
    }),
  ),
  ca,
});
export type HttpConfig = Static<typeof HttpConfig>;

const ForwarderConfig = t.Union([SyslogConfig, LokiConfig, HttpConfig]);
const GivenConfig = t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 10 });
/** Password, token or the whole value of a header, by kind. Never comes back. */
const Secret = t.String({
  minLength: 1,
  maxLength: 2_048,
  pattern: "^[\\x20-\\x7e]+$",
  description: "must be one line of plain text",
});
const Name = NameText(80);

export const ForwarderInput = t.Object({
  name: Name,
  kind: Kind,
  enabled: t.Optional(t.Boolean()),
  config: GivenConfig,
  secret: t.Optional(Secret),
  sources: t.Optional(Sources),
  /** This level and worse; null for every line. */
  min_level: t.Optional(Nullable(Level)),
});
export type ForwarderInput = Static<typeof ForwarderInput>;

/** Fields that are left out stay; `secret: null` takes it away. */
export const ForwarderChange = t.Object({
  name: t.Optional(Name),
  enabled: t.Optional(t.Boolean()),
  config: t.Optional(GivenConfig),
  secret: t.Optional(Nullable(Secret)),
  sources: t.Optional(Sources),
  min_level: t.Optional(Nullable(Level)),
});
export type ForwarderChange = Static<typeof ForwarderChange>;

export const Forwarder = t.Object({
  id: t.String(),
  name: t.String(),
  kind: Kind,
  enabled: t.Boolean(),
  config: ForwarderConfig,
  has_secret: t.Boolean(),
  sources: Sources,
  min_level: Nullable(Level),
  /**
   * Containers that it takes nothing from: they receive it on this server, or are of one app with what does, and would print its lines for
   * ever.
   */
  kept_out: t.Array(t.String()),
  /** `idle` until the first line is taken; `paused` while its maker may not have it: an admin takes it over or deletes it. */
  state: t.Union([
    t.Literal("idle"),
    t.Literal("working"),
    t.Literal("failing"),
    t.Literal("off"),
    t.Literal("paused"),
  ]),
  /** Lines that were taken there, since it was added. */
  sent: t.Integer(),
  /** Lines that wait on disk, and their bytes. */
  waiting: t.Integer(),
  waiting_bytes: t.Integer(),
  /** Most bytes that may wait before the oldest lines are dropped. */
  waiting_limit_bytes: t.Integer(),
  /** Lines that were lost, since it was added; why and when the last were. */
  dropped: t.Integer(),
  dropped_why: NullableText,
  dropped_at: NullableText,
  /** First of the failures without a success since. */
  failing_since: NullableText,
  /** What the other side said to the latest failure; null while it works. */
  last_error: NullableText,
  /** When it is tried again; null while it works. */
  next_attempt_at: NullableText,
  last_sent_at: NullableText,
  created_at: t.String(),
});
export type Forwarder = Static<typeof Forwarder>;

/** What came of sending one line. */
export const ForwarderTest = t.Object({
  ok: t.Boolean(),
  /** Status of the answer, where there are such. */
  code: Nullable(t.Integer()),
  /** What came back, or what went wrong. */
  words: t.String(),
  latency_ms: t.Integer(),
});
export type ForwarderTest = Static<typeof ForwarderTest>;

const Params = t.Object({ id: t.String({ maxLength: 64 }) });

export const fail = defineErrors({
  log_forwarder_not_found: [404, "There is no log forwarder {id}. It may have been deleted; load the list again."],
  log_forwarder_paused: [
    409,
    "{name} is paused, because its maker may not have log forwarders any more. Take it over, or delete it.",
  ],
  log_forwarder_name_taken: [409, "There is a log forwarder called {name} already. Give this one another name."],
  log_forwarder_limit: [409, "There can be {limit} log forwarders. Delete one first."],
  key_cannot_lead_forwarder: [
    403,
    "An API key cannot say where a log forwarder sends: that would go on when the key has ended. Leave out config and secret, or sign in and do it there.",
  ],
  log_forwarder_secret_again: [
    400,
    "Enter the secret again: the stored one is not sent to another place than the one it was entered for.",
  ],
});

type ByAdmin = { user_id: string; forwarder_id: string; name: string; kind: ForwarderKind; ip: string };

export type LogForwarderEvents = {
  "log_forwarder.created": ByAdmin;
  "log_forwarder.changed": ByAdmin & { fields: string[] };
  "log_forwarder.deleted": ByAdmin & { waiting: number };
  "log_forwarder.taken_over": ByAdmin;
  /** Its maker may not have it any more. */
  "log_forwarder.paused": { forwarder_id: string; name: string };
  "log_forwarder.tested": ByAdmin & { ok: boolean };
  /** Nothing got through for an hour. */
  "log_forwarder.failing": {
    forwarder_id: string;
    name: string;
    failing_since: string;
    error: string;
    waiting: number;
  };
  "log_forwarder.recovered": { forwarder_id: string; name: string; failing_since: string };
  /** Lines were lost; at most once an hour, with all since the last time. */
  "log_forwarder.dropped": { forwarder_id: string; name: string; lines: number; why: string };
};

/** Keys of one scope are not enough: what is forwarded spans the system and all apps, as where all logs are read. */
const rule = admin();
/** A forwarder goes on sending when the key that would have made it, or led it elsewhere, has ended. */
const byPeople = admin(null, { keys: "never" });

export const logForwarderRoutes = defineRoutes({
  "GET /api/log-forwarders": { access: rule, out: t.Array(Forwarder) },
  "POST /api/log-forwarders": { access: byPeople, body: ForwarderInput, out: Forwarder },
  "PUT /api/log-forwarders/{id}": {
    access: admin(null, { keys: "bounded" }),
    params: Params,
    body: ForwarderChange,
    out: Forwarder,
  },
  "DELETE /api/log-forwarders/{id}": { access: rule, params: Params, out: t.Object({ message: t.String() }) },
  "POST /api/log-forwarders/{id}/take-over": {
    access: byPeople,
    params: Params,
    out: Forwarder,
  },
  "POST /api/log-forwarders/{id}/test": { access: rule, params: Params, out: ForwarderTest },
});
export type LogForwarderApi = ApiOf<typeof logForwarderRoutes>;
