import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { createHold } from "./logic.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const PATH = "/api/alerting/maintenance";
const BODY = { name: "Nightly", start: "2026-01-01T02:00", end: "2026-01-01T03:00", timezone: "UTC" };
const make = (body: object = {}) => node.call(`POST ${PATH}`, { as: "admin", body: { ...BODY, ...body } });

test("a window is made, read, changed and deleted", async () => {
  const made = await make({ repeat: "daily" });
  expect([made.status, made.body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^mnt_/),
      name: "Nightly",
      start: "2026-01-01T02:00",
      end: "2026-01-01T03:00",
      timezone: "UTC",
      repeat: "daily",
      scope: "all",
      rule_ids: [],
      active: false,
      next_start: "2026-01-01T02:00:00.000Z",
      next_end: "2026-01-01T03:00:00.000Z",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    },
  ]);
  const { id } = made.body;
  await node.clock.advance(2.5 * 3_600_000);
  expect((await node.call(`GET ${PATH}/${id}`, { as: "viewer" })).body).toMatchObject({ active: true });
  const changed = await node.call(`PUT ${PATH}/${id}`, { as: "admin", body: { rule_ids: ["rul_1"] } });
  expect(changed.body).toMatchObject({ name: "Nightly", repeat: "daily", scope: "rules", rule_ids: ["rul_1"] });
  expect(createHold(node.ctx.db, node.clock.now())("rul_1")).toBe(true);
  expect(createHold(node.ctx.db, node.clock.now())("rul_2")).toBe(false);
  expect((await node.call(`PUT ${PATH}/${id}`, { as: "admin", body: { scope: "all" } })).body.rule_ids).toEqual([]);
  expect(createHold(node.ctx.db, node.clock.now())(null)).toBe(true);
  expect((await node.call(`DELETE ${PATH}/${id}`, { as: "admin" })).status).toBe(200);
  expect((await node.call(`GET ${PATH}`, { as: "viewer" })).body).toEqual([]);
  expect((await node.call(`DELETE ${PATH}/${id}`, { as: "admin" })).body.code).toBe("maintenance_not_found");
  await node.ctx.bus.idle();
  expect(node.events.map(({ name }) => name)).toEqual([
    "maintenance.created",
    "maintenance.changed",
    "maintenance.changed",
    "maintenance.deleted",
  ]);
});

test("an instant is taken as the wall time of the zone", async () => {
  const { body } = await make({
    start: "2026-07-01T10:00:00Z",
    end: "2026-07-01T11:30:00+00:00",
    timezone: "Europe/Berlin",
  });
  expect(body).toMatchObject({ start: "2026-07-01T12:00", end: "2026-07-01T13:30", repeat: "one-time" });
});

test("a window that is over has no next time", async () => {
  const { body } = await make({ start: "2020-01-01T02:00", end: "2020-01-01T03:00" });
  expect(body).toMatchObject({ next_start: null, next_end: null, active: false });
});

describe("refused", () => {
  test.each([
    [{ timezone: "Europe/Atlantis" }, "maintenance_zone_unknown"],
    [{ timezone: "+01:00" }, "maintenance_zone_unknown"],
    [{ end: "2026-01-01T02:00" }, "maintenance_times"],
    [{ end: "2025-12-31T02:00" }, "maintenance_times"],
    [{ start: "2026-02-30T02:00" }, "maintenance_times"],
    [{ end: "2026-01-02T02:01", repeat: "daily" }, "maintenance_times"],
    [{ scope: "rules" }, "maintenance_times"],
    [{ repeat: "yearly" }, "invalid_request"],
    [{ start: "tomorrow" }, "invalid_request"],
  ])("%j", async (body, code) => {
    const answer = await make(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.params.field).toEqual(expect.any(String));
  });

  test("changes by viewers and members", async () => {
    for (const as of ["viewer", "member"] as const)
      expect((await node.call(`POST ${PATH}`, { as, body: BODY })).status).toBe(403);
  });
});
