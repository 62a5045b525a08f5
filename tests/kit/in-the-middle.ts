import type { SqlDb } from "../../src/kernel/sql/port.ts";

/** Two things that are done at once, the second in the middle of the first. */
export interface InTheMiddle {
  db: SqlDb;
  /**
   * Begins the one, and the other right after the first statement of it that begins like `after`; the one goes on once the other waits for
   * what it holds, or is done. SQLite begins the transaction of the other after that of the one.
   */
  meanwhile<One, Other>(
    after: string,
    one: () => Promise<One>,
    other: () => Promise<Other>,
  ): Promise<{ first: One; second: Other }>;
}

/** A database on which something else can go on in the middle of a transaction; who waits for another one asks for what `holds` begins. */
export function inTheMiddle(inner: SqlDb, holds: string): InTheMiddle {
  const middle = { after: "", begin: async () => {} };
  const wanting = new Set<() => void>();
  async function around<T>(sql: string, ask: () => Promise<T>): Promise<T> {
    if (sql.startsWith(holds)) for (const resolve of wanting) resolve();
    const answer = await ask();
    if (middle.after !== "" && sql.startsWith(middle.after)) {
      middle.after = "";
      await middle.begin();
    }
    return answer;
  }
  const watch = (one: SqlDb): SqlDb => ({
    ...one,
    scoped: (settings, whose) => watch(one.scoped(settings, whose)),
    tx: (fn) =>
      one.tx((tx) =>
        fn({
          ...tx,
          run: (sql, values) => around(sql, () => tx.run(sql, values)),
          get: (sql, values) => around(sql, () => tx.get(sql, values)),
        }),
      ),
  });
  return {
    db: watch(inner),
    async meanwhile(after, one, other) {
      const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      Object.assign(middle, {
        after,
        begin: () => {
          reached.resolve();
          return goesOn.promise;
        },
      });
      const first = one();
      await reached.promise;
      const wanted = new Promise<void>((resolve) => wanting.add(resolve));
      const second = other();
      if (inner.engine === "postgres") await Promise.race([wanted, second]);
      goesOn.resolve();
      return { first: await first, second: await second };
    },
  };
}
