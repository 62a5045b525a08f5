import type { Database } from "bun:sqlite";

/** A database with transactions that can carry effects: things to do only once the data is safe. */
export interface Store {
  readonly raw: Database;
  /** Runs `fn` in one immediate transaction (joining the outer one when nested); effects run after its commit. */
  tx<T>(fn: () => T): T;
  /** Runs `effect` after the current transaction commits, or at once when there is none. Dropped on rollback. */
  afterCommit(effect: () => void): void;
}

/** Wraps a database. `fn` must be synchronous: SQLite has one connection and one transaction here. */
export function createStore(raw: Database): Store {
  let effects: (() => void)[] | null = null;

  return {
    raw,
    tx(fn) {
      if (effects) return fn();
      const pending: (() => void)[] = [];
      effects = pending;
      try {
        const result = raw.transaction(fn).immediate();
        effects = null;
        for (const effect of pending) effect();
        return result;
      } finally {
        effects = null;
      }
    },
    afterCommit(effect) {
      if (!effects) return effect();
      effects.push(effect);
    },
  };
}
