import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { requireNode } from "../fleet/index.ts";
import { fail, type ListQuery, type Recording, type RecordingList } from "./contract.ts";
import { KEPT_DAYS } from "./forget.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

const present = (row: store.RecordingRow): Recording => ({
  ...{ id: row.id, app: row.app, by: { member_id: row.member_id, name: row.who } },
  ...{ started_at: toIso(row.started_at), duration_s: row.duration_ms / 1000 },
  ...{ size_bytes: row.bytes, state: row.state },
});

/** The recordings of a node. Throws `node_not_found`. */
export async function listRecordings(
  needs: Needs,
  actor: Actor,
  nodeId: string,
  { limit, cursor }: ListQuery,
): Promise<RecordingList> {
  requireNode(needs.live.fleetOf(actor), nodeId);
  const after = cursor === undefined ? null : await requireRecording(actor, nodeId, cursor);
  const rows = await store.listOfNode(actor.db, nodeId, after, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    is_on: await store.wantsRecordings(actor.db),
    kept_days: KEPT_DAYS,
    items: shown.map(present),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** One of a node. Throws `recording_not_found`. */
export async function requireRecording({ db }: Actor, nodeId: string, id: string): Promise<store.RecordingRow> {
  const row = await store.findRecording(db, nodeId, id);
  if (!row) throw fail("recording_not_found", { id, days: KEPT_DAYS });
  return row;
}
