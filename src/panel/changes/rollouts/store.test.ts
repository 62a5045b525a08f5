import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import init from "./migrations/0001_rollouts.sql" with { type: "text" };
import { BUSY_NODES, SENT_NODES } from "./store.ts";

test("of the rollouts of a workspace those that are over are not gone through", () => {
  const db = new Database(":memory:");
  db.run(init);
  for (const sql of [BUSY_NODES, SENT_NODES]) {
    const values = Array.from(sql.matchAll(/\?/g), () => "t");
    const plan = db.query<{ detail: string }, string[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    expect(plan[0]?.detail).toMatch(/^SEARCH rollout_nodes USING INDEX \w+ \(tenant_id=\? AND rollout_id=\?\)$/);
  }
});
