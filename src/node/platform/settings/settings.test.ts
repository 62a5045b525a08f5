import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, dumpDatabase, scenarios } from "../../../../tests/kit/scenario.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ anonymous_rate: "100000" });
});
afterEach(() => node.close());
const scenario = scenarios(() => node);

const ROUTES = ["GET /api/settings", "PUT /api/settings", "GET /api/settings/x", "PUT /api/settings/x"];
for (const route of ROUTES) {
  scenario("not for strangers", route, { status: 401, code: "unauthorized" });
  scenario("not for members", route, { as: "member", status: 403, code: "forbidden" });
}

const stored = () => node.ctx.db.raw.query("SELECT key FROM settings").all();

test.each(["objstore.endpoint", "objstore.", "objstore.a.b"])(
  "the reserved key %s reads as missing and cannot be written",
  async (key) => {
    await checkScenario(node, `GET /api/settings/${key}`, { as: "admin", status: 200, has: { key, value: "" } });
    for (const [route, body] of [
      [`PUT /api/settings/${key}`, { value: "x" }],
      ["PUT /api/settings", { [key]: "x" }],
      ["PUT /api/settings/", { [key]: "x" }],
    ] as const) {
      await checkScenario(node, route, {
        as: "admin",
        body,
        status: 400,
        code: "settings_key_reserved",
        has: { params: { key } },
      });
    }
    expect(stored()).toEqual([]);
  },
);

test("a reserved key that is in the store for other reasons is neither listed nor read", async () => {
  node.ctx.db.raw.query("INSERT INTO settings VALUES ('objstore.secret', 'hunter2', 'now')").run();
  const list = await node.call("GET /api/settings", { as: "admin" });
  const one = await node.call("GET /api/settings/objstore.secret", { as: "admin" });
  expect(JSON.stringify([list.body, one.body])).not.toContain("hunter2");
});

test.each(["nothing.here", "constructor", "__proto__", "toString", "a%2Fb", "%00", "x".repeat(5_000)])(
  "the unknown key %# reads as empty and cannot be written",
  async (key) => {
    await checkScenario(node, `GET /api/settings/${key}`, { as: "admin", status: 200, has: { value: "" } });
    await checkScenario(node, `PUT /api/settings/${key}`, {
      as: "admin",
      body: { value: "x" },
      status: 400,
      code: "setting_unknown",
    });
    expect(stored()).toEqual([]);
  },
);

test.each<[string, unknown, string]>([
  ["PUT /api/settings/x", {}, "value"],
  ["PUT /api/settings/x", { value: 1 }, "value"],
  ["PUT /api/settings/x", { value: "x".repeat(65_537) }, "value"],
  ["PUT /api/settings/x", { value: "x", key: "y" }, "key"],
  ["PUT /api/settings", { x: 1 }, "x"],
  ["PUT /api/settings", { x: null }, "x"],
  ["PUT /api/settings", "{", "body"],
  ["PUT /api/settings", Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, ""])), "body"],
])("%s with bad input %# is 400 and changes nothing", async (route, body, field) => {
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}` };
  const before = dumpDatabase(node);
  await checkScenario(node, route, { headers, body, status: 400, code: "invalid_request", field, events: { "*": 0 } });
  expect(dumpDatabase(node)).toEqual(before);
});

test("every declared setting can be read, written and read again; one bad value stores none", async () => {
  const { body: list } = await node.call("GET /api/settings", { as: "admin" });
  for (const { key, secret, value } of list) {
    expect(await node.call(`GET /api/settings/${key}`, { as: "admin" })).toMatchObject({
      status: 200,
      body: { key, value },
    });
    if (secret) expect(value).toBe("");
  }
  const first = list.find(({ secret }: { secret: boolean }) => !secret);
  if (!first) return;
  const body = { [first.key]: first.default, "nothing.here": "x" };
  await checkScenario(node, "PUT /api/settings", { as: "admin", body, status: 400, code: "setting_unknown" });
  expect(stored()).toEqual([]);
  await checkScenario(node, "PUT /api/settings", { as: "admin", body: { [first.key]: first.default }, status: 200 });
  expect(stored()).toEqual([{ key: first.key }]);
});

test("an empty bulk write changes nothing", async () => {
  await checkScenario(node, "PUT /api/settings", { as: "admin", body: {}, status: 200, events: { "*": 0 } });
  expect(stored()).toEqual([]);
});
