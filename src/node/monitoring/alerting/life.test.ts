import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ session_rate: "100000" });
  await call("POST /api/alerting/channels", {
    name: "hook",
    type: "slack",
    secret: "https://hooks.slack.example/services/T0/B0/x",
  });
});
afterEach(() => node.close());

const call = async (route: string, body?: unknown) => (await node.call(route, { as: "admin", body })).body;
const makeRule = (body: object = {}) =>
  call("POST /api/alerting/rules", { type: "threshold", metric: "cpu_percent", threshold: 90, ...body });
const evaluate = () => node.ctx.jobs.run("alerting.evaluate");

/** Lets minutes pass in which the server reports that; null reports nothing. */
async function pass(count: number, cpu: number | null): Promise<void> {
  for (let sweep = 0; sweep < count * 6; sweep++) {
    await node.clock.advance(10_000);
    if (cpu !== null) node.ctx.metrics.recorder.add(new Map([["host", { cpu_percent: cpu }]]));
    await evaluate();
  }
}

const told = (): string[] =>
  node.ctx.db.raw
    .query<{ kind: string }, []>("SELECT kind FROM alert_outbox ORDER BY seq")
    .all()
    .map(({ kind }) => kind);
const events = (query = "") => call(`GET /api/alerting/events${query}`);
async function heard(): Promise<string[]> {
  await node.ctx.bus.idle();
  return node.events.map(({ name }) => name).filter((name) => /^alert\./.test(name));
}

test("an episode fires once, resolves once, and its event tells the whole of it", async () => {
  const rule = await makeRule();
  await pass(10, 20);
  expect(await events()).toEqual([]);
  await pass(4, 97);
  expect(told()).toEqual([]);
  await pass(4, 97);
  expect(told()).toEqual(["fired"]);
  expect((await call("GET /api/system/overview")).alerts).toEqual({ open: 1, critical: 0 });
  await pass(10, 95);
  expect(told()).toEqual(["fired"]);
  await pass(1, 87);
  await pass(5, 30);
  expect(told()).toEqual(["fired", "resolved"]);
  const [event] = await events();
  expect(event).toMatchObject({
    state: "resolved",
    rule_id: rule.id,
    entity: "host",
    peak: 97,
    threshold: 90,
    resolution: "recovered",
    started_at: "2026-01-01T00:11:00.000Z",
    suppressed: false,
    message: expect.stringMatching(/^Processor use of .+ is 97 %, above 90 % for 5 min\.$/),
  });
  expect(event.duration_seconds).toBe((Date.parse(event.resolved_at) - Date.parse(event.started_at)) / 1000);
  expect(await heard()).toEqual(["alert.fired", "alert.resolved"]);
  expect(await call(`GET /api/alerting/rules/${rule.id}`)).toMatchObject({
    open_events: 0,
    last_fired_at: event.fired_at,
  });
});

test("a short peak is no alert", async () => {
  await makeRule();
  await pass(10, 20);
  await pass(2, 100);
  await pass(10, 20);
  expect(await events()).toEqual([]);
});

test("right after our own start we hold still", async () => {
  await makeRule({ for: 0 });
  await node.clock.advance(3_600_000);
  const again = createTestNode({ session_rate: "100000" }, node);
  for (let sweep = 0; sweep < 6; sweep++) {
    await again.clock.advance(10_000);
    again.ctx.metrics.recorder.add(new Map([["host", { cpu_percent: 99 }]]));
    await again.ctx.jobs.run("alerting.evaluate");
  }
  expect(told()).toEqual([]);
  for (let sweep = 0; sweep < 12; sweep++) {
    await again.clock.advance(10_000);
    again.ctx.metrics.recorder.add(new Map([["host", { cpu_percent: 99 }]]));
    await again.ctx.jobs.run("alerting.evaluate");
  }
  expect(told()).toEqual(["fired"]);
  again.close();
});

describe("without data", () => {
  test("what fires goes on, and an event of its own tells after five minutes", async () => {
    await makeRule();
    await pass(8, 97);
    expect(told()).toEqual(["fired"]);
    await pass(4, null);
    expect(await events("?state=firing")).toHaveLength(1);
    await pass(4, null);
    expect((await events("?state=firing")).map(({ type }: { type: string }) => type)).toEqual(["no_data", "threshold"]);
    await pass(2, 97);
    expect((await events("?state=firing")).map(({ type }: { type: string }) => type)).toEqual(["threshold"]);
    expect(told()).toEqual(["fired", "fired", "resolved"]);
  });

  test("an absence rule fires and ends with the first data that lasts", async () => {
    await makeRule({ type: "absence", metric: undefined, threshold: undefined, for: 120 });
    await pass(5, 10);
    await pass(5, null);
    expect(told()).toEqual(["fired"]);
    await pass(6, 10);
    expect(told()).toEqual(["fired", "resolved"]);
  });
});

