import type { Store } from "../../../kernel/db/store.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { type Channel, createChannel } from "../../../lib/channel.ts";
import { type Clock, toIso } from "../../../lib/clock.ts";
import type { OperationEvent } from "./contract.ts";
import * as store from "./store.ts";

type Deps = { db: Store; clock: Clock };
type EventFields = Partial<Omit<OperationEvent, "seq" | "time" | "type">>;

/** How long a log line or a progress figure may wait before it is written: it saves a disk sync for each. */
const FLUSH_MS = 300;
/** After a crash numbering goes on far beyond what a client can have seen of the unwritten tail. */
export const RESTART_GAP = 10_000;
/** Events a slow reader may lag behind before it goes back to the stored ones, and that a full disk may hold up. */
const CAPACITY = 10_000;
const PAGE = 500;

/** The event stream of one running operation: numbered, stored, followed by any number of readers. */
export interface LiveStream {
  /**
   * Adds an event. A `durable` one is on disk, together with what `also` writes, when this returns; when that fails
   * nothing was added and nobody saw it.
   */
  add(type: OperationEvent["type"], fields: EventFields, durable: boolean, also?: () => void): void;
  /** Events from number `from` on, then new ones until the operation ends or `signal` aborts. */
  read(from: number, signal: AbortSignal): AsyncIterable<ServerEvent>;
  /** Ends all readers. */
  close(): void;
}

/** Turns an event into what goes over the wire. */
function toServerEvent(event: OperationEvent): ServerEvent {
  return { event: event.type, id: event.seq, data: event };
}

/** The stored events of an operation from number `from` on, read page by page. */
export function* readStored(db: Store, operationId: string, from: number): Generator<ServerEvent> {
  let next = from;
  while (true) {
    const page = store.readEvents(db, operationId, next, PAGE);
    for (const json of page) {
      const event: OperationEvent = JSON.parse(json);
      next = event.seq + 1;
      yield toServerEvent(event);
    }
    if (page.length < PAGE) return;
  }
}

/** A stream that goes on after number `last`. */
export function createLiveStream({ db, clock }: Deps, operationId: string, last: number): LiveStream {
  let seq = last;
  let waiting: OperationEvent[] = [];
  let cancelFlush: (() => void) | null = null;
  const readers = new Set<Channel<OperationEvent>>();

  function write(more: readonly OperationEvent[], also: () => void): void {
    const rows = [...waiting, ...more].map((event) => [event.seq, JSON.stringify(event)] as const);
    db.tx(() => {
      if (rows.length > 0) store.insertEvents(db, operationId, rows);
      also();
    });
    waiting = [];
    cancelFlush?.();
    cancelFlush = null;
  }

  /** Writes what waits. A full disk must not end the program from within a timer, so it is tried again later. */
  function flush(): void {
    try {
      write([], () => {});
    } catch {
      cancelFlush?.();
      cancelFlush = clock.after(FLUSH_MS, flush);
    }
  }

  return {
    add(type, fields, durable, also = () => {}) {
      const blank = { component: null, step: null, title: null, status: null, text: null };
      const event: OperationEvent = {
        seq: seq + 1,
        type,
        ...blank,
        percent: null,
        bytes_done: null,
        bytes_total: null,
        ...fields,
        time: toIso(clock.now()),
      };
      if (durable) write([event], also);
      else waiting.push(event);
      seq = event.seq;
      if (waiting.length >= PAGE) flush();
      if (waiting.length > CAPACITY) waiting.shift();
      if (waiting.length > 0) cancelFlush ??= clock.after(FLUSH_MS, flush);
      for (const reader of readers) reader.push(event);
    },
    async *read(from, signal) {
      const live = createChannel<OperationEvent>(CAPACITY, signal);
      readers.add(live);
      try {
        flush();
        let next = from;
        for (const event of readStored(db, operationId, next)) {
          next = Number(event.id) + 1;
          yield event;
        }
        for await (const event of live) {
          // A gap: this reader was too slow for its channel, or the operation went on after a crash.
          if (event.seq > next) {
            flush();
            for (const stored of readStored(db, operationId, next)) {
              next = Number(stored.id) + 1;
              yield stored;
            }
          }
          if (event.seq < next) continue;
          next = event.seq + 1;
          yield toServerEvent(event);
        }
      } finally {
        readers.delete(live);
      }
    },
    close() {
      for (const reader of readers) reader.close();
    },
  };
}
