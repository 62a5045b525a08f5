import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { openForeignDatabase } from "./open-foreign.ts";

/** A database that was made by these statements. */
function made(...statements: string[]): string {
  const path = join(makeScratch("foreign"), "a.db");
  const db = new Database(path, { create: true });
  for (const statement of statements) db.run(statement);
  db.close();
  return path;
}

test("a database of tables, indexes and triggers is read, and not written to", () => {
  const db = openForeignDatabase(
    made(
      "CREATE TABLE things (id TEXT PRIMARY KEY) WITHOUT ROWID",
      "CREATE INDEX by_id ON things (id) WHERE id > 'a'",
      "CREATE TRIGGER gone AFTER DELETE ON things BEGIN SELECT 1; END",
      "INSERT INTO things VALUES ('b')",
    ),
  );
  expect(db.query("SELECT id FROM things").all()).toEqual([{ id: "b" }]);
  expect(() => db.run("DELETE FROM things")).toThrow("readonly");
  db.close();
});

test.each([
  [
    "a view that never ends",
    "CREATE VIEW things AS WITH RECURSIVE c (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT * FROM c",
    "a view",
  ],
  ["a virtual table", "CREATE VIRTUAL TABLE things USING fts5 (id)", "a virtual table"],
  ["a computed column", "CREATE TABLE things (id TEXT, more TEXT AS (hex(zeroblob(1000000))))", "a computed column"],
  ["a stored computed column", "CREATE TABLE things (id TEXT, more TEXT AS (upper(id)) STORED)", "a computed column"],
])("%s is refused", (_, statement, words) => {
  expect(() => openForeignDatabase(made(statement))).toThrow(words);
});
