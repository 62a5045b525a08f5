import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { type Channel, createChannel } from "../../../lib/channel.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import type { Role } from "../../access.ts";

/** Who may see an event: everybody from a role on, or one user alone. */
export type Audience = { role: Role } | { user_id: string };

/** Who reads. */
export interface Reader {
  role: Role;
  /** Null hears nothing that is for one user alone. */
  user_id: string | null;
}

interface Entry {
  seq: number;
  audience: Audience;
  event: string;
  data: unknown;
}

/** The last events of this run and everybody who listens. */
export interface EventHub {
  publish(event: string, audience: Audience, data: unknown): void;
  /** The id of the last event so far: who loads data now and reads behind it misses nothing in between. */
  lastId(): string;
  /**
   * Events for a reader after `lastId`. `reset` says that the reader has missed something and must load its
   * data again: as first event when that id is of another run or too old, later when it reads too slowly.
   */
  read(reader: Reader, lastId: string | null, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

const KEPT = 500;
const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

function mayRead(reader: Reader, audience: Audience): boolean {
  return "role" in audience ? RANK[reader.role] >= RANK[audience.role] : reader.user_id === audience.user_id;
}

/** A hub whose event ids carry `runId`, so that ids of an earlier run are recognised. */
export function createEventHub(runId: string): EventHub {
  const run = sha256Hex(runId).slice(0, 8);
  const kept: Entry[] = [];
  const channels = new Set<Channel<Entry>>();
  let seq = 0;

  const toServerEvent = ({ event, data, seq: number }: Entry): ServerEvent => ({ event, data, id: `${run}-${number}` });

  /** Number after which a reader goes on; null when that is not known. */
  function resumePoint(lastId: string | null): number | null {
    if (lastId === null) return seq;
    const [lastRun, number] = lastId.split("-");
    const last = Number(number);
    const oldest = kept[0]?.seq ?? seq + 1;
    return lastRun === run && Number.isSafeInteger(last) && last >= oldest - 1 && last <= seq ? last : null;
  }

  return {
    lastId: () => `${run}-${seq}`,
    publish(event, audience, data) {
      seq += 1;
      const entry = { seq, audience, event, data };
      kept.push(entry);
      if (kept.length > KEPT) kept.shift();
      for (const channel of channels) channel.push(entry);
    },
    async *read(reader, lastId, signal) {
      const live = createChannel<Entry>(KEPT, signal);
      channels.add(live);
      try {
        const known = resumePoint(lastId);
        let last = known ?? seq;
        // Taken now: what comes while the reader is busy is in `live`.
        const missed = kept.filter((entry) => entry.seq > last);
        yield { event: known === null ? "reset" : "hello", data: {}, id: `${run}-${last}` };
        for (const entry of missed) {
          last = entry.seq;
          if (mayRead(reader, entry.audience)) yield toServerEvent(entry);
        }
        for await (const entry of live) {
          if (entry.seq <= last) continue;
          if (entry.seq > last + 1) yield { event: "reset", data: {}, id: `${run}-${entry.seq - 1}` };
          last = entry.seq;
          if (mayRead(reader, entry.audience)) yield toServerEvent(entry);
        }
      } finally {
        channels.delete(live);
      }
    },
  };
}
