import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedSeries } from "../../../../../tests/kit/series.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ session_rate: "100000" });
  await call("POST /api/alerting/channels", {
    name: "hook",
    type: "slack",
    secret: "https://hooks.slack.example/services/T0/B0/x",
  });
  for (const starter of await call("GET /api/alerting/rules")) await call(`DELETE /api/alerting/rules/${starter.id}`);
});
afterEach(() => node.close());

const call = async (route: string, body?: unknown) => (await node.call(route, { as: "admin", body })).body;
const makeRule = (metric: string, more: object = {}) =>
  call("POST /api/alerting/rules", { type: "state", metric, ...more });
const preview = (metric: string, more: object = {}) =>
  call("POST /api/alerting/rules/preview", { type: "state", metric, ...more });
const events = () => call("GET /api/alerting/events");
const told = (): string[] =>
  node.ctx.db.raw
    .query<{ kind: string }, []>("SELECT kind FROM alert_outbox ORDER BY seq")
    .all()
    .map(({ kind }) => kind);

const wiki = { app_id: "app_1", name: "wiki", template: "wiki" };
const crash = () =>
  node.ctx.bus.emit("app.crashed", { ...wiki, status: "error", service: "web", cause: "web ended.", next_step: null });
const start = () => node.ctx.bus.emit("app.started", { ...wiki, status: "running" });
const end = (restarts = 1) =>
  node.ctx.bus.emit("app.service_ended", {
    app_id: "app_1",
    name: "wiki",
    service: "web",
    restarts,
    exit_code: 1,
    is_oom: false,
  });

/** Lets minutes pass, with the rounds they bring. */
async function pass(minutes: number): Promise<void> {
  for (let round = 0; round < minutes * 6; round++) {
    await node.clock.advance(10_000);
    node.ctx.metrics.recorder.add(new Map([["host", { cpu_percent: 5 }]]));
    await node.ctx.jobs.run("alerting.evaluate");
  }
}

describe("a crash", () => {
  test("that comes back within the cooldown is told when the cooldown is over, if it lasts", async () => {
    await makeRule("app_crashed", { clear_for: 0, cooldown: "10m" });
    crash();
    await pass(1);
    start();
    await pass(1);
    crash();
    await pass(5);
    expect(told()).toEqual(["fired", "resolved"]);
    await pass(4);
    expect(told()).toEqual(["fired", "resolved", "fired"]);
  });

  test("that lasts is reminded of as often as asked, across a restart, until somebody takes care", async () => {
    await makeRule("app_crashed", { repeat: "10m" });
    crash();
    await pass(9);
    expect(told()).toEqual(["fired"]);
    await pass(2);
    expect(told()).toEqual(["fired", "reminder"]);
    const again = createTestNode({ session_rate: "100000" }, node);
    await again.clock.advance(60_000);
    await again.ctx.jobs.run("alerting.evaluate");
    expect(told()).toEqual(["fired", "reminder"]);
    await again.clock.advance(600_000);
    await again.ctx.jobs.run("alerting.evaluate");
    expect(told()).toEqual(["fired", "reminder", "reminder"]);
    again.close();
    const [{ id }] = await events();
    await call(`POST /api/alerting/events/${id}/acknowledge`);
    await pass(25);
    expect(told()).toHaveLength(3);
  });

  test("again and again is told as flapping once, then that it is over", async () => {
    await makeRule("app_crashed", { clear_for: 0, cooldown: 0 });
    for (let turn = 0; turn < 6; turn++) {
      crash();
      await pass(1);
      start();
      await pass(1);
    }
    expect(told()).toEqual(["fired", "resolved", "fired", "flapping"]);
    expect(await events()).toMatchObject([{ state: "firing", flapping: true }, { state: "resolved" }]);
    await pass(16);
    expect(told()).toEqual(["fired", "resolved", "fired", "flapping", "resolved"]);
  });
});

describe("a crash loop", () => {
  test("is three unexpected ends within ten minutes, told once however long it goes on", async () => {
    await makeRule("app_crash_loop", { clear_for: 0 });
    end();
    await pass(11);
    end();
    await pass(1);
    end();
    expect(told()).toEqual([]);
    await pass(1);
    end();
    expect(told()).toEqual(["fired"]);
    expect((await events())[0]).toMatchObject({
      type: "app_crash_loop",
      entity: "app:app_1",
      message: "wiki keeps crashing: web ended 3 times within 10 minutes. Its log says why.",
    });
    for (let more = 0; more < 12; more++) {
      await pass(2);
      end();
    }
    expect(told()).toEqual(["fired"]);
    await pass(12);
    expect(told()).toEqual(["fired", "resolved"]);
  });

  test("counts restarts that were too fast to be seen one by one", async () => {
    await makeRule("app_crash_loop");
    end(5);
    expect(told()).toEqual(["fired"]);
  });

  test("ends with the app that is stopped, and its ends do not count for the next start", async () => {
    await makeRule("app_crash_loop", { cooldown: 0 });
    end(3);
    node.ctx.bus.emit("app.stopped", { ...wiki, status: "stopped" });
    expect(told()).toEqual(["fired", "resolved"]);
    await pass(1);
    end();
    await pass(1);
    expect(told()).toEqual(["fired", "resolved"]);
  });
});