describe("in maintenance", () => {
  const window = (start: string, end: string) =>
    call("POST /api/alerting/maintenance", { start, end, timezone: "UTC" });

  test("a fire waits for the end of the window", async () => {
    await makeRule();
    await window("2026-01-01T00:00", "2026-01-01T00:30");
    await pass(25, 97);
    expect(told()).toEqual([]);
    expect((await events())[0]).toMatchObject({ state: "firing", suppressed: true, notified_at: null });
    expect(await heard()).toEqual([]);
    await pass(6, 97);
    expect(told()).toEqual(["fired"]);
  });

  test("what begins and ends inside is never told", async () => {
    await makeRule();
    await window("2026-01-01T00:00", "2026-01-01T00:30");
    await pass(10, 97);
    await pass(30, 20);
    expect(told()).toEqual([]);
    expect((await events())[0]).toMatchObject({ state: "resolved", suppressed: true });
  });

  test("the end of what was told before waits too, and is told", async () => {
    await makeRule();
    await window("2026-01-01T00:13", "2026-01-01T00:40");
    await pass(12, 97);
    expect(told()).toEqual(["fired"]);
    await pass(20, 20);
    expect(told()).toEqual(["fired"]);
    await pass(10, 20);
    expect(told()).toEqual(["fired", "resolved"]);
  });
});

describe("people", () => {
  test("are reminded until somebody takes care", async () => {
    await makeRule({ repeat: "10m" });
    await pass(30, 97);
    expect(told()).toEqual(["fired", "reminder", "reminder"]);
    const [{ id }] = await events();
    expect(await call(`POST /api/alerting/events/${id}/acknowledge`)).toMatchObject({ acknowledged_by: "usr_admin" });
    await call(`POST /api/alerting/events/${id}/acknowledge`);
    await pass(30, 97);
    expect(told()).toHaveLength(3);
    await pass(6, 20);
    expect(told().at(-1)).toBe("resolved");
    expect(await heard()).toEqual(["alert.fired", "alert.acknowledged", "alert.resolved"]);
    expect((await call(`POST /api/alerting/events/${id}/acknowledge`)).code).toBe("alert_event_over");
  });

  test("who silence it hear nothing of it again, but that it is over", async () => {
    await makeRule({ repeat: "10m" });
    await pass(8, 97);
    const [{ id }] = await events();
    const { silenced_until } = await call(`POST /api/alerting/events/${id}/silence`, { for: "1h" });
    expect(Date.parse(silenced_until)).toBe(node.clock.now() + 3_600_000);
    await pass(20, 97);
    await pass(6, 20);
    expect(told()).toEqual(["fired", "resolved"]);
    await pass(10, 97);
    expect(told()).toEqual(["fired", "resolved"]);
    const [again] = await events();
    expect(again).toMatchObject({ state: "firing", silenced_until });
    await call(`POST /api/alerting/events/${again.id}/silence`, { until: null });
    await evaluate();
    expect(told()).toEqual(["fired", "resolved", "fired"]);
    expect((await call(`POST /api/alerting/events/${id}/silence`, { for: 60 })).code).toBe("alert_event_over");
    const past = { until: "2020-01-01T00:00:00Z" };
    expect((await call(`POST /api/alerting/events/${again.id}/silence`, past)).code).toBe("alert_rule_invalid");
  });

  test.each([
    ["rule_disabled", (id: string) => call(`PUT /api/alerting/rules/${id}`, { enabled: false })],
    ["rule_changed", (id: string) => call(`PUT /api/alerting/rules/${id}`, { metric: "load1" })],
    ["rule_deleted", (id: string) => call(`DELETE /api/alerting/rules/${id}`)],
  ])("who were told hear at once that it is over: %s", async (resolution, act) => {
    const { id } = await makeRule();
    await pass(8, 97);
    await act(id);
    expect(told()).toEqual(["fired", "resolved"]);
    expect((await events())[0]).toMatchObject({ state: "resolved", resolution });
  });

  test("read what they worded themselves", async () => {
    await makeRule({ template: "{{entity_name}} sweats at {{ value }} {{unknown}}" });
    await pass(8, 97);
    expect((await events())[0].message).toMatch(/^\S+ sweats at 97 % \{\{unknown\}\}$/);
  });
});

test("what turns four times in half an hour is told as flapping, then only when it is over", async () => {
  await makeRule({ for: 0, clear_for: 0, cooldown: 0 });
  await pass(2, 20);
  for (let turn = 0; turn < 6; turn++) {
    await pass(2, 97);
    await pass(2, 20);
  }
  expect(told()).toEqual(["fired", "resolved", "fired", "flapping"]);
  expect(await events("?state=firing")).toHaveLength(1);
  await pass(16, 20);
  expect(told()).toEqual(["fired", "resolved", "fired", "flapping", "resolved"]);
});

