import { AsyncLocalStorage } from "node:async_hooks";
import {
  CommitUnknown,
  type Driver,
  OWN,
  type Queries,
  type Scope,
  type Session,
  type SqlDb,
  type SqlValue,
  type Tx,
} from "./port.ts";

/** Puts the port over an engine. */
export function createSqlDb(driver: Driver): SqlDb {
  return scopedDb(driver, new AsyncLocalStorage<true>(), { settings: {}, whose: OWN });
}

function scopedDb(driver: Driver, inside: AsyncLocalStorage<true>, scope: Scope): SqlDb {
  const refuseInside = () => {
    if (inside.getStore()) throw new Error("inside a transaction only its own statements may be used");
  };
  const once = <T>(isRead: boolean, work: (session: Session) => Promise<T>): Promise<T> => {
    refuseInside();
    // What is guarded is asked in one transaction with the change.
    return isRead || !scope.guard ? driver.once(scope, isRead, work) : driver.transaction(scope, work);
  };
  return {
    engine: driver.engine,
    all: (sql, values) => once(true, (session) => queriesOf(session).all(sql, values)),
    get: (sql, values) => once(true, (session) => queriesOf(session).get(sql, values)),
    run: (sql, values) => once(false, (session) => queriesOf(session).run(sql, values)),
    async tx(fn) {
      refuseInside();
      const effects: (() => void)[] = [];
      const ends: (() => void)[] = [];
      const finish = (isCommitted: boolean): void => {
        try {
          if (isCommitted) for (const effect of effects) effect();
        } finally {
          for (const end of ends) end();
        }
      };
      let result: Awaited<ReturnType<typeof fn>>;
      try {
        result = await driver.transaction(scope, (session) => {
          // Of a try that the database undid nothing happened.
          effects.length = 0;
          return inside.run(true, () => fn(transactionOf(session, effects, ends)));
        });
      } catch (error) {
        if (!(error instanceof CommitUnknown)) finish(false);
        else void error.outcome.then(finish);
        throw error instanceof CommitUnknown ? error.cause : error;
      }
      finish(true);
      return result;
    },
    scoped: (more, whose = scope.whose) =>
      scopedDb(driver, inside, { ...scope, settings: { ...scope.settings, ...more }, whose }),
    guarded: (guard) => scopedDb(driver, inside, { ...scope, guard }),
    close: () => driver.close(),
  };
}

function queriesOf(session: Session): Queries {
  return {
    all: async <Row>(sql: string, values: readonly SqlValue[] = []) => (await session.all(sql, values)) as Row[],
    get: async <Row>(sql: string, values: readonly SqlValue[] = []) =>
      ((await session.all(sql, values))[0] ?? null) as Row | null,
    run: (sql, values = []) => session.run(sql, values),
  };
}

function transactionOf(session: Session, effects: (() => void)[], ends: (() => void)[]): Tx {
  return {
    ...queriesOf(session),
    script: (sql) => session.script(sql),
    afterCommit: (effect) => void effects.push(effect),
    afterEnd: (effect) => void ends.push(effect),
  };
}
