import { afterAll, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { createSqlDb } from "./create-db.ts";
import type { SqlDb } from "./port.ts";
import { openSqlite } from "./sqlite-driver.ts";

const folder = makeScratch("sqlite-driver");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let no = 0;
let now = 0;
let db: SqlDb;
beforeEach(async () => {
  db = createSqlDb(await openSqlite(join(folder, `${no++}.db`), { monotonic: () => now }));
  await db.tx((tx) => tx.script("CREATE TABLE words (word TEXT NOT NULL) STRICT;"));
});

const add = (of: SqlDb, word: string) => of.run("INSERT INTO words (word) VALUES (?)", [word]);
const listWords = async () =>
  (await db.all<{ word: string }>("SELECT word FROM words ORDER BY rowid")).map(({ word }) => word);

test("who writes little comes in between what others want written", async () => {
  const [busy, other] = [db.scoped({}, ["busy", "a"]), db.scoped({}, ["other", "b"])];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const held = busy.tx(() => over);
  const asked = ["1", "2", "3"].map((word) => add(busy, word));
  asked.push(add(other, "between"));
  now += 100;
  end();
  await Promise.all([held, ...asked]);
  expect(await listWords()).toEqual(["between", "1", "2", "3"]);
  await db.close();
});

test("what was asked for before it closes is written", async () => {
  const asked = ["1", "2"].map((word) => add(db.scoped({}, [word, ""]), word));
  const closed = db.close();
  expect(await Promise.all(asked)).toEqual([1, 1]);
  await closed;
});
