import { gunzipSync } from "bun";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { minutes } from "../../../lib/duration.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import { createSharedPlaces } from "../../../lib/shared-places.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { requireNode } from "../fleet/index.ts";
import { fail } from "./contract.ts";
import { requireRecording } from "./list.ts";
import type { Needs } from "./needs.ts";
import { fileOf, keyPurpose } from "./recorder.ts";
import { DamagedChunk, readChunks } from "./sealed-chunks.ts";

/** Each goes twice over a file that may have hundreds of megabytes, and holds it open until all of it is sent. */
const PER_ACCOUNT = 4;
const PER_WORKSPACE = 8;
/** Whoever has most, or takes longer, makes room for somebody who reads none yet. */
const IN_ALL = { size: 20, fairMs: minutes(1) };

/** Who asks, and until when. */
interface Visit {
  actor: Actor;
  ip: string;
  request: Pick<Request, "signal" | "method">;
}

/** What reading them needs. */
export type ReaderNeeds = Pick<Needs, "config" | "clock" | "signal" | "takeTurn" | "seal" | "bus" | "live" | "audit">;

/** What is read of a recording, and what it ends with. */
interface Reading {
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Aborts when nobody waits for it any more, or its place went to somebody else. */
  over: AbortSignal;
  /** Lets others go before the next chunk, which is some hundred kilobytes. */
  othersFirst(): Promise<void>;
}

/** Makes what reads recordings, some of each account and workspace at a time, chunk by chunk and in turn with whatever else is asked. */
export function createReader(needs: ReaderNeeds) {
  const places = createSharedPlaces(needs.clock, IN_ALL);

  /**
   * One recording as asciicast, which is put on record. Throws `node_not_found`, `recording_not_found`, `recording_damaged`, and
   * `too_many_requests` where too many are read, also when its place is lost before it is answered; later the answer breaks off.
   */
  return async ({ actor, ip, request }: Visit, nodeId: string, id: string): Promise<Response> => {
    requireNode(needs.live.fleetOf(actor), nodeId);
    // Looking at one is written down, as no other question is.
    needs.audit.acts.requireRoom(countedAs(actor));
    const row = await requireRecording(actor, nodeId, id);
    const place = places.take([
      { key: `account ${countedAs(actor)}`, most: PER_ACCOUNT },
      { key: `workspace ${actor.tenant_id}`, most: PER_WORKSPACE },
    ]);
    if (place.full !== null) throw tooManyRequests(1);
    const key = Buffer.from(needs.seal.open(keyPurpose(id), row.sealed_key), "base64");
    const read = (): Reading => ({
      chunks: readChunks(fileOf(needs, actor.tenant_id, id), id, key, row),
      over: AbortSignal.any([request.signal, place.lost, needs.signal]),
      othersFirst: () => giveWay(needs.takeTurn, [actor.tenant_id, actor.account_id]),
    });
    try {
      // Whether all of it is as it was written is known before any of it is answered.
      await verify(read());
      const { app, who } = row;
      await actor.db.tx((tx) =>
        needs.bus.emit(tx, "fleet.terminal.recording_read", {
          ...{ by: byMember(actor, ip), node_id: nodeId, recording_id: id, app, who },
        }),
      );
      const headers = {
        "content-type": "application/x-asciicast",
        "content-disposition": `attachment; filename="${id}.cast"`,
        "cache-control": "no-store",
        "x-recording-state": row.state,
      };
      if (request.method !== "HEAD") return new Response(send(read(), place.give), { headers });
      // Nobody would ever read or cancel the body.
      place.give();
      return new Response(null, { headers });
    } catch (error) {
      place.give();
      throw error;
    }
  };
}

async function verify({ chunks, over, othersFirst }: Reading): Promise<void> {
  try {
    for await (const _ of chunks) {
      if (over.aborted) throw tooManyRequests(1);
      await othersFirst();
    }
  } catch (error) {
    if (error instanceof DamagedChunk) throw fail("recording_damaged", { chunk: error.index + 1 });
    throw error;
  }
}

/** The lines as they are taken; `done` is called once, when all are, or nobody takes them any more. */
function send({ chunks, over, othersFirst }: Reading, done: () => void): ReadableStream<Uint8Array> {
  let isOver = false;
  async function end(): Promise<void> {
    isOver = true;
    over.removeEventListener("abort", breakOff);
    done();
    await chunks.return(undefined);
  }
  let breakOff = (): void => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      breakOff = () => {
        controller.error(over.reason);
        void end();
      };
      if (over.aborted) breakOff();
      else over.addEventListener("abort", breakOff, { once: true });
    },
    async pull(controller) {
      try {
        await othersFirst();
        const next = await chunks.next();
        if (isOver) return;
        if (!next.done) return controller.enqueue(gunzipSync(next.value));
        controller.close();
      } catch (error) {
        if (!isOver) controller.error(error);
      }
      if (!isOver) await end();
    },
    cancel: end,
  });
}
