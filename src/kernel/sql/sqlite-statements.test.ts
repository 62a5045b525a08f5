import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createStatements } from "./sqlite-statements.ts";

function openThings() {
  const db = new Database(":memory:", { strict: true });
  db.run("CREATE TABLE things (id TEXT PRIMARY KEY, amount INTEGER NOT NULL) STRICT");
  db.run("INSERT INTO things VALUES ('a?', 7), ('b', 8)");
  const prepared: string[] = [];
  const prepare: Database["prepare"] = (sql) => {
    prepared.push(sql);
    return db.prepare(sql);
  };
  return { prepare, prepared };
}

test("a text is prepared once while it is among the last ones used", () => {
  const { prepare, prepared } = openThings();
  const statementOf = createStatements({ prepare }, 2);
  const one = statementOf("SELECT 1");
  statementOf("SELECT 2");
  expect(statementOf("SELECT 1")).toBe(one);
  statementOf("SELECT 3");
  expect(statementOf("SELECT 1").values()).toEqual([[1]]);
  statementOf("SELECT 2");
  expect(prepared).toEqual(["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 2"]);
});

test("values are out of the planner's sight, and quoted question marks stay what they are", () => {
  const { prepare, prepared } = openThings();
  const statementOf = createStatements({ prepare });
  const sql = `SELECT t.amount AS "what?", 'it''s?' AS quoted FROM things t JOIN things u ON u.id = t.id
    -- Really?
    WHERE t.id = ? AND t.amount IN (?, ?) LIMIT ?`;
  expect(statementOf(sql).all("a?", 1, 7, 5)).toEqual([{ "what?": 7, quoted: "it's?" }]);
  expect(prepared[0]?.match(/\+\?/g)?.length).toBe(4);
  expect(prepared[0]?.replaceAll("+?", "?")).toBe(sql);
});
