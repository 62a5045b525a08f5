import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { seedSeries } from "../../../../tests/kit/series.ts";
import { toIso } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ insights_alerts: "true" });
});
afterEach(() => node.close());

const get = async (path: string, of = node) => (await of.call(`GET ${path}`, { as: "viewer" })).body;
const score = () => node.ctx.jobs.run("insights.score");

/** A disk, and the host beside it, as they were over the last days. */
function seedDays(count: number, usedAt: (day: number) => number, hostAt: (day: number) => number = () => 40): void {
  const today = Math.floor(node.clock.now() / days(1)) * days(1);
  const span = { tier: "d1" as const, from: today - days(count), to: today };
  const day = (t: number): number => count - Math.round((today - t) / days(1));
  const db = node.ctx.metricsDb;
  seedSeries(db, { ...span, entity: "fs:/data", valuesAt: (t) => ({ used_percent: usedAt(day(t)) }) });
  const valuesAt = (t: number) => ({ cpu_percent: 5 + (day(t) % 2), mem_percent: hostAt(day(t)) });
  seedSeries(db, { ...span, entity: "host", valuesAt });
}

function addApp(name: string, installedMsAgo: number): void {
  node.ctx.db.raw
    .query(
      `INSERT INTO apps (id, name, template, version, status, created_at, installed_at, config, manifest, compose)
       VALUES (?, ?, 'whoami', '1.0.0', 'running', ?2, ?, '{}', '{}', '')`,
    )
    .run(`app_${name}`, name, toIso(node.clock.now() - installedMsAgo));
}

async function end(name: string, what: { restarts?: number; exit_code?: number; is_oom?: boolean }): Promise<void> {
  const rest = { restarts: 0, exit_code: 1, is_oom: false, ...what };
  node.ctx.bus.emit("app.service_ended", { app_id: `app_${name}`, name, service: "web", ...rest });
  await node.ctx.bus.idle();
}

test("a new server says what it lacks, and invents nothing", async () => {
  const { scored_at, predictions } = await get("/api/insights/predictions");
  expect(Date.parse(scored_at)).toBe(node.clock.now());
  expect(predictions.map(({ predictor }: { predictor: string }) => predictor)).toEqual([
    "resource_anomaly",
    "capacity_forecast",
    "capacity_forecast",
    "capacity_forecast",
    "backup_health",
    "app_health",
  ]);
  for (const prediction of predictions) {
    expect(Object.keys(prediction).sort()).toEqual(["predictor", "reason", "status"]);
    expect(prediction).toMatchObject({ status: "insufficient_data", reason: expect.stringMatching(/\w+/) });
  }
  expect((await get("/api/insights/predictions?min_risk=medium")).predictions).toEqual([]);
  expect((await get("/api/insights/predictions?predictor=backup_health")).predictions.length).toBe(1);
});

