import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Level, LOG_LINES_MAX, type LogStreamLine, LogStreamParams } from "../../../shared/agent-protocol/index.ts";
import { can } from "../../access.ts";
import { NodeParams } from "../fleet/contract.ts";

const LogsQuery = t.Object({
  /** The journal unless an app is named. */
  source: t.Optional(LogStreamParams.properties.source),
  /** Only what these units wrote to the journal; repeatable, up to 20. */
  unit: t.Optional(t.Array(t.String())),
  /** The id or the name of an app. */
  app: t.Optional(t.String({ minLength: 1, maxLength: 128 })),
  /** This one and worse. */
  level: t.Optional(Level),
  /** A moment in RFC 3339, or so long ago, as 15m or 1h30m. */
  since: t.Optional(t.String({ minLength: 1, maxLength: 40 })),
  /** The newest so many that fit; 200 unless told otherwise. */
  lines: t.Optional(t.Integer({ minimum: 0, maximum: LOG_LINES_MAX })),
  /** Whether lines that are written from now on follow; they do unless told otherwise. */
  follow: t.Optional(t.BooleanString()),
  /** A regular expression; capitals do not matter. */
  grep: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
});
export type LogsQuery = Static<typeof LogsQuery>;

export type { LogStreamLine };

/** What both ways of reading tell, in this order. */
export type LogMessage =
  | { type: "ready"; command_id: string }
  | { type: "batch"; lines: LogStreamLine[] }
  | { type: "end" }
  | { type: "error"; code: string; error: string };

export const fail = defineErrors({
  agent_offline: [
    409,
    "This node is not connected to the panel at this moment. Try again once it is online; until then its own dashboard may answer.",
  ],
  agent_outdated: [
    409,
    "The Orrery of this node is too old to {what} here. Update the node, or {instead} in its own dashboard.",
  ],
  log_streams_full: [
    429,
    "Logs are followed {count} times {whose} already. Close a page that follows them, and try again.",
  ],
  log_stream_gave_way: [
    429,
    "Too many logs are followed on this panel, and whoever follows most makes room for others. Close other pages that follow logs, and try again.",
  ],
});

const access = can("fleet:write");

export const nodeLogRoutes = defineRoutes({
  "GET /api/fleet/instances/{id}/logs/stream": {
    access,
    params: NodeParams,
    query: LogsQuery,
    ...answersAs("text/event-stream"),
  },
  "WS /api/fleet/instances/{id}/logs/ws": { access, params: NodeParams, query: LogsQuery },
});
export type NodeLogApi = ApiOf<typeof nodeLogRoutes>;