describe("a preview of a state rule", () => {
  test("cannot tell before anybody watched", async () => {
    expect(await preview("app_crashed")).toMatchObject({
      status: "insufficient_data",
      would_fire: 0,
      reason: expect.stringContaining("Nothing was watching"),
    });
  });

  test("counts crashes to the moment, by the rule's own spans, even where no rule was at the time", async () => {
    await pass(3);
    crash();
    const crashedAt = new Date(node.clock.now()).toISOString();
    await pass(3);
    start();
    await pass(20);
    crash();
    await pass(5);
    const short = await preview("app_crashed", { clear_for: 0 });
    expect(short).toMatchObject({ status: "ok", would_fire: 2, chart: null });
    expect(short.spans[0]).toMatchObject({ entity_name: "wiki", started_at: crashedAt, peak: null });
    expect(short.spans[1].ended_at).toBeNull();
    expect(await preview("app_crashed", { for: "4m" })).toMatchObject({ would_fire: 1 });
    expect(await preview("app_crashed", { entity: "app:other" })).toMatchObject({ status: "ok", would_fire: 0 });
    expect(await preview("disk_health")).toMatchObject({ status: "ok", would_fire: 0 });
  });

  test("an app that went away ends what would have fired", async () => {
    await pass(2);
    crash();
    await pass(2);
    node.ctx.bus.emit("app.removed", { id: "app_1" });
    await pass(2);
    const { would_fire, spans } = await preview("app_crashed");
    expect([would_fire, spans[0].ended_at]).toEqual([1, expect.any(String)]);
  });

  test("a disk that was bad before the day began counts once and goes on", async () => {
    node.ctx.bus.emit("disk.health_changed", {
      device: "sda",
      model: "Old",
      serial: "1",
      status: "FAILED",
      healthy: false,
    });
    await node.clock.advance(26 * 3_600_000);
    await pass(3);
    expect(await preview("disk_health")).toMatchObject({
      status: "ok",
      would_fire: 1,
      spans: [{ entity: "disk:sda", ended_at: null }],
    });
  });
});

test("a preview of an anomaly rule lives through the day again, with the rule's own sensitivity", async () => {
  const now = Date.UTC(2026, 2, 20, 12);
  await node.clock.advance(now - node.clock.now());
  const hour = (t: number) => Math.floor(t / 3_600_000);
  const insert = node.ctx.db.raw.query(
    "INSERT INTO baseline_hours (metric, slot, hour, mean, residual) VALUES ('cpu_percent', ?, ?, ?, ?)",
  );
  for (let at = hour(now) - 24 * 21; at < hour(now) - 25; at++) insert.run(at % 168, at, 20 + (at % 3), (at % 3) - 1);
  const spike = now - 6 * 3_600_000;
  seedSeries(node.ctx.metricsDb, {
    entity: "host",
    tier: "m1",
    from: now - 26 * 3_600_000,
    to: now,
    valuesAt: (t) => ({ cpu_percent: t >= spike && t < spike + 5_400_000 ? 90 : 21 }),
  });
  const of = (sensitivity: number) =>
    call("POST /api/alerting/rules/preview", { type: "anomaly", metric: "cpu_percent", sensitivity });
  const usual = await of(3);
  expect(usual).toMatchObject({ status: "ok", would_fire: 1, spans: [{ entity: "host" }], chart: { threshold: 3 } });
  expect(usual.coverage).toBeGreaterThan(0.9);
  const began = Date.parse(usual.spans[0].started_at);
  expect(began).toBeGreaterThan(spike);
  expect(began).toBeLessThan(spike + 3_600_000);
  expect(Math.max(...usual.chart.values)).toBeGreaterThan(10);
  expect(Date.parse((await of(20)).spans[0].started_at)).toBeGreaterThan(began);
  const unlearned = await call("POST /api/alerting/rules/preview", { type: "anomaly", metric: "load1" });
  expect(unlearned).toMatchObject({ status: "insufficient_data", would_fire: 0 });
});