describe("backups", () => {
  /** Backups of the last days, one a day, the oldest first. */
  function seedRuns(runs: readonly { isGood?: boolean; minutes?: number; size?: number }[]): void {
    for (const [index, { isGood = true, minutes: took = 10, size = 1_000 }] of runs.entries()) {
      const at = node.clock.now() - days(runs.length - index);
      const times = { started_at: at, finished_at: at + minutes(took) };
      node.ctx.lists.backupRuns.add((since) =>
        at >= since ? [{ is_good: isGood, ...times, size_bytes: isGood ? size : 0 }] : [],
      );
    }
  }
  const judge = async () => {
    await score();
    return (await get("/api/insights/predictions?predictor=backup_health")).predictions[0];
  };
  const many = (count: number, run = {}) => Array.from({ length: count }, () => run);

  test("are well when they are", async () => {
    seedRuns(many(8));
    expect(await judge()).toEqual({
      predictor: "backup_health",
      status: "ok",
      failure_rate_pct: 0,
      consecutive_failures: 0,
      last_success_at: toIso(node.clock.now() - days(1) + minutes(10)),
      risk_level: "low",
      summary: expect.stringContaining("none failed within 30 days."),
    });
  });

  test("are of high risk when one after the other fails, or half of them do", async () => {
    seedRuns([...many(20), ...many(3, { isGood: false })]);
    expect(await judge()).toMatchObject({ risk_level: "high", consecutive_failures: 3, failure_rate_pct: 13 });
    seedRuns([...many(30, { isGood: false }), {}]);
    expect((await judge()).risk_level).toBe("high");
  });

  test("one that failed is seen", async () => {
    seedRuns([...many(9), { isGood: false }]);
    expect(await judge()).toMatchObject({ risk_level: "medium", consecutive_failures: 1 });
  });

  test("ones that take much longer are seen", async () => {
    seedRuns([...many(6), ...many(3, { minutes: 35 })]);
    expect(await judge()).toMatchObject({
      risk_level: "medium",
      summary: expect.stringContaining("3.5 times as long"),
    });
  });

  test("ones that are much smaller are seen", async () => {
    seedRuns([...many(6), ...many(3, { size: 100 })]);
    expect((await judge()).summary).toContain("less than half as large");
  });
});

test("a disk that fills is forecast with the fields of the contract", async () => {
  seedDays(20, (day) => 60 + day);
  await score();
  const { predictions } = await get("/api/insights/predictions?predictor=capacity_forecast&min_risk=medium");
  expect(predictions).toEqual([
    {
      predictor: "capacity_forecast",
      status: "ok",
      resource: "disk:/data",
      days_until_full: expect.closeTo(20.5, 0),
      current_pct: 79,
      trend_slope: 1,
      r_squared: 1,
      risk_level: "medium",
      forecast_date: expect.stringMatching(/^2026-01-2\dT/),
    },
  ]);
  expect((await get("/api/insights/predictions?min_risk=high")).predictions).toEqual([]);
});

test("memory and processor wait for 30 days; without a trend they have none", async () => {
  seedDays(20, () => 30);
  await score();
  const early = await get("/api/insights/predictions?predictor=capacity_forecast");
  const reasons = early.predictions.map(({ reason }: { reason: string }) => reason);
  expect(reasons[1]).toBe("ram: A forecast needs 30 days of measurements; there are 20. Ready in about 10 days.");
  expect(reasons[0]).toStartWith("disk:/data: There is no trend");
});

test("after 30 days memory is forecast; a processor that goes up and down has no trend", async () => {
  seedDays(
    31,
    () => 30,
    (day) => 50 + day,
  );
  await score();
  const late = await get("/api/insights/predictions?predictor=capacity_forecast");
  expect(late.predictions[1]).toMatchObject({ status: "ok", resource: "ram", risk_level: "medium" });
  expect(late.predictions[2].reason).toStartWith("cpu: There is no trend");
});

test("what came down within 24 hours is a high risk, what came down this week a medium one", async () => {
  await score();
  addApp("blog", days(3));
  addApp("wiki", days(3));
  addApp("fresh", hours(-20));
  await node.clock.advance(hours(25));
  await end("blog", { restarts: 2, exit_code: 137, is_oom: true });
  await end("wiki", { restarts: 3, exit_code: 0 });
  await score();
  const { predictions } = await get("/api/insights/predictions?predictor=app_health");
  expect(predictions[0]).toEqual({
    predictor: "app_health",
    status: "ok",
    app_name: "blog",
    restarts_24h: 2,
    restarts_7d: 2,
    oom_kills_24h: 1,
    crashes_24h: 2,
    risk_level: "high",
    summary: "blog ran out of memory once, ended unexpectedly once, was started again 2 times in the last 24 hours.",
  });
  expect(predictions[2]).toMatchObject({ app_name: "wiki", risk_level: "low", restarts_24h: 3, crashes_24h: 0 });
  expect(predictions[1]).toMatchObject({ status: "insufficient_data", reason: expect.stringContaining("24 hours") });
  await node.clock.advance(hours(30));
  await score();
  const later = (await get("/api/insights/predictions?predictor=app_health")).predictions[0];
  expect(later).toMatchObject({ risk_level: "medium", crashes_24h: 0, restarts_7d: 2 });
  await node.clock.advance(days(9));
  await score();
  const quiet = (await get("/api/insights/predictions?predictor=app_health")).predictions[0];
  expect(quiet).toMatchObject({ risk_level: "low", restarts_7d: 0 });
});

