import { afterAll, describe, expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

const root = new URL("../../machine/fixtures/debian-vm", import.meta.url).pathname;
const node = createTestNode({ host_root: root });
afterAll(() => node.close());

const setUp = (body: unknown) => node.call("POST /api/setup/node", { as: "admin", body });

test("name and mode are stored, lowercased, and used everywhere", async () => {
  const { status, body } = await setUp({ name: "Home-Server", mode: "personal", starter_apps: [] });
  expect(status).toBe(200);
  expect(body).toEqual({ hostname: "home-server", mode: "personal", apps: [] });
  expect((await node.call("GET /api/system/info", { as: "viewer" })).body.hostname).toBe("home-server");
  expect((await node.call("GET /api/auth/lock-info")).body.hostname).toBe("home-server");
  expect((await node.call("GET /api/profile/preferences", { as: "viewer" })).body.mode).toBe("personal");
});

test("the last call wins", async () => {
  await setUp({ name: "first", mode: "server" });
  expect((await setUp({ name: "second", mode: "cluster" })).body).toEqual({
    hostname: "second",
    mode: "cluster",
    apps: [],
  });
  expect(node.ctx.settings.get("node.name")).toBe("second");
});

test("starter apps answer one by one; what stands in the way is told", async () => {
  const { status, body } = await setUp({ name: "a", mode: "server", starter_apps: ["whoami", "no-such-app", "../x"] });
  expect(status).toBe(200);
  expect(body.apps.map(({ template }: { template: string }) => template)).toEqual(["whoami", "no-such-app", "../x"]);
  // The test node has no container engine.
  expect(body.apps[0].error).toContain("Docker");
  expect(body.apps[1].error).toContain("no-such-app");
  expect(Object.keys(body.apps[2])).toEqual(["template", "error"]);
});

describe("names that are no hostname label", () => {
  const names = ["", "-a", "a-", "a.b", "a b", "a_b", "ümlaut", "x".repeat(64), "x".repeat(1000), "a\n", "../etc"];
  test.each(names)("%j", async (name) => {
    const before = node.ctx.settings.get("node.name");
    const { status, body } = await setUp({ name, mode: "server", starter_apps: [] });
    expect([status, body.code]).toEqual([400, "invalid_name"]);
    expect(node.ctx.settings.get("node.name")).toBe(before);
  });
});

describe("malformed requests name the field", () => {
  const rows: [string, unknown, string][] = [
    ["no name", { mode: "server" }, "name"],
    ["a name that is no text", { name: 7, mode: "server" }, "name"],
    ["no mode", { name: "a" }, "mode"],
    ["an unknown mode", { name: "a", mode: "galaxy" }, "mode"],
    ["a reach that nobody knows", { name: "a", mode: "server", publish: "moon" }, "publish"],
    ["an unknown field", { name: "a", mode: "server", color: "red" }, "color"],
    ["apps that are no list", { name: "a", mode: "server", starter_apps: "whoami" }, "starter_apps"],
    ["an app that is no text", { name: "a", mode: "server", starter_apps: [1] }, "starter_apps.0"],
    ["too many apps", { name: "a", mode: "server", starter_apps: Array(51).fill("x") }, "starter_apps"],
  ];
  test.each(rows)("%s", async (_, body, field) => {
    const answer = await setUp(body);
    expect([answer.status, answer.body.code, answer.body.params?.field]).toEqual([400, "invalid_request", field]);
  });
});

test("only admins may", async () => {
  const body = { name: "mine", mode: "server", starter_apps: [] };
  expect((await node.call("POST /api/setup/node", { body })).status).toBe(401);
  expect((await node.call("POST /api/setup/node", { as: "member", body })).status).toBe(403);
});
