import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";
import { NodeParams } from "../fleet/contract.ts";

/** How many recordings a page of the list has at most. */
export const PAGE_MAX = 100;

/**
 * `open` is one that is being made. `truncated` is one whose panel ended in the middle: what is there plays. `damaged` is one that was
 * changed or cut on the disk, which is known once it is read.
 */
export const State = t.Union([t.Literal("open"), t.Literal("whole"), t.Literal("truncated")]);

export const Recording = t.Object({
  id: t.String(),
  /** Empty for the server itself. */
  app: t.String(),
  by: t.Object({ member_id: t.String(), name: t.String() }),
  started_at: t.String(),
  duration_s: t.Number(),
  /** As stored. */
  size_bytes: t.Integer(),
  state: State,
});
export type Recording = Static<typeof Recording>;

export const RecordingList = t.Object({
  /** Whether the workspace records its terminals now. */
  is_on: t.Boolean(),
  /** Days that one is kept. */
  kept_days: t.Integer(),
  /** The newest first. */
  items: t.Array(Recording),
  next_cursor: NullableText,
});
export type RecordingList = Static<typeof RecordingList>;

const ListQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: PAGE_MAX, default: 50 }),
  /** The id of the last one of the page before. */
  cursor: t.Optional(Id),
});
export type ListQuery = Static<typeof ListQuery>;

export const fail = defineErrors({
  recording_not_found: [404, "There is no recording {id} of this server. They are kept for {days} days."],
  recording_damaged: [
    500,
    "This recording was changed or cut on the disk of the panel after it was made: part {chunk} is not what was written.",
  ],
});

export type TerminalRecordingEvents = {
  /** Somebody looked at one. */
  "fleet.terminal.recording_read": PanelEvent & { node_id: string; recording_id: string; app: string; who: string };
};

// What stood in a terminal is as far out of the reach of visiting staff as the terminal.
const access = can("fleet:shell", { ownRole: true });

export const terminalRecordingRoutes = defineRoutes({
  "GET /api/fleet/instances/{id}/terminal-recordings": {
    access,
    params: NodeParams,
    query: ListQuery,
    out: RecordingList,
  },
  /** As asciicast v2. The header `x-recording-state` says whether all of it is there. */
  "GET /api/fleet/instances/{id}/terminal-recordings/{recID}": {
    access,
    params: t.Object({ ...NodeParams.properties, recID: Id }),
    ...answersAs("application/x-asciicast"),
  },
});
export type TerminalRecordingApi = ApiOf<typeof terminalRecordingRoutes>;
