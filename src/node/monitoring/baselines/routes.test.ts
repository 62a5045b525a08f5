import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { seedSeries } from "../../../../tests/kit/series.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { listHours } from "./store.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ plan: "pro" });
});
afterEach(() => node.close());

const get = async (path: string) => node.call(`GET /api/alerting/${path}`, { as: "viewer" });
const observe = () => node.ctx.jobs.run("baselines.observe");

/** Busy by day, with a little of everything. */
const usual = (t: number): number => {
  const hour = (t / hours(1)) % 24;
  return (hour >= 8 && hour < 18 ? 50 : 15) + 2 * Math.sin(t / minutes(9));
};

/** Lives through `span` in steps of half a day, as a node that runs does. */
async function live(span: number, cpu: (t: number) => number = usual): Promise<void> {
  const end = node.clock.now() + span;
  while (node.clock.now() < end) {
    const from = node.clock.now();
    const to = Math.min(end, from + hours(12));
    seedSeries(node.ctx.metricsDb, {
      entity: "host",
      tier: "m1",
      from,
      to,
      valuesAt: (t) => ({ cpu_percent: cpu(t), mem_percent: 40 }),
    });
    node.clock.jump(to - from);
    await observe();
  }
}

test("without a week of measurements there is a reason and a time, and no number", async () => {
  await live(days(2));
  const { body } = await get("baselines?metric=cpu_percent");
  expect(body).toMatchObject({ metric: "cpu_percent", status: "insufficient_data", current: null });
  expect(body.reason).toContain("needs a week of measurements; there are 47 hours so far");
  expect(Math.abs(Date.parse(body.ready_at) - node.clock.now() - days(5))).toBeLessThan(hours(2));
  expect(body.slots.length).toBe(168);
  expect(node.ctx.baselines.scoreNow("cpu_percent")).toMatchObject({ status: "insufficient_data", z: null });
  expect((await get("baselines?metric=cpu_temp_c")).body.reason).toContain("has not been measured");
});

test("after a week each hour has its usual value, and the present one its score", async () => {
  await live(days(9));
  const { body } = await get("baselines");
  expect(body).toMatchObject({ metric: "cpu_percent", status: "ok", reason: null, ready_at: null });
  expect(body.current.severity).toBe("normal");
  const noon = body.slots.find((slot: { weekday: number; hour: number }) => slot.weekday === 3 && slot.hour === 12);
  const night = body.slots.find((slot: { weekday: number; hour: number }) => slot.weekday === 3 && slot.hour === 3);
  expect(Math.abs(noon.mean - 50)).toBeLessThan(3);
  expect(Math.abs(night.mean - 15)).toBeLessThan(3);
  expect(noon.weeks).toBeGreaterThanOrEqual(1);
  expect(Math.abs(node.ctx.baselines.scoreNow("cpu_percent").z ?? 99)).toBeLessThan(2);
});

test("an unusual hour is one anomaly, with the figures of its furthest point, and ends by itself", async () => {
  await live(days(15));
  expect((await get("anomalies")).body).toEqual([]);
  await live(hours(3), (t) => usual(t) + 40);
  expect(node.ctx.baselines.scoreNow("cpu_percent")).toMatchObject({
    status: "ok",
    severity: "critical",
    is_anomaly: true,
  });
  const { body } = await get("anomalies?metric=cpu_percent&limit=5");
  expect(body.length).toBe(1);
  expect(body[0]).toMatchObject({ metric: "cpu_percent", severity: "critical", ended_at: null });
  expect(body[0].z_score).toBeGreaterThan(4);
  await live(hours(6));
  const [ended, ...others] = (await get("anomalies")).body;
  expect(others).toEqual([]);
  expect(ended.id).toBe(body[0].id);
  expect(Date.parse(ended.ended_at)).toBeGreaterThan(Date.parse(ended.detected_at));
});

test("a restart in the midst of an anomaly tells nothing twice", async () => {
  await live(days(15));
  await live(hours(2), (t) => usual(t) + 40);
  const before = (await get("anomalies")).body;
  const restarted = createTestNode({ plan: "pro" }, node);
  await restarted.ctx.jobs.run("baselines.observe");
  const after = (await restarted.call("GET /api/alerting/anomalies", { as: "viewer" })).body;
  expect(after.length).toBe(1);
  expect(after[0]).toEqual(before[0]);
  expect(restarted.ctx.baselines.scoreNow("cpu_percent").is_anomaly).toBe(true);
  restarted.close();
});

test("a clock that is years ahead for a while costs nothing of what was learned", async () => {
  await live(days(9));
  const learned = listHours(node.ctx.db, "cpu_percent", Number.MAX_SAFE_INTEGER);
  node.clock.jump(days(3650));
  await live(hours(12));
  node.clock.jump(-days(3650));
  await live(hours(3));
  expect((await get("baselines")).body.status).toBe("ok");
  const kept = listHours(node.ctx.db, "cpu_percent", Number.MAX_SAFE_INTEGER);
  for (const hour of learned) expect(kept).toContainEqual(hour);
});

test("the hour ahead has its tested error beside it", async () => {
  await live(hours(30), (t) => 10 + ((t - Date.UTC(2026, 0, 1)) / hours(1)) * 2);
  const { status, body } = await get("predictions?metric=cpu_percent");
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "ok", metric: "cpu_percent" });
  expect(Math.abs(body.predicted - 72)).toBeLessThan(0.5);
  expect(body.trend_per_hour).toBeCloseTo(2, 1);
  expect(body.backtest).toMatchObject({ runs: 6, has_skill: true });
  expect(Date.parse(body.predicted_at) - Date.parse(body.generated_at)).toBe(hours(1));
  expect((await get("predictions?metric=net_rx_bps")).body).toMatchObject({ status: "insufficient_data" });
});

test("an unknown metric is refused by name, and short names are understood", async () => {
  for (const path of ["baselines?metric=moon", "predictions?metric=moon", "anomalies?metric=moon"]) {
    const { status, body } = await get(path);
    expect([path, status, body.code, body.params.field]).toEqual([path, 400, "baseline_metric_unknown", "metric"]);
  }
  expect((await get("baselines?metric=mem_used")).body.metric).toBe("mem_used_bytes");
});

test("predictions need their plan; anomalies and baselines do not", async () => {
  const poor = createTestNode();
  const { status, body } = await poor.call("GET /api/alerting/predictions?metric=cpu_percent", { as: "viewer" });
  expect(status).toBe(402);
  expect(body).toMatchObject({
    error: "upgrade_required",
    feature: "predictive_alerting",
    current_plan: "community",
    required_plan: "pro",
  });
  expect((await poor.call("GET /api/alerting/anomalies", { as: "viewer" })).status).toBe(200);
  expect((await poor.call("GET /api/alerting/baselines?metric=cpu_percent", { as: "viewer" })).status).toBe(200);
  poor.close();
});
