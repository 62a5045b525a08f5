import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

const Level = t.Union([t.Literal("debug"), t.Literal("info"), t.Literal("warn"), t.Literal("error")]);

const LogLine = t.Object({
  /** As the engine recorded it, with nanoseconds. */
  at: t.String(),
  service: t.String(),
  stream: t.UnionEnum(["stdout", "stderr"]),
  /** Null when the line does not say. */
  level: Nullable(Level),
  text: t.String(),
});
export type LogLine = Static<typeof LogLine>;
export type LogLevel = Static<typeof Level>;

const LogQuery = t.Object({
  lines: t.Optional(t.Integer({ minimum: 0, maximum: 5000 })),
  follow: t.Optional(t.BooleanString()),
  service: t.Optional(t.String({ maxLength: 40 })),
});

const LogPage = t.Object({ lines: t.Array(LogLine) });
export type LogPage = Static<typeof LogPage>;

const SearchQuery = t.Object({
  /** Text in the line; capitals do not matter. */
  q: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
  /** `q` is a regular expression; without references to groups, and without looking ahead or behind. */
  regex: t.Optional(t.BooleanString()),
  /** This level and worse. */
  level: t.Optional(Level),
  service: LogQuery.properties.service,
  /** ISO 8601; a time without zone is UTC. */
  since: t.Optional(t.String({ maxLength: 40 })),
  until: t.Optional(t.String({ maxLength: 40 })),
  /** Lines of the same service before and after each hit. */
  context: t.Optional(t.Integer({ minimum: 0, maximum: 10 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
});

const LogHit = t.Object({ line: LogLine, before: t.Array(LogLine), after: t.Array(LogLine) });
export type LogHit = Static<typeof LogHit>;

/** The newest hits, oldest first. */
const SearchPage = t.Object({
  hits: t.Array(LogHit),
  /** Lines that were looked at. */
  searched: t.Integer(),
  /** False where older lines were not looked at. */
  is_complete: t.Boolean(),
});
export type SearchPage = Static<typeof SearchPage>;

export const fail = defineErrors({
  log_pattern_refused: [400, "This regular expression {reason}. Correct it, or search for plain text."],
  log_pattern_too_costly: [
    422,
    "This regular expression takes too long on these lines and was ended. Use a simpler one, or search for plain text.",
  ],
  log_search_ended: [504, "The search was ended: {reason}. Try again, or search one service only."],
});

export const appLogRoutes = defineRoutes({
  "GET /api/apps/{id}/logs": {
    access: admin("apps"),
    params: t.Object({ id: t.String({ maxLength: 64 }) }),
    query: LogQuery,
    out: LogPage,
  },
  "GET /api/apps/{id}/logs/search": {
    access: admin("apps"),
    params: t.Object({ id: t.String({ maxLength: 64 }) }),
    query: SearchQuery,
    out: SearchPage,
  },
});
export type AppLogsApi = ApiOf<typeof appLogRoutes>;
