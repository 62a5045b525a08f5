import type { Database } from "bun:sqlite";
import { bindErrand, onNobodysErrand, whileStanding } from "../../lib/standing.ts";
import { createLogSync } from "./log-sync.ts";

/** A database with transactions that can carry effects: things to do only once the data is safe. */
export interface Store {
  readonly raw: Database;
  /**
   * Runs `fn` in one immediate transaction; a nested call becomes a savepoint, so that a caller who catches its error
   * keeps nothing of it. Effects run after the outermost commit. `fn` must be synchronous. Part of an answer to somebody whose access has
   * ended since they asked, it throws what the guard would answer.
   */
  tx<T>(fn: () => T): T;
  /** As `tx`, for what has happened already: that is written down whoever did it, whether or not they may still do anything. */
  record<T>(fn: () => T): T;
  /**
   * As `tx`, but in its turn and in one commit with others who wait, and the disk is waited for on another thread: for what comes in
   * crowds while others want quick answers. What one throws costs the others nothing, but for a full disk. Resolves, and effects run, once
   * the data is safe. Not inside a transaction.
   */
  txAside<T>(fn: () => T): Promise<T>;
  /** Runs `effect` after the current transaction commits, or at once when there is none. Dropped on rollback. */
  afterCommit(effect: () => void): void;
  /**
   * What `read` gives, kept under `key` until anything is written here: for rows that every request asks for. What
   * another process writes (`reset-password`) is seen within a second. Callers share the value and must not change it.
   */
  remember<T>(key: string, read: () => T): T;
  /** Whether another process has written since this was asked before; what is remembered is forgotten then. */
  hasForeignChange(): boolean;
}

/** A transaction that waits for its turn. */
interface Waiting {
  fn: () => unknown;
  done: (result: never) => void;
  failed: (error: unknown) => void;
}

/** What is committed together takes no longer than that, and one at least. */
const CROWD_MS = 4;
/** Another process writes so seldom that asking for it each time would cost more than the reads. */
const FOREIGN_MS = 1_000;
const MAX_REMEMBERED = 1_000;
/** `PRAGMA synchronous` of a commit that lasts through a power cut. */
const FULL = 2;

/** Keeps answers as long as the connection's count of changed rows stands still, and `FOREIGN_MS` at most. */
function createMemory(raw: Database, monotonic: () => number) {
  const answers = new Map<string, unknown>();
  let changes = -1;
  let since = 0;
  const changesSoFar = raw.query<{ count: number }, []>("SELECT total_changes() AS count");
  const countChanges = (): number => changesSoFar.get()?.count ?? Number.NaN;
  // What this connection writes does not count.
  const version = raw.query<{ data_version: number }, []>("PRAGMA data_version");
  let seen = version.get()?.data_version;

  return {
    forget: () => answers.clear(),
    hasForeignChange() {
      const now = version.get()?.data_version;
      if (now === seen) return false;
      seen = now;
      answers.clear();
      return true;
    },
    remember<T>(key: string, read: () => T): T {
      const now = monotonic();
      const current = countChanges();
      if (current !== changes || now - since >= FOREIGN_MS || answers.size >= MAX_REMEMBERED) {
        answers.clear();
        changes = current;
        since = now;
      }
      if (answers.has(key)) return answers.get(key) as T;
      const answer = read();
      answers.set(key, answer);
      return answer;
    },
  };
}

