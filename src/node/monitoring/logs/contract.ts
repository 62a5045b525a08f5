import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

const Level = t.Union([t.Literal("debug"), t.Literal("info"), t.Literal("warn"), t.Literal("error")]);
export type Level = Static<typeof Level>;

const Line = t.Object({
  /** ISO 8601 in UTC; null for a line of a file before the first that begins with a time. */
  at: NullableText,
  /** Who wrote it: a unit, a program, a stream of a container. */
  source: NullableText,
  /** Null when nobody said. */
  level: Nullable(Level),
  text: t.String(),
});
export type Line = Static<typeof Line>;

const SourceLine = t.Object({
  /** The log it stands in: `system`, or `docker:` with the name of a container. */
  from: t.String(),
  ...Line.properties,
});
export type LogLine = Static<typeof SourceLine>;

const FoundLine = t.Object({
  line: SourceLine,
  before: t.Array(SourceLine),
  after: t.Array(SourceLine),
});
export type FoundLine = Static<typeof FoundLine>;

const SourceState = t.Object({
  /** As in a line's `from`; `docker` where no container can be read. */
  source: t.String(),
  is_readable: t.Boolean(),
  /** Why lines may be missing, with what to do; null when none are. */
  note: NullableText,
});
export type SourceState = Static<typeof SourceState>;

const AllPage = t.Object({
  /** Oldest first. */
  found: t.Array(FoundLine),
  /** For the lines before these; null when there are none, and where those after a line were asked for. */
  next_cursor: NullableText,
  sources: t.Array(SourceState),
});
export type AllPage = Static<typeof AllPage>;

/** What an event `lines` of the stream has. */
export interface LineBatch {
  lines: LogLine[];
  /** Lines that were left out since the event before, because this reader was too slow for them. */
  dropped: number;
}

const LogPage = t.Object({
  /** `journal`, `container` or the path of a file. */
  from: t.String(),
  /** Oldest first. */
  lines: t.Array(Line),
  /** Why lines may be missing that somebody would expect here, and what to do; null when none are. */
  note: NullableText,
});
export type LogPage = Static<typeof LogPage>;

const filters = {
  /** The newest so many that fit. */
  lines: t.Optional(t.Integer({ minimum: 1, maximum: 5000 })),
  /** This level and worse. */
  level: t.Optional(Level),
  /** Text in the line; capitals do not matter. */
  q: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 200,
      pattern: "^[^\\u0000-\\u001f\\u007f]+$",
      description: "must be text without control characters",
    }),
  ),
  /** `q` is a regular expression; without references to groups, and without looking ahead or behind. */
  regex: t.Optional(t.BooleanString()),
  /** ISO 8601; a time without zone is UTC. */
  since: t.Optional(t.String({ maxLength: 40 })),
  until: t.Optional(t.String({ maxLength: 40 })),
};

const LogQuery = t.Object(filters);
export type LogQuery = Static<typeof LogQuery>;

const unit = t.Optional(
  t.String({
    maxLength: 255,
    pattern: "^[A-Za-z0-9:_.@\\\\][A-Za-z0-9:_.@\\\\-]*$",
    description: "must be the name of one systemd unit, such as ssh.service",
  }),
);
const JournalQuery = t.Object({ ...filters, unit });

const SOURCE = "(?:system|docker:[A-Za-z0-9][A-Za-z0-9_.-]{0,127})";
const which = {
  /** The logs that are wanted, `system` or `docker:` with the name of a container, apart by commas; left out, all. */
  source: t.Optional(
    t.String({
      maxLength: 3000,
      pattern: `^${SOURCE}(?:,${SOURCE}){0,19}$`,
      description: "must be up to 20 of system and docker:NAME, apart by commas",
    }),
  ),
  /** Only the system's log has units, so it is the only one that is read then. */
  unit,
  level: filters.level,
  q: filters.q,
  regex: filters.regex,
};

const LineTime = t.String({
  maxLength: 40,
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z$",
  description: "must be the time of a line",
});

const AllQuery = t.Object({
  ...which,
  since: filters.since,
  until: filters.until,
  /** Lines of the same log before and after each. */
  context: t.Optional(t.Integer({ minimum: 0, maximum: 10 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000 })),
  /** `next_cursor` of the answer before. */
  cursor: t.Optional(t.String({ maxLength: 60 })),
  /** The time of a line: the oldest that stand after it, instead of the newest. Without `cursor`. */
  after: t.Optional(LineTime),
});
export type AllQuery = Static<typeof AllQuery>;

const StreamQuery = t.Object({
  ...which,
  /** The time of the last line that is known: those after it come first. Left out, what is written from now on. */
  after: t.Optional(LineTime),
});
export type StreamQuery = Static<typeof StreamQuery>;

const ContainerParams = t.Object({
  id: t.String({
    maxLength: 128,
    pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
    description: "must be the id or the name of a container",
  }),
});

export const fail = defineErrors({
  logs_unavailable: [503, "{message} {next_step}"],
  logs_too_slow: [504, "Reading this log took longer than {seconds} seconds and was ended. Ask for a shorter time."],
  log_cursor_refused: [400, "This place in the logs is none. Read them from their end again."],
  log_readers_full: [
    429,
    "Logs are already followed {count} times {whose}. Close a page that follows them, and try again.",
  ],
  log_source_not_found: [404, "There is no container {id} on this server. It may have been removed."],
});

// A key has to cover everything: sign-ins stand in the system's log, and whatever apps write in theirs.
export const logRoutes = defineRoutes({
  "GET /api/logs": { access: admin(), query: AllQuery, out: AllPage },
  "GET /api/logs/stream": { access: admin(), query: StreamQuery, ...answersAs("text/event-stream") },
  "GET /api/logs/journal": { access: admin("security"), query: JournalQuery, out: LogPage },
  "GET /api/logs/system": { access: admin("security"), query: LogQuery, out: LogPage },
  "GET /api/logs/docker/{id}": { access: admin("apps"), params: ContainerParams, query: LogQuery, out: LogPage },
});
export type LogApi = ApiOf<typeof logRoutes>;
