import { gunzipSync } from "bun";
import { toIso } from "../../../lib/clock.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { requireNode } from "../fleet/index.ts";
import { fail, type ListQuery, type Recording, type RecordingList } from "./contract.ts";
import { KEPT_DAYS } from "./forget.ts";
import type { Needs } from "./needs.ts";
import { fileOf, keyPurpose } from "./recorder.ts";
import { DamagedChunk, readChunks } from "./sealed-chunks.ts";
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

async function requireRecording({ db }: Actor, nodeId: string, id: string): Promise<store.RecordingRow> {
  const row = await store.findRecording(db, nodeId, id);
  if (!row) throw fail("recording_not_found", { id, days: KEPT_DAYS });
  return row;
}

/** One recording as asciicast, which is put on record. Throws `node_not_found`, `recording_not_found`, `recording_damaged`. */
export async function readRecording(
  needs: Needs,
  actor: Actor,
  ip: string,
  nodeId: string,
  id: string,
): Promise<Response> {
  requireNode(needs.live.fleetOf(actor), nodeId);
  // Looking at one is written down, as no other question is.
  needs.audit.acts.requireRoom(countedAs(actor));
  const row = await requireRecording(actor, nodeId, id);
  const key = Buffer.from(needs.seal.open(keyPurpose(id), row.sealed_key), "base64");
  const path = fileOf(needs, actor.tenant_id, id);
  const chunks = () => readChunks(path, id, key, row);
  try {
    // Whether all of it is as it was written is known before any of it is answered.
    for await (const _ of chunks());
  } catch (error) {
    if (error instanceof DamagedChunk) throw fail("recording_damaged", { chunk: error.index + 1 });
    throw error;
  }
  const { app, who } = row;
  await actor.db.tx((tx) =>
    needs.bus.emit(tx, "fleet.terminal.recording_read", {
      ...{ by: byMember(actor, ip), node_id: nodeId, recording_id: id, app, who },
    }),
  );
  const parts = chunks();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(gunzipSync(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/x-asciicast",
      "content-disposition": `attachment; filename="${id}.cast"`,
      "cache-control": "no-store",
      "x-recording-state": row.state,
    },
  });
}
