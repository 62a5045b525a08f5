import type { Database } from "bun:sqlite";

/** A database with transactions that can carry effects: things to do only once the data is safe. */
export interface Store {
  readonly raw: Database;
  /**
   * Runs `fn` in one immediate transaction; a nested call becomes a savepoint, so that a caller who catches its error
   * keeps nothing of it. Effects run after the outermost commit. `fn` must be synchronous.
   */
  tx<T>(fn: () => T): T;
  /** Runs `effect` after the current transaction commits, or at once when there is none. Dropped on rollback. */
  afterCommit(effect: () => void): void;
}

/** Wraps a database: one connection, one transaction at a time. */
export function createStore(raw: Database): Store {
  let effects: (() => void)[] | null = null;

  return {
    raw,
    tx(fn) {
      const work = raw.transaction(() => refusePromise(fn()));
      const outer = effects;
      if (outer) {
        const kept = outer.length;
        try {
          return work();
        } catch (error) {
          outer.length = kept;
          throw error;
        }
      }
      const pending: (() => void)[] = [];
      effects = pending;
      let result: ReturnType<typeof fn>;
      try {
        result = work.immediate();
      } finally {
        effects = null;
      }
      runAll(pending);
      return result;
    },
    afterCommit(effect) {
      if (!effects) return effect();
      effects.push(effect);
    },
  };
}

/** A transaction that waits would commit before its work is done, and let others write into it. */
function refusePromise<T>(result: T): T {
  if (result instanceof Promise) throw new Error("a transaction must be synchronous");
  return result;
}

/** Runs every effect; the data is safe already, so that one that throws must not cost the others. */
function runAll(effects: readonly (() => void)[]): void {
  const failures: unknown[] = [];
  for (const effect of effects) {
    try {
      effect();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "the data is committed, but not everything after it ran");
}
