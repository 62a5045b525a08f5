/** A bus to those who hear every event without knowing them: the audit log, later webhooks and notices. */
export interface AnyTxBus<Tx, Data> {
  /**
   * Called inside `emit`, in the transaction of whoever emits, which goes on when it is done: what is written down of an
   * event is there exactly when its cause is. One that throws ends the transaction.
   */
  onEmit(run: (tx: Tx, name: string, data: Data) => Promise<void>): () => void;
}

/**
 * Typed events of a program whose database answers later, each told within a transaction. `Data` is what all of them tell. A bus of
 * many events serves as the bus of some of them, so a feature names those it knows.
 */
export interface TxBus<Events extends Record<string, Data>, Tx, Data> extends AnyTxBus<Tx, Data> {
  /** Resolves when everybody has heard it; wait for it before the transaction ends. */
  emit<Name extends keyof Events & string>(tx: Tx, name: Name, data: Events[Name]): Promise<void>;
}

/** A bus that nobody listens to yet. */
export function createTxBus<Events extends Record<string, Data>, Tx, Data>(): TxBus<Events, Tx, Data> {
  const listeners = new Set<(tx: Tx, name: string, data: Data) => Promise<void>>();
  return {
    async emit(tx, name, data) {
      // One after another: a transaction runs one statement at a time.
      for (const run of listeners) await run(tx, name, data);
    },
    onEmit(run) {
      const listener: typeof run = (tx, name, data) => run(tx, name, data);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
