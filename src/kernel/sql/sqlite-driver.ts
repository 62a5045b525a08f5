import { Database } from "bun:sqlite";
import type { Clock } from "../../lib/clock.ts";
import { createFairSlots } from "../../lib/fair-slots.ts";
import type { Whose } from "../../lib/fair-turns.ts";
import { startThread } from "../thread.ts";
import { askGuard, type Driver, type Session, weightOf } from "./port.ts";
import type { WriterAnswer, WriterRequest } from "./sqlite-messages.ts";
import { createStatements } from "./sqlite-statements.ts";

/**
 * Opens (or makes) a database file. One thread of its own writes, and takes one transaction at a time, so that nothing can
 * slip into one that waits; reads outside transactions see what is committed, on this thread. Those for whom is written take turns, so that
 * nobody has to wait until all is done that others asked for. `durability` as of `openDatabase`.
 */
export async function openSqlite(
  path: string,
  clock: Pick<Clock, "monotonic">,
  durability: "full" | "normal" = "full",
): Promise<Driver> {
  const writer = startThread<WriterRequest, WriterAnswer>("kernel/sql/sqlite-writer");
  await writer.ask({ do: "open", path, durability });
  // Readonly would not see a write-ahead log that nobody has made yet, so the pragma does it.
  const reader = new Database(path, { strict: true });
  reader.run("PRAGMA busy_timeout = 10000");
  reader.run("PRAGMA query_only = ON");
  const statementOf = createStatements(reader);
  const slot = createFairSlots(clock, { size: 1, spare: 0, weightOf });
  const asked = new Set<Promise<unknown>>();
  const writing: Session = {
    all: async (sql, values) => (await writer.ask({ do: "all", sql, values })).rows,
    run: async (sql, values) => (await writer.ask({ do: "run", sql, values })).changes,
    script: async (sql) => void (await writer.ask({ do: "script", sql })),
  };
  const reading: Session = { ...writing, all: async (sql, values) => statementOf(sql).all(...(values as never[])) };

  function inTurn<T>(whose: Whose, task: () => Promise<T>): Promise<T> {
    const done = slot(whose, task);
    asked.add(done);
    const forget = () => void asked.delete(done);
    done.then(forget, forget);
    return done;
  }

  return {
    engine: "sqlite",
    once: ({ whose }, isRead, work) => (isRead ? work(reading) : inTurn(whose, () => work(writing))),
    transaction: ({ whose, guard }, work) =>
      inTurn(whose, async () => {
        await writing.script("BEGIN IMMEDIATE");
        try {
          await askGuard(writing, guard);
          const result = await work(writing);
          await writing.script("COMMIT");
          return result;
        } catch (error) {
          // Some failures have rolled back already, and the first error is the one to tell.
          await writing.script("ROLLBACK").catch(() => {});
          throw error;
        }
      }),
    async close() {
      while (asked.size > 0) await Promise.allSettled(asked);
      reader.close();
      await writer.ask({ do: "close" });
      writer.end();
    },
  };
}
