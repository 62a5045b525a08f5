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
const CHANNEL_CAPACITY = 10_000;

/** The event stream of one running operation: numbered, stored, followed by any number of readers. */
export interface LiveStream {
  /** Adds an event; `durable` ones are on disk when this returns. */
  add(type: OperationEvent["type"], fields: EventFields, durable: boolean): OperationEvent;
  /** Events from number `from` on, then new ones until the operation ends or `signal` aborts. */
  read(from: number, signal: AbortSignal): AsyncIterable<ServerEvent>;
  /** Writes what waits and ends all readers. */
  close(): void;
}

/** Turns a stored or live event into what goes over the wire. */
export function toServerEvent(event: OperationEvent): ServerEvent {
  return { event: event.type, id: event.seq, data: event };
}

/** A stream that goes on after number `last`. */
export function createLiveStream({ db, clock }: Deps, operationId: string, last: number): LiveStream {
  let seq = last;
  let waiting: OperationEvent[] = [];
  let cancelFlush: (() => void) | null = null;
  const readers = new Set<Channel<OperationEvent>>();

  function flush(): void {
    cancelFlush?.();
    cancelFlush = null;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0)
      store.insertEvents(
        db,
        operationId,
        batch.map((event) => [event.seq, JSON.stringify(event)]),
      );
  }

  return {
    add(type, fields, durable) {
      seq += 1;
      const event: OperationEvent = {
        seq,
        type,
        step: null,
        title: null,
        status: null,
        percent: null,
        bytes_done: null,
        bytes_total: null,
        text: null,
        ...fields,
        time: toIso(clock.now()),
      };
      waiting.push(event);
      if (durable) flush();
      else cancelFlush ??= clock.after(FLUSH_MS, flush);
      for (const reader of readers) reader.push(event);
      return event;
    },
    async *read(from, signal) {
      const live = createChannel<OperationEvent>(CHANNEL_CAPACITY, signal);
      readers.add(live);
      try {
        flush();
        let next = from;
        for (const json of store.readEvents(db, operationId, from)) {
          const event: OperationEvent = JSON.parse(json);
          next = event.seq + 1;
          yield toServerEvent(event);
        }
        for await (const event of live) {
          if (event.seq >= next) yield toServerEvent(event);
        }
      } finally {
        readers.delete(live);
      }
    },
    close() {
      flush();
      for (const reader of readers) reader.close();
    },
  };
}
