import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { listSources } from "../apps/index.ts";
import { createRegistries } from "./index.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const PATH = "/api/containers/registries";
const PRIVATE = { address: "10.0.0.7:5000", username: "ada", secret: "open sesame", confirm_private: true };
const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const add = (change: object = {}) => call(`POST ${PATH}`, { ...PRIVATE, ...change });
const loginsOf = (image: string) =>
  listSources({ settings: node.ctx.settings, registries: createRegistries(node.ctx) }, image).map(
    ({ login }) => login?.password ?? null,
  );

test("a login is added, listed and removed; its password is sealed and never comes back", async () => {
  const made = await add();
  expect(made.status).toBe(200);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^reg_/),
    address: "10.0.0.7:5000",
    username: "ada",
    created_at: "2026-01-01T00:00:00.000Z",
  });
  expect((await call(`GET ${PATH}`)).body).toEqual([made.body]);
  await node.ctx.bus.idle();
  const stored = node.ctx.db.raw.query("SELECT * FROM registries").all();
  const audit = (await call("GET /api/audit/logs")).body;
  expect(JSON.stringify([made.body, stored, node.events, audit])).not.toContain("open sesame");
  const removed = await call(`DELETE ${PATH}/${made.body.id}`);
  expect(removed.body.message).toBe("The login for 10.0.0.7:5000 is removed.");
  expect((await call(`GET ${PATH}`)).body).toEqual([]);
  expect((await call(`DELETE ${PATH}/${made.body.id}`)).body.code).toBe("registry_not_found");
  expect(node.events.map(({ name }) => name).filter((name) => name.startsWith("registry."))).toEqual([
    "registry.added",
    "registry.removed",
  ]);
});

test("a login is for images of exactly that registry", async () => {
  await add();
  await add({ address: "docker.io", secret: "of the hub" });
  expect(loginsOf("10.0.0.7:5000/a/b:1")).toEqual(["open sesame"]);
  for (const other of ["10.0.0.7/a", "10.0.0.7:5001/a", "10.0.0.70:5000/a", "x.10.0.0.7:5000/a"])
    expect([other, ...loginsOf(other)]).toEqual([other, null]);
  expect(loginsOf("redis:7")).toEqual(["of the hub"]);
  expect(loginsOf("evil.example/docker.io/redis")).toEqual([null]);
});

test("what was added comes before what the settings have", async () => {
  const value = '[{"registry":"10.0.0.7:5000","username":"u","password":"old"}]';
  await call("PUT /api/settings/apps.registry_credentials", { value });
  expect(loginsOf("10.0.0.7:5000/a")).toEqual(["old"]);
  await add();
  expect(loginsOf("10.0.0.7:5000/a")).toEqual(["open sesame"]);
});

test("a login that was put into the row of another registry is used for neither", async () => {
  await add();
  node.ctx.db.raw.run("UPDATE registries SET address = '10.0.0.8:5000'");
  expect(loginsOf("10.0.0.8:5000/a")).toEqual([null]);
  expect(loginsOf("10.0.0.7:5000/a")).toEqual([null]);
});

test.each([
  ["169.254.169.254:80", "link-local"],
  ["[fe80::1]:5000", "link-local"],
  ["100.100.100.200:5000", "metadata"],
])("%s is not called, confirmed or not", async (address, what) => {
  const { status, body } = await add({ address });
  expect([status, body.code, body.params.field]).toEqual([400, "invalid_request", "address"]);
  expect(body.message).toContain(what);
});

test.each(["10.0.0.7:5000", "127.0.0.1:5000", "192.168.1.9:443", "[fd12::1]:5000"])(
  "%s is of one's own network and has to be meant",
  async (address) => {
    const { status, body } = await add({ address, confirm_private: false });
    expect([status, body.code]).toEqual([409, "registry_private"]);
    expect((await call(`GET ${PATH}`)).body).toEqual([]);
    expect((await add({ address })).status).toBe(200);
  },
);

test.each([
  ["Registry-1.Docker.io", "docker.io"],
  ["1.1.1.1:5000", "1.1.1.1:5000"],
])("%s needs no confirmation and is known as %s", async (address, known) => {
  expect((await add({ address, confirm_private: false })).body.address).toBe(known);
});

test.each([
  ["address", "https://ghcr.io"],
  ["address", "ghcr.io/owner"],
  ["address", "user@ghcr.io"],
  ["address", "registry"],
  ["address", "10.0.0.7:0"],
  ["address", "10.0.0.7:65536"],
  ["address", ""],
  ["username", "a:b"],
  ["username", " ada"],
  ["secret", ""],
  ["secret", "a\nb"],
])("%s %p is refused", async (field, value) => {
  const { status, body } = await add({ [field]: value });
  expect([status, body.code, body.params.field]).toEqual([400, "invalid_request", field]);
});

test("one login for a registry, and no more registries than are read at once", async () => {
  await add();
  expect((await add({ username: "eve" })).body.code).toBe("registry_taken");
  for (let port = 1; port < 50; port += 1) await add({ address: `10.0.0.8:${port}` });
  expect((await add({ address: "10.0.0.9" })).body.code).toBe("registry_limit");
});

test("only admins see registries", async () => {
  for (const as of ["viewer", "member"] as const) {
    expect((await node.call(`GET ${PATH}`, { as })).status).toBe(403);
    expect((await node.call(`POST ${PATH}`, { as, body: PRIVATE })).status).toBe(403);
  }
});

test("without an engine a test says so", async () => {
  const { id } = (await add()).body;
  expect((await call(`POST ${PATH}/${id}/test`)).body.code).toBe("runtime_unavailable");
  await node.ctx.bus.idle();
  expect(node.events.map(({ name }) => name)).not.toContain("registry.tested");
});
