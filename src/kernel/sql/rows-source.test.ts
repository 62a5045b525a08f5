import { beforeAll, expect, test } from "bun:test";
import { freshDatabases, onEachEngine } from "../../../tests/kit/sql-databases.ts";
import type { SqlDb } from "./port.ts";
import { type RowsSource, rowsSource } from "./rows-source.ts";

const TABLE = `CREATE TABLE parts (
  whole TEXT NOT NULL,
  no INTEGER NOT NULL,
  word TEXT,
  PRIMARY KEY (whole, no)
) STRICT;`;

onEachEngine("many rows in one statement", (engine) => {
  const databases = freshDatabases(engine);
  let db: SqlDb;
  let rows: RowsSource;
  beforeAll(async () => {
    db = await databases.open();
    await db.tx((tx) => tx.script(TABLE));
    rows = rowsSource(engine, [
      ["no", "integer"],
      ["word", "text"],
    ]);
  });

  const update = () =>
    `UPDATE parts SET word = told.word FROM (${rows.sql}) AS told WHERE parts.whole = 'a' AND parts.no = told.no`;

  test("are added, changed and joined as they were given", async () => {
    await db.run(
      `INSERT INTO parts (whole, no, word) SELECT 'a', no, word FROM (${rows.sql}) AS given WHERE 1 = 1 ON CONFLICT DO NOTHING`,
      rows.bind([
        [1, 'é"\\'],
        [2, null],
        [3, "c"],
      ]),
    );
    await db.run(update(), rows.bind([[2, "b"]]));
    const found = await db.all(
      `SELECT p.no, p.word FROM (${rows.sql}) AS given JOIN parts p ON p.whole = 'a' AND p.no = given.no ORDER BY p.no`,
      rows.bind([
        [1, null],
        [2, null],
        [9, null],
      ]),
    );
    expect(found).toEqual([
      { no: 1, word: 'é"\\' },
      { no: 2, word: "b" },
    ]);
  });

  if (engine === "sqlite")
    test("are gone through once, each finding its own by the key", async () => {
      const plan = async (sql: string) =>
        (await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, rows.bind([]))).map(({ detail }) => detail);
      const joined = `SELECT p.no FROM (${rows.sql}) AS given JOIN parts p ON p.whole = 'a' AND p.no = given.no`;
      for (const sql of [update(), joined])
        expect((await plan(sql)).at(-1)).toMatch(/^SEARCH .*\(whole=\? AND no=\?\)$/);
    });
});
