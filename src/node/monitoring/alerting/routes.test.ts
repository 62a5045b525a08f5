import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { alertingOf } from "../../../../tests/kit/alerting.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeStarters } from "./rules/starters.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ session_rate: "100000" });
});
afterEach(() => node.close());

const RULES = "/api/alerting/rules";
const make = (body: object, as: "admin" | "member" | "viewer" = "admin") => node.call(`POST ${RULES}`, { as, body });

describe("a rule", () => {
  test("of the contract's shortest form gets everything else by default", async () => {
    const { status, body } = await make({ type: "anomaly", metric: "cpu_percent" });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^rul_/),
      name: "Processor use of this server is unusual",
      type: "anomaly",
      metric: "cpu_percent",
      entity: "host",
      op: ">",
      threshold: 2,
      clear_threshold: 1.5,
      for: 0,
      clear_for: 900,
      sensitivity: 2,
      cooldown: 3600,
      repeat: 0,
      severity: "warning",
      channel_ids: "all",
      enabled: true,
      template: null,
      unit: null,
      starter: false,
      created_by: "usr_admin",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      last_fired_at: null,
      open_events: 0,
    });
    expect((await node.call(`GET ${RULES}/${body.id}`, { as: "viewer" })).body).toEqual(body);
    expect((await node.call(`GET ${RULES}`, { as: "viewer" })).body).toEqual([body]);
  });

  test.each([
    [
      { type: "anomaly", metric: "mem_used", sensitivity: 3.5, cooldown: "30m" },
      { metric: "mem_used_bytes", threshold: 3.5, cooldown: 1800 },
    ],
    [
      { type: "threshold", metric: "cpu_percent", threshold: 90 },
      { clear_threshold: 85, for: 300, clear_for: 120 },
    ],
    [{ type: "threshold", metric: "load1", op: "<", threshold: 2 }, { clear_threshold: 2.1 }],
    [
      { type: "threshold", metric: "used_percent", threshold: 90, severity: "critical" },
      { entity: "fs:*", repeat: 14_400 },
    ],
    [
      { type: "threshold", metric: "mem_bytes", entity: "app:app_1", threshold: 1e9 },
      { entity: "app:app_1", unit: "bytes" },
    ],
    [
      { type: "rate", metric: "disk_percent", threshold: 5 },
      { for: 3600, clear_threshold: 5 },
    ],
    [{ type: "absence" }, { entity: "host", threshold: 300 }],
    [{ type: "absence", entity: "fs:/data", for: "10m" }, { threshold: 600 }],
    [
      { type: "state", metric: "app_crashed" },
      { entity: "app:*", threshold: 1, for: 0 },
    ],
    [
      { type: "state", metric: "disk_health", channel_ids: [] },
      { entity: "disk:*", channel_ids: [] },
    ],
  ])("%j", async (body, has) => {
    const answer = await make(body);
    expect([answer.status, answer.body]).toMatchObject([200, has]);
  });

  test.each([
    [{ type: "threshold", metric: "cpu_percent" }, "alert_rule_invalid", "threshold"],
    [{ type: "threshold", threshold: 1 }, "alert_rule_invalid", "metric"],
    [
      { type: "threshold", metric: "cpu_percent", threshold: 80, clear_threshold: 81 },
      "alert_rule_invalid",
      "clear_threshold",
    ],
    [{ type: "threshold", metric: "cpu_percent", threshold: 80, for: "2d" }, "alert_rule_invalid", "for"],
    [{ type: "threshold", metric: "cpu_percent", threshold: 80, entity: "moon" }, "alert_rule_invalid", "entity"],
    [{ type: "anomaly", metric: "fun" }, "alert_metric_unknown", undefined],
    [{ type: "anomaly", metric: "cpu_percent", entity: "app:*" }, "alert_metric_unknown", undefined],
    [{ type: "state", metric: "cpu_percent" }, "alert_metric_unknown", undefined],
    [{ type: "threshold", metric: "app_crashed", threshold: 1 }, "alert_metric_unknown", undefined],
    [
      { type: "threshold", metric: "cpu_percent", threshold: 80, channel_ids: ["nope"] },
      "alert_rule_invalid",
      "channel_ids",
    ],
    [{ type: "anomaly", metric: "cpu_percent", sensitivity: 0 }, "invalid_request", "sensitivity"],
    [{ type: "magic", metric: "cpu_percent" }, "invalid_request", "type"],
    [{ type: "anomaly", metric: "cpu_percent", color: "red" }, "invalid_request", "color"],
  ])("%j is refused", async (body, code, field) => {
    const answer = await make(body);
    expect([answer.status, answer.body.code, answer.body.params.field]).toEqual([400, code, field]);
  });

  test("is changed field by field; levels that follow from a changed one follow", async () => {
    const { id } = (await make({ type: "threshold", metric: "cpu_percent", threshold: 90 })).body;
    const put = async (body: object) => (await node.call(`PUT ${RULES}/${id}`, { as: "admin", body })).body;
    expect(await put({ name: "Hot" })).toMatchObject({ name: "Hot", threshold: 90, clear_threshold: 85 });
    expect(await put({ threshold: 70 })).toMatchObject({ name: "Hot", threshold: 70, clear_threshold: 65 });
    expect(await put({ clear_threshold: 50, enabled: false })).toMatchObject({ clear_threshold: 50, enabled: false });
    expect(await put({ entity: "app:*" })).toMatchObject({ metric: "cpu_percent", entity: "app:*" });
    expect(await put({ type: "state", metric: "disk_health" })).toMatchObject({ type: "state", entity: "disk:*" });
    expect((await node.call(`DELETE ${RULES}/${id}`, { as: "admin" })).status).toBe(200);
    expect((await node.call(`DELETE ${RULES}/${id}`, { as: "admin" })).body.code).toBe("alert_rule_not_found");
  });

  test("of somebody else is for admins; members make their own, viewers none", async () => {
    expect((await make({ type: "absence" }, "viewer")).status).toBe(403);
    const foreign = (await make({ type: "absence" })).body;
    const refused = await node.call(`PUT ${RULES}/${foreign.id}`, { as: "member", body: { name: "x" } });
    expect(refused.body.code).toBe("alert_rule_foreign");
    const own = (await make({ type: "absence" }, "member")).body;
    expect((await node.call(`PUT ${RULES}/${own.id}`, { as: "member", body: { name: "x" } })).status).toBe(200);
    expect((await node.call(`DELETE ${RULES}/${own.id}`, { as: "admin" })).status).toBe(200);
    for (let count = 0; count < 20; count++) await make({ type: "absence" }, "member");
    expect((await make({ type: "absence" }, "member")).body.code).toBe("alert_rule_limit");
    expect((await make({ type: "absence" })).status).toBe(200);
  });
});

