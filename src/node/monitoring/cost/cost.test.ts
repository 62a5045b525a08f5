import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario } from "../../../../tests/kit/scenario.ts";
import { seedSeries } from "../../../../tests/kit/series.ts";
import { toIso } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { GIB } from "./usage.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ plan: "pro" });
});
afterEach(() => node.close());

const get = async (path: string) => (await node.call(`GET /api/cost/${path}`, { as: "viewer" })).body;

/** An installed app; `limits` in MB by service. */
function addApp(name: string, limits: Record<string, number> = {}, status = "running"): void {
  const manifest = {
    limits: Object.fromEntries(Object.entries(limits).map(([key, memory_mb]) => [key, { memory_mb }])),
  };
  node.ctx.db.raw
    .query(
      `INSERT INTO apps (id, name, template, version, status, created_at, installed_at, config, manifest, compose)
       VALUES (?, ?, 'whoami', '1.0.0', ?, ?4, ?4, '{}', ?5, '')`,
    )
    .run(`app_${name}`, name, status, toIso(node.clock.now() - days(60)), JSON.stringify(manifest));
}

/** Hours of an app up to now. */
function seedHours(
  name: string,
  count: number,
  at: (hourOfDay: number, t: number) => [cpu: number, mem: number, bps?: number],
) {
  const to = Math.floor(node.clock.now() / hours(1)) * hours(1);
  seedSeries(node.ctx.metricsDb, {
    entity: `app:app_${name}`,
    tier: "h1",
    from: to - hours(count),
    to,
    valuesAt: (t) => {
      const [cpu_percent, mem_bytes, bps = 0] = at((t / hours(1)) % 24, t);
      return { cpu_percent, mem_bytes, net_rx_bps: bps, net_tx_bps: bps };
    },
  });
}

test("costs are what was used times the rates, to the cent", async () => {
  addApp("blog");
  addApp("wiki");
  seedHours("blog", 48, () => [50, 2 * GIB]);
  seedHours("wiki", 24, () => [10, GIB]);
  await node.call("PUT /api/cost/settings", {
    as: "admin",
    body: { cpu_core_hour: 0.1, memory_gb_hour: 0.02, disk_gb_hour: 0, currency: "CHF" },
  });
  const summary = await get("summary");
  expect(summary).toMatchObject({ currency: "CHF", measured_hours: 48, cpu_cost: 2.64, memory_cost: 2.4, total: 5.04 });
  expect(summary.top_apps.map((app: { app_name: string }) => app.app_name)).toEqual(["blog", "wiki"]);
  expect(summary.top_apps[0]).toMatchObject({
    cost: 4.32,
    cpu_core_hours: 24,
    memory_gb_hours: 96,
    share_percent: 85.7143,
  });
  expect(summary.monthly_estimate).toBeCloseTo((5.04 / 48) * 730, 3);
});

test("trends have one point a day, and none where nothing was measured", async () => {
  addApp("blog");
  seedHours("blog", 72, () => [100, 0]);
  await node.clock.advance(minutes(30));
  const week = await get("trends?period=7d");
  expect(week.points.length).toBe(7);
  expect(week.points.map((point: { total: number | null }) => point.total)).toEqual([
    null,
    null,
    null,
    0.24,
    0.24,
    0.24,
    null,
  ]);
  expect(week.points.at(-1).date).toBe("2026-01-01");
  expect(week.total).toBe(0.72);
  expect(week.change_percent).toBeNull();
  expect((await get("trends?period=30d")).points.length).toBe(30);
  expect((await node.call("GET /api/cost/trends?period=1y", { as: "viewer" })).status).toBe(400);
});

test("growing costs show as a change between the halves of the period", async () => {
  addApp("blog");
  seedHours("blog", 6 * 24, (_, t) => [t < node.clock.now() - days(3) ? 50 : 100, 0]);
  expect((await get("trends?period=7d")).change_percent).toBe(100);
});

test("an app that did nothing for more than a day can be stopped", async () => {
  addApp("blog");
  addApp("busy");
  addApp("off", {}, "stopped");
  for (const name of ["blog", "off"]) seedHours(name, 168, () => [0.4, GIB, 5000]);
  seedHours("busy", 168, (hour) => [hour === 3 ? 2 : 0.2, GIB, 5000]);
  const { recommendations, insufficient_data, saving_per_month } = await get("recommendations");
  expect(recommendations.length).toBe(1);
  expect(insufficient_data).toEqual([]);
  expect(recommendations[0]).toMatchObject({
    id: "idle:app_blog",
    kind: "idle",
    coverage_percent: 100,
    how_to_apply: { commands: ["orrery app stop blog"], path: "/apps/app_blog" },
  });
  expect(recommendations[0].saving_per_month).toBeCloseTo((0.004 * 0.01 + 0.005) * 730, 3);
  expect(saving_per_month).toBe(recommendations[0].saving_per_month);
});

