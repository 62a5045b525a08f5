import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { listPolicies, writePolicy } from "./policy-store.ts";
import { finishBackup } from "./store.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

test("choices of apps that are gone make room for later ones", () => {
  const { db } = node.ctx;
  db.tx(() => {
    for (let no = 0; no < 1_001; no++) writePolicy(db, `app_${no}`, "stop");
    writePolicy(db, "app_1", "pause");
    writePolicy(db, "app_new", "none");
  });
  const kept = new Map(listPolicies(db).map(({ app_id, mode }) => [app_id, mode]));
  expect([kept.size, kept.has("app_0"), kept.has("app_2"), kept.get("app_1")]).toEqual([1_000, false, false, "pause"]);
});

test("of backups that failed the newest 500 are remembered, and every one that did not", () => {
  const { db } = node.ctx;
  db.raw.run(`INSERT INTO backup_targets (id, type, name, path, repository_key, kit_key, created_at)
    VALUES ('tgt', 'local', 'x', '/x', '', '', '2026')`);
  db.raw.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 502)
    INSERT INTO backups (id, target, apps, include_config, status, op_id, started_at)
    SELECT 'bkp_' || i, 'tgt', '[]', 1, CASE WHEN i = 1 THEN 'completed' ELSE 'failed' END, 'op', printf('%05d', i) FROM n`);
  db.raw.run(`INSERT INTO backups (id, target, apps, include_config, status, op_id, started_at)
    VALUES ('bkp_last', 'tgt', '[]', 1, 'in_progress', 'op', '99999')`);
  const none = {
    apps: "[]",
    finished_at: "2026",
    size_bytes: 0,
    added_bytes: 0,
    notes: "[]",
    left_out: "[]",
    half: "[]",
    cancelled: 0,
  };
  finishBackup(db, { id: "bkp_last", status: "failed", cause: "x", ...none });
  const sql = "SELECT id FROM backups ORDER BY started_at";
  const ids = db.raw
    .query<{ id: string }, []>(sql)
    .all()
    .map(({ id }) => id);
  expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([501, "bkp_1", "bkp_4", "bkp_last"]);
});
