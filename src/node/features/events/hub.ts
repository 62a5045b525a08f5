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
   * Events for a reader of `role` after `lastId`. When that id is of another run or too old the first event is
   * `reset`: the reader has missed something and must load its data again.
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
        const after = resumePoint(lastId);
        yield { event: after === null ? "reset" : "hello", data: {}, id: `${run}-${after ?? seq}` };
        const missed = kept.filter((entry) => entry.seq > (after ?? seq));
        for (const entry of missed) if (RANK[role] >= RANK[entry.role]) yield toServerEvent(entry);
        const last = missed.at(-1)?.seq ?? after ?? seq;
        for await (const entry of live) {
          if (entry.seq > last && RANK[role] >= RANK[entry.role]) yield toServerEvent(entry);
        }
      } finally {
        readers.delete(live);
      }
    },
  };
}
