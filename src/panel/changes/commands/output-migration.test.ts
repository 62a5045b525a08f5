import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import init from "./migrations/0001_commands.sql" with { type: "text" };
import outputs from "./migrations/0003_command_outputs.sql" with { type: "text" };

test("long outputs outlive the update that gives them a table of their own, and go with their commands", () => {
  const db = new Database(":memory:");
  db.run("PRAGMA foreign_keys = ON");
  db.run(
    "CREATE TABLE nodes (tenant_id TEXT, id TEXT, PRIMARY KEY (tenant_id, id)); INSERT INTO nodes VALUES ('t', 'n')",
  );
  db.run(init);
  const long = "ü".repeat(600);
  const insert = db.query(
    `INSERT INTO commands (tenant_id, id, node_id, type, payload, generation, status, output, created_by, created_at, expires_at, finished_at)
     VALUES ('t', ?, 'n', 'x', '{}', 1, 'failed', ?, 'm', 1, 1, ?)`,
  );
  insert.run("long", long, 1);
  insert.run("short", "fine", 1);
  insert.run("open", long, null);
  db.run(outputs);
  const cut = `${"ü".repeat(499)}…`;
  expect(db.query("SELECT id, output, is_output_cut FROM commands ORDER BY id").all()).toEqual([
    { id: "long", output: cut, is_output_cut: 1 },
    { id: "open", output: cut, is_output_cut: 1 },
    { id: "short", output: "fine", is_output_cut: 0 },
  ]);
  const kept = db.query("SELECT command_id, bytes, output FROM command_outputs");
  expect(kept.all()).toEqual([{ command_id: "long", bytes: 1_200, output: long }]);
  db.run("DELETE FROM commands WHERE id = 'long'");
  expect(kept.all()).toEqual([]);
});