test("starter rules are made once in the life of a server", async () => {
  makeStarters(alertingOf(node));
  const rules = (await node.call(`GET ${RULES}`, { as: "admin" })).body;
  expect(rules).toHaveLength(9);
  expect(rules.every(({ starter }: { starter: boolean }) => starter)).toBe(true);
  for (const { id } of rules) await node.call(`DELETE ${RULES}/${id}`, { as: "admin" });
  makeStarters(alertingOf(node));
  expect((await node.call(`GET ${RULES}`, { as: "admin" })).body).toEqual([]);
});

test("targets name what there is", async () => {
  const { body } = await node.call(`GET ${RULES}/targets`, { as: "viewer" });
  expect(body.entities[0]).toMatchObject({ entity: "host", kind: "host" });
  expect(body.states.map(({ name }: { name: string }) => name)).toEqual([
    "app_crashed",
    "app_crash_loop",
    "backup_hollow",
    "disk_health",
    "log_forwarding",
  ]);
});

test("without history a preview says so", async () => {
  const body = { type: "threshold", metric: "cpu_percent", threshold: 90 };
  const answer = await node.call(`POST ${RULES}/preview`, { as: "viewer", body });
  expect(answer.body).toMatchObject({
    status: "insufficient_data",
    would_fire: 0,
    coverage: 0,
    spans: [],
    chart: null,
  });
  const anomaly = await node.call(`POST ${RULES}/preview`, {
    as: "viewer",
    body: { type: "anomaly", metric: "load1" },
  });
  expect(anomaly.body).toMatchObject({
    status: "insufficient_data",
    reason: "Load has not been measured on this server so far.",
    would_fire: 0,
  });
});

test.each(["?limit=0", "?state=open", "?cursor=none", "?from=now"])("events%s are refused", async (query) => {
  expect((await node.call(`GET /api/alerting/events${query}`, { as: "viewer" })).status).toBe(400);
});
