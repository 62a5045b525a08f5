import { type Static, t } from "elysia";
import { Nullable, NullableText } from "../../kernel/http/schema.ts";

/** The service of a node that reads its logs to the panel. */
export const LOG_SERVICE = "logs";

/** Most of the newest lines that a stream begins with. */
export const LOG_LINES_MAX = 5_000;

export const Level = t.Union([t.Literal("debug"), t.Literal("info"), t.Literal("warn"), t.Literal("error")]);

/** Units that a stream may name. */
export const UNITS_MAX = 20;

/** The name of one systemd unit, with or without its kind. */
export const Unit = t.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[A-Za-z0-9:_.@\\\\][A-Za-z0-9:_.@\\\\-]*$",
  description: "must be the name of one systemd unit, such as ssh.service",
});

/** Which lines a panel asks a node for. */
export const LogStreamParams = t.Object({
  source: t.Union([t.Literal("journal"), t.Literal("app")]),
  /** Of the journal: what these wrote; all did where there are none. */
  units: t.Array(Unit, { maxItems: UNITS_MAX }),
  /** The id or the name of an app, where that is the source. */
  app: Nullable(t.String({ minLength: 1, maxLength: 128 })),
  /** This one and worse. */
  level: Nullable(Level),
  /** ISO 8601. */
  since: Nullable(t.String({ maxLength: 40 })),
  /** So long before now, by the node's clock. */
  within_ms: Nullable(t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  lines: t.Integer({ minimum: 0, maximum: LOG_LINES_MAX }),
  follow: t.Boolean(),
  /** A regular expression; capitals do not matter. */
  grep: Nullable(t.String({ minLength: 1, maxLength: 200 })),
});
export type LogStreamParams = Static<typeof LogStreamParams>;

/** One line as it travels. */
export const LogStreamLine = t.Object({
  /** ISO 8601; null for one that has none. */
  ts: NullableText,
  level: Nullable(Level),
  /** Who wrote it: a unit, a program, a service of the app. */
  source: NullableText,
  message: t.String(),
});
export type LogStreamLine = Static<typeof LogStreamLine>;

/** What one frame of such a stream has. */
export const LogStreamBatch = t.Object({ lines: t.Array(LogStreamLine) });
export type LogStreamBatch = Static<typeof LogStreamBatch>;
