import { expect, test } from "bun:test";
import { createTestNode } from "../../../../../tests/kit/node-app.ts";

test("however many attempts an hour had, all that are a month old go in one run", async () => {
  const node = createTestNode();
  const { db, jobs } = node.ctx;
  db.raw.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO alert_deliveries (id, channel_id, channel_name, channel_type, attempt, status, provider_text, plain, test, at)
    SELECT 'old_' || i, 'c', 'c', 'webhook', 1, 'failed', '', 0, 0, i FROM n`);
  await jobs.run("alert-channels.prune");
  expect(db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM alert_deliveries").get()?.n).toBe(0);
  node.close();
});
