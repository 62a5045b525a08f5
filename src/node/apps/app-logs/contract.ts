import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

const Level = t.UnionEnum(["debug", "info", "warn", "error"]);

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

export const appLogRoutes = defineRoutes({
  "GET /api/apps/{id}/logs": {
    access: admin("apps"),
    params: t.Object({ id: t.String({ maxLength: 64 }) }),
    query: LogQuery,
    out: LogPage,
  },
});
export type AppLogsApi = ApiOf<typeof appLogRoutes>;