test("a second fire within the cooldown waits for its end", async () => {
  await makeRule({ for: 0, clear_for: 0, cooldown: "10m" });
  await pass(2, 20);
  await pass(2, 97);
  await pass(2, 20);
  await pass(4, 97);
  expect(told()).toEqual(["fired", "resolved"]);
  await pass(6, 97);
  expect(told()).toEqual(["fired", "resolved", "fired"]);
});

describe("a state rule", () => {
  const crash = (status: "error" | "running" = "error") =>
    node.ctx.bus.emit("app.crashed", {
      app_id: "app_1",
      name: "wiki",
      template: "wiki",
      status,
      service: "web",
      cause: "web ran out of memory.",
      next_step: null,
    });

  test("hears of a crash in the transaction that tells of it", async () => {
    await makeRule({ type: "state", metric: "app_crashed", threshold: undefined });
    expect(() =>
      node.ctx.db.tx(() => {
        crash();
        throw new Error("no");
      }),
    ).toThrow();
    expect(told()).toEqual([]);
    crash();
    expect(told()).toEqual(["fired"]);
    expect((await events())[0]).toMatchObject({
      type: "app_crashed",
      entity: "app:app_1",
      entity_name: "wiki",
      message: "wiki crashed: web ran out of memory.",
      value: null,
    });
    await node.clock.advance(60_000);
    node.ctx.bus.emit("app.status_changed", { id: "app_1", status: "running", cause: null });
    await node.clock.advance(20_000);
    await evaluate();
    expect(told()).toEqual(["fired"]);
    await node.clock.advance(11_000);
    await evaluate();
    expect(told()).toEqual(["fired", "resolved"]);
  });

  test("ends with the app", async () => {
    await makeRule({ type: "state", metric: "app_crashed", threshold: undefined });
    crash();
    node.ctx.bus.emit("app.removed", { id: "app_1" });
    expect(told()).toEqual(["fired", "resolved"]);
    expect((await events())[0].resolution).toBe("entity_removed");
  });

  test("follows the health of a disk; not knowing it changes nothing", async () => {
    await makeRule({ type: "state", metric: "disk_health", threshold: undefined, clear_for: 0 });
    const disk = async (healthy: boolean | null) => {
      await node.clock.advance(1000);
      node.ctx.bus.emit("disk.health_changed", { device: "sda", model: "Old", serial: "1", status: "FAILED", healthy });
    };
    await disk(null);
    expect(told()).toEqual([]);
    await disk(false);
    await disk(null);
    expect(told()).toEqual(["fired"]);
    expect((await events())[0]).toMatchObject({ entity: "disk:sda", entity_name: "sda (Old)", type: "disk_health" });
    await disk(true);
    expect(told()).toEqual(["fired", "resolved"]);
  });
});

test("a clock that is set back neither ends nor repeats anything", async () => {
  await makeRule();
  await pass(8, 97);
  node.clock.jump(-7_200_000);
  await pass(8, 97);
  expect(told()).toEqual(["fired"]);
  await pass(12, 20);
  expect(told()).toEqual(["fired", "resolved"]);
});

test("a preview counts what the rule would have done, with the curve", async () => {
  await pass(10, 20);
  await pass(10, 97);
  await pass(10, 20);
  const body = { type: "threshold", metric: "cpu_percent", threshold: 90 };
  const preview = await call("POST /api/alerting/rules/preview", body);
  expect(preview).toMatchObject({ status: "ok", would_fire: 1, spans: [{ entity: "host", peak: 97 }] });
  expect(preview.spans[0].ended_at).not.toBeNull();
  expect(preview.chart.values).toHaveLength(144);
  expect(Math.max(...preview.chart.values.map(Number))).toBe(97);
  const lower = await call("POST /api/alerting/rules/preview", { ...body, op: "<", threshold: 50 });
  expect(lower.would_fire).toBe(2);
});

test("events page without gaps and filter", async () => {
  const { id } = await makeRule({ for: 0, clear_for: 0, cooldown: 0 });
  await pass(2, 20);
  for (let turn = 0; turn < 3; turn++) {
    await pass(1, 97);
    await pass(35, 20);
  }
  const all = await events();
  expect(all).toHaveLength(3);
  const first = await events("?limit=2");
  expect([...first, ...(await events(`?limit=2&cursor=${first[1].id}`))]).toEqual(all);
  expect(await events(`?rule_id=${id}&severity=warning&state=resolved`)).toHaveLength(3);
  expect(await events("?severity=critical")).toEqual([]);
  expect(await events(`?from=${all[1].fired_at}`)).toHaveLength(2);
});
