import { expect, test } from "bun:test";
import { createTestNode } from "../../../../../tests/kit/node-app.ts";
import { days } from "../../../../lib/duration.ts";

test("states and silences of things that are long gone are forgotten, those that hold are not", async () => {
  const node = createTestNode();
  const { db, jobs } = node.ctx;
  const now = node.clock.now();
  const [old, young] = [now - days(366), now - days(364)];
  const state = (entity: string, at: number, isOpen: number) =>
    db.raw
      .query(
        `INSERT INTO alert_states (rule_key, entity, phase, since, counted_from, at, is_open, flapping, turns)
         VALUES ('r', ?, 'ok', ?, ?, ?, ?, 0, '[]')`,
      )
      .run(entity, at, at, at, isOpen);
  state("app:gone", old, 0);
  state("app:open", old, 1);
  state("app:young", young, 0);
  const quiet = db.raw.query(
    "INSERT INTO alert_quiet (rule_key, entity, fire_told_at, silenced_until) VALUES ('r', ?, ?, ?)",
  );
  quiet.run("app:gone", old, old);
  quiet.run("app:silent", null, now + days(1));
  quiet.run("app:told", young, null);
  await jobs.run("alerting.prune");
  const entities = (table: string) =>
    db.raw
      .query<{ entity: string }, []>(`SELECT entity FROM ${table} ORDER BY entity`)
      .all()
      .map(({ entity }) => entity);
  expect([entities("alert_states"), entities("alert_quiet")]).toEqual([
    ["app:open", "app:young"],
    ["app:silent", "app:told"],
  ]);
  node.close();
});

test("however much happened in an hour, all that is too old goes in one run", async () => {
  const node = createTestNode();
  const { db, jobs } = node.ctx;
  db.raw.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
    INSERT INTO alert_fact_log (metric, entity, entity_name, bad, at) SELECT 'app_ended', 'app:x', 'x', 1, i FROM n`);
  db.raw.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO alert_events (id, rule_key, rule_name, type, severity, entity, entity_name, unit, message, started_at, fired_at,
      resolved_at, channel_ids, cooldown_s, repeat_s)
    SELECT 'evt_' || i, 'r', 'r', 'state', 'info', 'app:x', 'x', '', '', i, i, i, '[]', 0, 0 FROM n`);
  await jobs.run("alerting.prune");
  const count = (table: string) => db.raw.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect([count("alert_fact_log"), count("alert_events")]).toEqual([0, 0]);
  node.close();
});