test("below 90 percent of the time measured there is no advice, but a reason", async () => {
  addApp("young");
  seedHours("young", 20, () => [0.1, GIB]);
  const { recommendations, insufficient_data } = await get("recommendations");
  expect(recommendations).toEqual([]);
  expect(insufficient_data).toMatchObject([{ app_name: "young", reason: expect.stringContaining("there are 80%") }]);
});

test("a limit far above the highest use can be lowered, with room to spare", async () => {
  addApp("blog", { web: 2048 });
  addApp("pair", { web: 2048, db: 2048 });
  for (const name of ["blog", "pair"]) seedHours(name, 168, () => [20, 300 * 2 ** 20, 5000]);
  const { recommendations } = await get("recommendations");
  expect(recommendations.length).toBe(1);
  expect(recommendations[0]).toMatchObject({
    kind: "right_size",
    app_name: "blog",
    title: "Give blog 512 MB of memory instead of 2048 MB",
    how_to_apply: { commands: ["docker update --memory 512m --memory-swap 512m orrery-blog-web"] },
  });
  expect(recommendations[0].saving_per_month).toBeCloseTo(1.5 * 0.005 * 730, 4);
});

test("an app that rests at the same hours every day can be stopped in them", async () => {
  addApp("blog");
  seedHours("blog", 14 * 24, (hour) => (hour >= 22 || hour < 6 ? [0.1, GIB, 10] : [20, GIB, 5000]));
  const { recommendations } = await get("recommendations");
  expect(recommendations.length).toBe(1);
  expect(recommendations[0]).toMatchObject({
    kind: "scale_to_zero",
    title: "Let blog rest from 22:00 to 06:00 UTC",
    how_to_apply: { commands: ["0 22 * * * orrery app stop blog", "0 6 * * * orrery app start blog"] },
  });
  expect(recommendations[0].saving_per_month).toBeCloseTo((0.005 * 730 * 8) / 24, 4);
});

test("one single night with visitors is enough to keep it up", async () => {
  addApp("blog");
  seedHours("blog", 14 * 24, (hour, t) => {
    const isParty = t > node.clock.now() - days(5) && t < node.clock.now() - days(4);
    return (hour >= 22 || hour < 6) && !isParty ? [0.1, GIB, 10] : [20, GIB, 5000];
  });
  expect((await get("recommendations")).recommendations).toEqual([]);
});

test("rates are changed by members and admins, within sense", async () => {
  const route = "PUT /api/cost/settings";
  await checkScenario(node, route, { as: "viewer", body: { cpu_core_hour: 1 }, status: 403, code: "forbidden" });
  await checkScenario(node, route, {
    as: "admin",
    body: { cpu_core_hour: -1 },
    status: 400,
    field: "cpu_core_hour",
    code: "invalid_request",
  });
  await checkScenario(node, route, {
    as: "admin",
    body: { currency: "euro" },
    status: 400,
    field: "currency",
    code: "invalid_request",
  });
  await checkScenario(node, route, { as: "admin", body: {}, status: 400, code: "cost_settings_empty" });
  await checkScenario(node, route, {
    as: "admin",
    body: { cpu_core_hour: 0.5 },
    status: 200,
    has: { cpu_core_hour: 0.5, memory_gb_hour: 0.005, currency: "EUR" },
    events: { "settings.changed": 1 },
  });
  await checkScenario(node, route, { as: "member", body: { cpu_core_hour: 0.5 }, status: 200 });
  expect((await get("settings")).cpu_core_hour).toBe(0.5);
});

test("as long as a rate is a default, every answer says so", async () => {
  const flags = async () =>
    Promise.all(
      ["summary", "trends", "recommendations", "settings"].map(async (path) => (await get(path)).rates_are_defaults),
    );
  expect(await flags()).toEqual([true, true, true, true]);
  const own = { cpu_core_hour: 0.01, memory_gb_hour: 0.005 };
  const put = (body: object) => node.call("PUT /api/cost/settings", { as: "admin", body });
  expect((await put(own)).body.rates_are_defaults).toBe(true);
  expect((await put({ disk_gb_hour: 0.0001 })).body.rates_are_defaults).toBe(false);
  expect(await flags()).toEqual([false, false, false, false]);
});

test("without the plan each of the routes is refused, the role first", async () => {
  const poor = createTestNode();
  for (const path of ["summary", "trends?period=7d", "recommendations", "settings"]) {
    const { status, body } = await poor.call(`GET /api/cost/${path}`, { as: "viewer" });
    expect([path, status, body.error, body.feature]).toEqual([path, 402, "upgrade_required", "cost_optimization"]);
  }
  expect((await poor.call("PUT /api/cost/settings", { as: "viewer", body: {} })).status).toBe(403);
  expect((await poor.call("PUT /api/cost/settings", { as: "member", body: {} })).status).toBe(402);
  poor.close();
});