test("a high risk is raised once, and again only when it was gone in between", async () => {
  const raised = () => node.events.filter(({ name }) => name === "insight.raised");
  await score();
  addApp("blog", days(3));
  await node.clock.advance(hours(25));
  await end("blog", { exit_code: 3 });
  for (let hour = 0; hour < 5; hour++) {
    await score();
    await node.clock.advance(hours(1));
  }
  await node.ctx.bus.idle();
  expect(raised()).toEqual([
    {
      name: "insight.raised",
      data: {
        predictor: "app_health",
        subject: "blog",
        risk_level: "high",
        message: "blog ended unexpectedly once in the last 24 hours.",
      },
    },
  ]);
  await node.clock.advance(hours(30));
  await score();
  await end("blog", { exit_code: 3 });
  await score();
  await score();
  await node.ctx.bus.idle();
  expect(raised().length).toBe(2);
});

test("without its switch nothing is raised", async () => {
  const quiet = createTestNode();
  quiet.ctx.db.raw
    .query(
      `INSERT INTO apps (id, name, template, version, status, created_at, installed_at, config, manifest, compose)
       VALUES ('app_x', 'x', 'whoami', '1.0.0', 'running', 'x', '2025-12-01T00:00:00.000Z', '{}', '{}', '')`,
    )
    .run();
  await quiet.ctx.jobs.run("insights.score");
  await quiet.clock.advance(hours(25));
  const lost = { app_id: "app_x", name: "x", service: "web", restarts: 0, exit_code: 1, is_oom: false };
  quiet.ctx.bus.emit("app.service_ended", lost);
  await quiet.ctx.bus.idle();
  await quiet.ctx.jobs.run("insights.score");
  const [risk] = (await get("/api/insights/predictions?predictor=app_health", quiet)).predictions;
  expect(risk.risk_level).toBe("high");
  expect(quiet.events.some(({ name }) => name === "insight.raised")).toBe(false);
  quiet.close();
});

test("disks have the day on which they reach 90 percent, resources the trend of a week", async () => {
  seedDays(20, (day) => 60 + day);
  seedSeries(node.ctx.metricsDb, {
    entity: "host",
    tier: "h1",
    from: node.clock.now() - days(7),
    to: node.clock.now(),
    valuesAt: (t) => ({
      cpu_percent: 10,
      mem_percent: 40 + (t - node.clock.now()) / days(1),
      net_rx_bps: 1000,
      net_tx_bps: 500,
    }),
  });
  const { disks, resources } = await get("/api/system/metrics/predictions");
  expect(disks.length).toBe(1);
  expect(disks[0]).toMatchObject({ mount_point: "/data", status: "ok", will_reach_90: true, slope_per_day: 1 });
  expect(disks[0].days_until_90).toBeCloseTo(10.5, 0);
  expect(disks[0].points.length).toBe(20);
  const last = disks[0].forecast.at(-1);
  expect(last.value).toBe(100);
  expect(last.low).toBeLessThanOrEqual(last.value);
  const [cpu, ram, disk, network] = resources;
  expect(cpu).toMatchObject({ resource: "cpu", status: "ok", trend_per_day: 0 });
  expect(ram.trend_per_day).toBeCloseTo(1, 2);
  expect(ram.in_7_days).toBeCloseTo(47, 0);
  expect(disk).toMatchObject({ resource: "disk", status: "insufficient_data", current: null });
  expect(network).toMatchObject({ resource: "network", unit: "bytes_per_second", current: 1500 });
});
