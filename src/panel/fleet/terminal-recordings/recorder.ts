import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "bun";
import { seconds } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { type CastWriter, createCastWriter } from "./asciicast.ts";
import type { Needs } from "./needs.ts";
import { type ChunkWriter, createChunks } from "./sealed-chunks.ts";
import * as store from "./store.ts";

/** How much a crash can lose: what came within this time, or so many characters. */
const FLUSH_MS = seconds(5);
const FLUSH_AT = 65_536;
/** What recordings may take, one as stored, those of a workspace and all of them in whole blocks of the disk. */
const LIMITS = { one: 256 * 1_048_576, workspace: 2_048 * 1_048_576, panel: 20_480 * 1_048_576 };
/** A few workspaces can take all of it. Those that have little still have more, so that nobody keeps the terminals of others shut. */
const RESERVE = { little: 32 * 1_048_576, panel: 25_600 * 1_048_576 };

const FULL = {
  one: "This terminal has shown more than one recording may hold, and nothing may be shown unrecorded. Open another one.",
  workspace: "The recordings of this workspace take all the room that they may. Older ones go with their time.",
  panel: "The recordings of this panel take all the room that they may. Whoever runs it has to make more.",
  disk: "The panel could not write the recording to its disk, and nothing may be shown unrecorded. Tell whoever runs it.",
} as const;

/** What is shown on one terminal, as it is kept. */
export interface Recorder {
  /** Takes what is about to be shown; resolves when more may come. Rejects with RecordingFailed. */
  output(bytes: Uint8Array): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Resolves with why, when it cannot go on. */
  readonly broken: Promise<string>;
  /** Writes what is left. */
  end(): Promise<void>;
}

/** That nothing can be recorded; the message is for people. */
export class RecordingFailed extends Error {}

/** What is recorded, and whose it is. */
export interface Recorded {
  actor: Actor;
  node_id: string;
  app: string;
  columns: number;
  rows: number;
}

/** The folder with a workspace's recordings. */
export const folderOf = ({ config }: Pick<Needs, "config">, tenantId: string): string =>
  join(config.data_dir, "recordings", tenantId);
export const fileOf = (needs: Pick<Needs, "config">, tenantId: string, id: string): string =>
  join(folderOf(needs, tenantId), `${id}.cast`);
/** What the key of a recording is sealed for. */
export const keyPurpose = (id: string): string => `terminal_recording.${id}`;

/** What a recording takes on the disk; nothing while there is no file. */
const takenBy = (bytes: number): number =>
  bytes === 0 ? 0 : Math.ceil(bytes / store.BLOCK_BYTES) * store.BLOCK_BYTES + store.BLOCK_BYTES;

/** How much room is taken, as it was last read and has grown since. */
export interface Room {
  all: number;
  ofWorkspace: Map<string, number>;
}

/** Why there is no room, as far as that is known before; null where there is some. */
export async function whyFull(needs: Pick<Needs, "system">, room: Room, actor: Actor): Promise<string | null> {
  room.all = await store.sumAllBytes(needs.system.by(actor));
  room.ofWorkspace.set(actor.tenant_id, await store.sumBytes(actor.db));
  return fullWith(room, actor.tenant_id, 0);
}

/** Why a workspace may record no more with one of so many bytes; null while it may. */
export function fullWith({ all, ofWorkspace }: Room, tenantId: string, bytes: number): string | null {
  const own = ofWorkspace.get(tenantId) ?? 0;
  if (bytes > LIMITS.one) return FULL.one;
  if (own > LIMITS.workspace) return FULL.workspace;
  return all > (own < RESERVE.little ? RESERVE.panel : LIMITS.panel) ? FULL.panel : null;
}

/** Begins a recording: it is on the disk before anything is shown. Throws RecordingFailed. */
export async function beginRecording(needs: Needs, room: Room, recorded: Recorded): Promise<Recorder> {
  const { actor, node_id, app } = recorded;
  const { db, tenant_id, member_id } = actor;
  const id = needs.ids.next("rec");
  const key = randomBytes(32);
  const started_at = needs.clock.now();
  const who = await store.findName(db, member_id);
  try {
    await mkdir(folderOf(needs, tenant_id), { recursive: true, mode: 0o700 });
    const chunks = await createChunks(fileOf(needs, tenant_id, id), id, key);
    const sealed_key = needs.seal.seal(keyPurpose(id), key.toString("base64"));
    const row = { id, node_id, app, member_id, who, started_at, sealed_key };
    const none = { duration_ms: 0, bytes: 0, chunks: 0, chain: "", state: "open" as const };
    await db.tx((tx) => store.insertRecording(tx, { ...row, ...none }));
    const title = app === "" ? node_id : `${app} on ${node_id}`;
    const cast = createCastWriter({ columns: recorded.columns, rows: recorded.rows, startedAt: started_at, title });
    const recorder = run(needs, room, { db: db.forRecord(), tenant_id, id, chunks, cast });
    await recorder.flush();
    return recorder;
  } catch (error) {
    if (error instanceof RecordingFailed) throw error;
    needs.log.error("a terminal could not be recorded", { node_id, error });
    throw new RecordingFailed(FULL.disk);
  }
}

interface Running {
  /** It ends also when whoever is recorded may no longer do anything. */
  db: Actor["db"];
  tenant_id: string;
  id: string;
  chunks: ChunkWriter;
  cast: CastWriter;
}

function run(
  needs: Needs,
  room: Room,
  { db, tenant_id, id, chunks, cast }: Running,
): Recorder & { flush(): Promise<void> } {
  const { clock, log } = needs;
  const begun = clock.monotonic();
  const now = (): number => clock.monotonic() - begun;
  const { promise: broken, resolve: breakOff } = Promise.withResolvers<string>();
  let failure: RecordingFailed | null = null;
  let last: Promise<void> = Promise.resolve();

  const keep = (state: "open" | "whole" | "truncated"): Promise<void> => {
    const told = { ...chunks.state, duration_ms: Math.round(now()), state };
    return db.tx((tx) => store.updateRecording(tx, id, told));
  };

  async function write(text: string, state: "open" | "whole"): Promise<void> {
    if (failure) throw failure;
    try {
      const before = chunks.state.bytes;
      if (text !== "") await chunks.append(gzipSync(Buffer.from(text)));
      const grown = takenBy(chunks.state.bytes) - takenBy(before);
      room.all += grown;
      room.ofWorkspace.set(tenant_id, (room.ofWorkspace.get(tenant_id) ?? 0) + grown);
      await keep(state);
      const full = fullWith(room, tenant_id, chunks.state.bytes);
      if (full !== null) throw new RecordingFailed(full);
    } catch (error) {
      if (!(error instanceof RecordingFailed)) log.error("a recording could not be written", { id, error });
      failure = error instanceof RecordingFailed ? error : new RecordingFailed(FULL.disk);
      breakOff(failure.message);
      throw failure;
    }
  }

  function flush(): Promise<void> {
    last = last.catch(() => {}).then(() => write(cast.take(), "open"));
    return last;
  }

  const stop = clock.every(FLUSH_MS, () => {
    if (cast.waiting > 0) flush().catch(() => {});
  });
  return {
    broken,
    flush,
    async output(bytes) {
      if (failure) throw failure;
      cast.output(bytes, now());
      if (cast.waiting >= FLUSH_AT) await flush();
    },
    resize: (columns, rows) => cast.resize(columns, rows, now()),
    async end() {
      stop();
      await last.catch(() => {});
      // What could not be written before ends as what is there.
      await write(cast.end(), "whole").catch(() => {});
      await chunks.close();
      if (failure) await keep("truncated");
    },
  };
}
