import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

const Level = t.Union([t.Literal("debug"), t.Literal("info"), t.Literal("warn"), t.Literal("error")]);
export type Level = Static<typeof Level>;

const Line = t.Object({
  /** ISO 8601 in UTC; null for a line of a file that does not begin with its time. */
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
  /** ISO 8601; a time without zone is UTC. */
  since: t.Optional(t.String({ maxLength: 40 })),
  until: t.Optional(t.String({ maxLength: 40 })),
};

const LogQuery = t.Object(filters);
export type LogQuery = Static<typeof LogQuery>;

const JournalQuery = t.Object({
  ...filters,
  unit: t.Optional(
    t.String({
      maxLength: 255,
      pattern: "^[A-Za-z0-9:_.@\\\\][A-Za-z0-9:_.@\\\\-]*$",
      description: "must be the name of one systemd unit, such as ssh.service",
    }),
  ),
});

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
  log_source_not_found: [404, "There is no container {id} on this server. It may have been removed."],
});

export const logRoutes = defineRoutes({
  "GET /api/logs/journal": { access: admin("security"), query: JournalQuery, out: LogPage },
  "GET /api/logs/system": { access: admin("security"), query: LogQuery, out: LogPage },
  "GET /api/logs/docker/{id}": { access: admin("apps"), params: ContainerParams, query: LogQuery, out: LogPage },
});
export type LogApi = ApiOf<typeof logRoutes>;
