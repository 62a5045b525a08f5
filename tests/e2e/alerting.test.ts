import { expect, test } from "bun:test";
import { startNode } from "../kit/binary.ts";
import { setUp, signIn } from "../kit/client.ts";

test("rules and windows outlive a kill; a starter rule that was deleted does not come back", async () => {
  const node = await startNode();
  const owner = await setUp(node.url);
  const starters = await owner.ok("GET /api/alerting/rules");
  expect(starters.length).toBeGreaterThan(5);
  for (const { id } of starters) await owner.ok(`DELETE /api/alerting/rules/${id}`);
  const made = await owner.ok("POST /api/alerting/rules", { type: "anomaly", metric: "cpu_percent", sensitivity: 2.5 });
  const window = { start: "2026-01-01T02:00", end: "2026-01-01T03:00", timezone: "Europe/Berlin", repeat: "daily" };
  const planned = await owner.ok("POST /api/alerting/maintenance", window);
  await node.kill();
  const again = await startNode({ dataDir: node.dataDir });
  const back = await signIn(again.url);
  expect(await back.ok("GET /api/alerting/rules")).toEqual([made]);
  expect(await back.ok("GET /api/alerting/maintenance")).toMatchObject([{ id: planned.id, timezone: "Europe/Berlin" }]);
  expect(await back.ok("GET /api/alerting/events")).toEqual([]);
  await again.dispose();
});
