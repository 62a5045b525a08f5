import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createSqlDb } from "../../src/kernel/sql/create-db.ts";
import type { SqlDb } from "../../src/kernel/sql/port.ts";
import { openPostgres } from "../../src/kernel/sql/postgres-driver.ts";
import { openSqlite } from "../../src/kernel/sql/sqlite-driver.ts";
import { suite } from "./env.ts";
import { createPostgresDatabase } from "./postgres.ts";
import { makeScratch } from "./scratch.ts";

export type Engine = SqlDb["engine"];

/** Runs the same tests on both engines: `onEachEngine("last owner", (engine) => { test(…) })`. */
export function onEachEngine(name: string, body: (engine: Engine) => void): void {
  suite(`${name} on SQLite`, [], () => body("sqlite"));
  suite(`${name} on PostgreSQL`, ["postgres"], () => body("postgres"));
}

/** Opens a fresh database, which goes away after the tests of the suite that asks. */
export function freshDatabases(engine: Engine): { open(): Promise<SqlDb> } {
  const folder = makeScratch("sql");
  const opened: SqlDb[] = [];
  let count = 0;
  afterAll(async () => {
    for (const db of opened) await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    async open() {
      const driver =
        engine === "sqlite"
          ? await openSqlite(join(folder, `${++count}.db`))
          : await openPostgres(await createPostgresDatabase());
      const db = createSqlDb(driver);
      opened.push(db);
      return db;
    },
  };
}
