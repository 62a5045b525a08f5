import { onNobodysErrand } from "../lib/standing.ts";
import type { Log } from "./log.ts";

/** A bus to those who pass events on without knowing them: audit log, event stream, webhooks, test recorder. */
export interface AnyBus {
  /** Every event, after the commit of its cause, in order per subscriber; one that throws is logged and does not stop the others. */
  onAny(run: (name: string, data: object) => void | Promise<void>): () => void;
  /**
   * Called inside `emit`, so in the transaction of whoever emits, if any: for what must be on disk together with its
   * cause. One that throws is logged; its own writes need a nested `tx` to vanish with it.
   */
  onEmit(run: (name: string, data: object) => void): () => void;
  /** Resolves when everything emitted so far has been handled. */
  idle(): Promise<void>;
}

/**
 * Typed events. Emitted inside a transaction they wait for its commit and vanish with its rollback. A bus of many events serves
 * as the bus of some of them, so a feature names those it knows.
 */
export interface Bus<Events> extends AnyBus {
  emit<Name extends keyof Events & string>(name: Name, data: Events[Name]): void;
  /** Delivery is in order per subscriber; one that throws is logged and does not stop the others. */
  on<Name extends keyof Events & string>(name: Name, run: (data: Events[Name]) => void | Promise<void>): () => void;
}

type Handler = (name: string, data: unknown) => void | Promise<void>;

/** A bus whose deliveries go through `afterCommit`, which runs its argument at once outside a transaction. */
export function createBus<Events>(log: Log, afterCommit: (run: () => void) => void): Bus<Events> {
  const subscribers = new Map<Handler, Promise<void>>();
  const witnesses = new Set<(name: string, data: unknown) => void>();

  function witness(name: string, data: unknown): void {
    for (const run of witnesses) {
      try {
        // What is written down of it stands, whoever did it.
        onNobodysErrand(() => run(name, data));
      } catch (error) {
        log.error("event subscriber failed", { event: name, error });
      }
    }
  }

  function deliver(name: string, data: unknown): void {
    for (const [handler, tail] of subscribers) {
      const next = tail
        .then(() => handler(name, data))
        .catch((error: unknown) => log.error("event subscriber failed", { event: name, error }));
      subscribers.set(handler, next);
    }
  }

  function subscribe(handler: Handler): () => void {
    subscribers.set(handler, Promise.resolve());
    return () => subscribers.delete(handler);
  }

  return {
    emit(name, data) {
      witness(name, data);
      afterCommit(() => deliver(name, data));
    },
    on: (name, run) => subscribe((event, data) => (event === name ? run(data as Events[typeof name]) : undefined)),
    onAny: (run) => subscribe((event, data) => run(event, data as object)),
    onEmit(run) {
      const handler = (event: string, data: unknown) => run(event, data as object);
      witnesses.add(handler);
      return () => witnesses.delete(handler);
    },
    async idle() {
      let pending: Promise<void>[] = [];
      do {
        pending = [...subscribers.values()];
        await Promise.all(pending);
      } while ([...subscribers.values()].some((tail) => !pending.includes(tail)));
    },
  };
}
