import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import init from "./migrations/0001_rollouts.sql" with { type: "text" };
import errorRates from "./migrations/0002_error_rates.sql" with { type: "text" };
import tallies from "./migrations/0003_rollout_tallies.sql" with { type: "text" };
import { BUSY_NODES, SENT_NODES } from "./store.ts";

const NODE = "'h', '1', NULL, 1, 0, NULL, 0, 0, NULL, NULL, NULL";

function open(): Database {
  const db = new Database(":memory:");
  db.run("PRAGMA foreign_keys = ON");
  db.run("CREATE TABLE nodes (tenant_id TEXT, id TEXT, PRIMARY KEY (tenant_id, id))");
  for (const id of ["a", "b", "c"]) db.run("INSERT INTO nodes VALUES ('t', ?)", [id]);
  db.run(init);
  db.run(
    "INSERT INTO rollouts VALUES ('t', 'r', 'x', 'os_version', '2', '{}', 0, 'completed', 1, 1, 0, '{}', 1, 3, 'm', 1, 2)",
  );
  for (const [rank, [node, stage, state]] of (
    [
      ["a", 0, "done"],
      ["b", 1, "done"],
      ["c", 1, "failed"],
    ] as const
  ).entries())
    db.run(
      `INSERT INTO rollout_nodes (tenant_id, rollout_id, rank, node_id, stage, state, hostname, from_version, app_id, has_cpu,
         since_ms, done_at, is_excused, is_away, detail, command_id, revert_id) VALUES ('t', 'r', ?, ?, ?, ?, ${NODE})`,
      [rank, node, stage, state],
    );
  for (const [no, [kind, stage]] of (
    [
      ["created", 0],
      ["stage_started", 0],
      ["stage_started", 1],
      ["stage_started", 1],
    ] as const
  ).entries())
    db.run("INSERT INTO rollout_timeline VALUES ('t', 'r', ?, ?, ?, ?, '', 'running', 'running', NULL, NULL)", [
      ...[no, 100 + no, kind, stage],
    ]);
  return db;
}

test("rollouts from before are counted by the update, and what was counted goes with them", () => {
  const db = open();
  db.run(errorRates);
  db.run(tallies);
  const counts = db.query("SELECT stage, state, count FROM rollout_counts ORDER BY stage, state");
  expect(counts.all()).toEqual([
    { stage: 0, state: "done", count: 1 },
    { stage: 1, state: "done", count: 1 },
    { stage: 1, state: "failed", count: 1 },
  ]);
  const starts = db.query("SELECT stage, at FROM rollout_stage_starts ORDER BY stage");
  expect(starts.all()).toEqual([
    { stage: 0, at: 101 },
    { stage: 1, at: 103 },
  ]);
  for (const table of ["rollout_nodes", "rollout_timeline", "rollouts"]) db.run(`DELETE FROM ${table}`);
  expect([counts.all(), starts.all()]).toEqual([[], []]);
});

test("of the rollouts of a workspace those that are over are not gone through", () => {
  const db = open();
  for (const sql of [BUSY_NODES, SENT_NODES]) {
    const values = Array.from(sql.matchAll(/\?/g), () => "t");
    const plan = db.query<{ detail: string }, string[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    expect(plan[0]?.detail).toMatch(/^SEARCH rollout_nodes USING INDEX \w+ \(tenant_id=\? AND rollout_id=\?\)$/);
  }
});