/** Wraps a database: one connection, one transaction at a time. */
export function createStore(raw: Database, monotonic: () => number = () => performance.now()): Store {
  let effects: (() => void)[] | null = null;
  /** What ended the transaction under way before its time, as a full disk does. */
  let lost: { error: unknown } | null = null;
  const memory = createMemory(raw, monotonic);
  const syncLog = isInMemory(raw) ? null : createLogSync(raw.filename);
  const durability = raw.query<{ synchronous: number }, []>("PRAGMA synchronous").get()?.synchronous ?? FULL;

  /** Those who wait for the next commit. */
  const crowd: Waiting[] = [];
  let hasTurn = false;

  // A statement each, not the database's own `transaction`: that makes functions anew each time.
  const control = (sql: string): void => void raw.query(sql).run();

  /** Runs `fn` in the outermost transaction; what is to be done after it is put into `pending`. */
  function runOutermost<T>(fn: () => T, pending: (() => void)[]): T {
    control("BEGIN IMMEDIATE");
    effects = pending;
    try {
      const result = refusePromise(fn());
      refuseIfLost();
      control("COMMIT");
      return result;
    } catch (error) {
      // A full disk, among others, has ended it already.
      if (raw.inTransaction) control("ROLLBACK");
      memory.forget();
      throw error;
    } finally {
      effects = null;
      lost = null;
    }
  }

  function runWhole<T>(fn: () => T): T {
    const pending: (() => void)[] = [];
    const result = runOutermost(fn, pending);
    runAll(pending);
    return result;
  }

  function refuseIfLost(): void {
    if (lost) throw lost.error;
  }

  /** Runs `fn` in a savepoint of the transaction under way, whose effects are `outer`. */
  function runNested<T>(fn: () => T, outer: (() => void)[]): T {
    const kept = outer.length;
    control("SAVEPOINT nested");
    try {
      const result = refusePromise(fn());
      refuseIfLost();
      control("RELEASE nested");
      return result;
    } catch (error) {
      if (!raw.inTransaction) {
        // All of it has ended. Whoever catches this may go on writing, which goes nowhere: into one that is never committed.
        lost = { error };
        control("BEGIN");
      } else if (!lost) {
        control("ROLLBACK TO nested");
        control("RELEASE nested");
      }
      outer.length = kept;
      // What was read since then has never been true.
      memory.forget();
      throw error;
    }
  }

  /** Carries out one transaction of a crowd inside the common one; what tells whoever asked, once all is on the disk. */
  function attempt({ fn, done, failed }: Waiting, pending: (() => void)[]): () => void {
    const before = pending.length;
    try {
      const result = runNested(fn, pending);
      const own = pending.slice(before);
      return () => {
        try {
          runAll(own);
          done(result as never);
        } catch (error) {
          failed(error);
        }
      };
    } catch (error) {
      return () => failed(error);
    }
  }

  /** Carries out as many of a crowd as there is time for in one commit; what tells those who asked, once it is on the disk. */
  function runCrowd(taken: Waiting[]): (() => void)[] {
    raw.run("PRAGMA synchronous = NORMAL");
    try {
      const pending: (() => void)[] = [];
      return runOutermost(() => {
        const tell: (() => void)[] = [];
        const end = monotonic() + CROWD_MS;
        for (let one = crowd.shift(); one; one = monotonic() < end ? crowd.shift() : undefined) {
          taken.push(one);
          tell.push(attempt(one, pending));
        }
        return tell;
      }, pending);
    } finally {
      raw.run(`PRAGMA synchronous = ${durability}`);
    }
  }

  async function commitCrowd(): Promise<void> {
    while (crowd.length > 0) {
      const taken: Waiting[] = [];
      try {
        const tell = runCrowd(taken);
        if (syncLog) await syncLog();
        for (const each of tell) each();
      } catch (error) {
        // A transaction that could not even begin is nobody's alone.
        for (const { failed } of taken.length > 0 ? taken : crowd.splice(0)) failed(error);
      }
    }
    hasTurn = false;
  }

  return {
    raw,
    tx: (fn) => (effects ? runNested(fn, effects) : whileStanding(() => runWhole(fn))),
    record: (fn) => (effects ? runNested(fn, effects) : runWhole(fn)),
    async txAside(fn) {
      if (effects) throw new Error("a transaction that nobody waits for cannot be part of another");
      return await new Promise<ReturnType<typeof fn>>((done, failed) => {
        crowd.push({ fn: bindErrand(() => whileStanding(fn)), done, failed });
        if (hasTurn) return;
        hasTurn = true;
        // Those who ask in this turn of the event loop come along.
        setImmediate(() => void commitCrowd());
      });
    },
    afterCommit(effect) {
      if (!effects) return onNobodysErrand(effect);
      effects.push(effect);
    },
    remember: memory.remember,
    hasForeignChange: memory.hasForeignChange,
  };
}

const isInMemory = ({ filename }: Database): boolean => filename === "" || filename === ":memory:";

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
      onNobodysErrand(effect);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "the data is committed, but not everything after it ran");
}
