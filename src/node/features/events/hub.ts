import type { Role } from "../../../kernel/http/access.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { type Channel, createChannel } from "../../../lib/channel.ts";
import { sha256Hex } from "../../../lib/digest.ts";

interface Entry {
  seq: number;
  role: Role;
  event: string;
  data: unknown;
}

/** The last events of this run and everybody who listens. */
export interface EventHub {
  publish(event: string, role: Role, data: unknown): void;
  /**
   * Events for a reader of `role` after `lastId`. `reset` says that the reader has missed something and must load its
   * data again: as first event when that id is of another run or too old, later when it reads too slowly.
   */
  read(role: Role, lastId: string | null, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

const KEPT = 500;
const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** A hub whose event ids carry `runId`, so that ids of an earlier run are recognised. */
export function createEventHub(runId: string): EventHub {
  const run = sha256Hex(runId).slice(0, 8);
  const kept: Entry[] = [];
  const readers = new Set<Channel<Entry>>();
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
    publish(event, role, data) {
      seq += 1;
      const entry = { seq, role, event, data };
      kept.push(entry);
      if (kept.length > KEPT) kept.shift();
      for (const reader of readers) reader.push(entry);
    },
    async *read(role, lastId, signal) {
      const live = createChannel<Entry>(KEPT, signal);
      readers.add(live);
      try {
        const known = resumePoint(lastId);
        let last = known ?? seq;
        // Taken now: what comes while the reader is busy is in `live`.
        const missed = kept.filter((entry) => entry.seq > last);
        yield { event: known === null ? "reset" : "hello", data: {}, id: `${run}-${last}` };
        for (const entry of missed) {
          last = entry.seq;
          if (RANK[role] >= RANK[entry.role]) yield toServerEvent(entry);
        }
        for await (const entry of live) {
          if (entry.seq <= last) continue;
          if (entry.seq > last + 1) yield { event: "reset", data: {}, id: `${run}-${entry.seq - 1}` };
          last = entry.seq;
          if (RANK[role] >= RANK[entry.role]) yield toServerEvent(entry);
        }
      } finally {
        readers.delete(live);
      }
    },
  };
}
