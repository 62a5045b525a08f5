import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { moveApp } from "./move.ts";
import { appListJson } from "./present.ts";
import { createAppState } from "./state.ts";
import type { AppRow } from "./store.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const seed = (name: string, more: Partial<AppRow> = {}) => seedApp(node, name, more);

const install = (body: unknown) => node.call("POST /api/apps", { as: "admin", body });

test.each<[string, unknown, number, string, string | null]>([
  ["an unknown template", { template: "whoamy", name: "a" }, 404, "template_not_found", null],
  ["an unknown field", { template: "whoami", name: "a", colour: "red" }, 400, "invalid_request", "colour"],
  [
    "an unknown config field",
    { template: "whoami", name: "a", config: { disk: 1 } },
    400,
    "invalid_request",
    "config.disk",
  ],
  [
    "an unknown question",
    { template: "whoami", name: "a", config: { inputs: { NO: "1" } } },
    400,
    "invalid_request",
    "config.inputs.NO",
  ],
  [
    "an unknown port",
    { template: "whoami", name: "a", config: { ports: { "web:1": 80 } } },
    400,
    "invalid_request",
    "config.ports.web:1",
  ],
  [
    "a port out of range",
    { template: "whoami", name: "a", config: { ports: { "web:1": 70000 } } },
    400,
    "invalid_request",
    "config.ports.web:1",
  ],
  [
    "limits for nobody",
    { template: "whoami", name: "a", config: { limits: { db: { cpus: 1 } } } },
    400,
    "invalid_request",
    "config.limits.db",
  ],
  ["a name with capitals", { template: "whoami", name: "Who Am I" }, 400, "invalid_name", "name"],
  ["a name with a dash in the end", { template: "whoami", name: "a-" }, 400, "invalid_name", "name"],
  ["an empty name", { template: "whoami", name: "" }, 400, "invalid_name", "name"],
  ["a name of 41 letters", { template: "whoami", name: "a".repeat(41) }, 400, "invalid_name", "name"],
  ["no name", { template: "whoami" }, 400, "invalid_request", "name"],
])("install refuses %s", async (_, body, status, code, field) => {
  const answer = await install(body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  if (field !== null) expect(answer.body.params.field).toBe(field);
  expect(node.events.filter(({ name }) => name.startsWith("app."))).toEqual([]);
});

test("a taken name is refused with one that is free", async () => {
  await seed("whoami");
  await seed("whoami-2");
  const answer = await install({ template: "whoami", name: "whoami" });
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: "app_name_taken", params: { name: "whoami", suggestion: "whoami-3" } });
});

test("at the plan's limit the answer is 402 in the contract's words", async () => {
  for (let number = 0; number < 25; number++) await seed(`a${number}`);
  const answer = await install({ template: "whoami", name: "one-more" });
  expect(answer.status).toBe(402);
  expect(answer.body).toMatchObject({
    error: "upgrade_required",
    feature: "apps",
    current_plan: "community",
    required_plan: "pro",
    upgrade_url: expect.any(String),
    message: expect.stringContaining("25"),
  });
});

test("without Docker nothing is begun, and everything says what to do", async () => {
  await seed("here");
  for (const route of ["POST /api/apps/app_here/start", "DELETE /api/apps/app_here"]) {
    const answer = await node.call(route, { as: "admin" });
    expect([route, answer.status, answer.body.code]).toEqual([route, 503, "runtime_unavailable"]);
  }
  expect((await install({ template: "whoami", name: "new" })).status).toBe(503);
  const { body } = await node.call("GET /api/apps", { as: "viewer" });
  expect(body.map((app: { name: string; status: string }) => [app.name, app.status])).toEqual([["here", "stopped"]]);
  const runtime = await node.call("GET /api/system/runtime", { as: "viewer" });
  expect(runtime.body).toMatchObject({ version: null, next_step: expect.any(String) });
  const plan = await node.call("POST /api/apps/plan", { as: "admin", body: { template: "whoami" } });
  expect(plan.status).toBe(200);
  expect(plan.body.ok).toBe(false);
  const checks: { id: string; status: string; next_step: string | null }[] = plan.body.checks;
  expect(checks.find(({ id }) => id === "runtime")).toMatchObject({ status: "fail", next_step: expect.any(String) });
});

test("a plan shows everything before anything is done", async () => {
  await seed("whoami");
  const { body } = await node.call("POST /api/apps/plan", {
    as: "admin",
    body: { template: "whoami", name: "whoami" },
  });
  const checks: { id: string; status: string; next_step: string | null }[] = body.checks;
  expect(checks.map(({ id }) => id).sort()).toEqual(
    ["runtime", "name", "plan", "arch", "memory", "disk", "port", "reach", "image", "permissions", "inputs"].sort(),
  );
  expect(checks.find(({ id }) => id === "name")).toMatchObject({
    status: "fail",
    next_step: expect.stringContaining("whoami-2"),
  });
  expect(body.ports.length).toBeGreaterThan(0);
  const free = await node.call("POST /api/apps/plan", { as: "admin", body: { template: "whoami" } });
  expect(free.body.name).toBe("whoami-2");
  expect((await node.call("POST /api/apps/plan", { as: "admin", body: { template: "nothing" } })).status).toBe(404);
});

test("unknown apps are 404 on every route", async () => {
  for (const route of [
    "GET /api/apps/none",
    "DELETE /api/apps/none",
    "POST /api/apps/none/start",
    "POST /api/apps/none/stop",
    "POST /api/apps/none/restart",
    "POST /api/apps/none/retry",
    "GET /api/apps/none/secrets",
    "GET /api/apps/none/logs",
    "GET /api/apps/none/logs?follow=true",
    "GET /api/apps/none/stats",
  ]) {
    const answer = await node.call(route, { as: "admin" });
    expect([route, answer.status, answer.body.code]).toEqual([route, 404, "app_not_found"]);
  }
});

test("a busy app takes no second order, a healthy one nothing to try again", async () => {
  await seed("busy", { status: "installing", work: "install" });
  expect((await node.call("POST /api/apps/app_busy/retry", { as: "admin" })).body.code).toBe("app_not_failed");
  await seed("up", { status: "running" });
  const answer = await node.call("POST /api/apps/app_up/start", { as: "admin" });
  expect([answer.status, answer.body.status]).toEqual([200, "running"]);
});

test("the list is remembered until something changes", async () => {
  await seed("one");
  const first = await node.call("GET /api/apps", { as: "viewer" });
  expect(first.headers.get("content-type")).toContain("application/json");
  await seed("two");
  const again = await node.call("GET /api/apps", { as: "viewer" });
  expect(again.body).toEqual(first.body);
  expect(Object.keys(first.body[0]).sort()).toEqual(
    // The shape that the dashboard was promised.
    "id name template display_name icon category version status cause next_step created_at installed_at started_at url port op_id update"
      .split(" ")
      .sort(),
  );
});

test("what moves an app is in the list at once, though it was remembered", async () => {
  await seed("one");
  const own = { ...node.ctx, state: createAppState({ latest: () => null, measured: async () => null }) };
  const statuses = () => JSON.parse(appListJson(own)).map(({ status }: { status: string }) => status);
  expect(statuses()).toEqual(["stopped"]);
  node.ctx.db.tx(() => {
    moveApp(own, "app_one", "saw_running");
    // Somebody reads in the middle of it.
    statuses();
  });
  expect(own.state.list_json).toBeNull();
  expect(statuses()).toEqual(["running"]);
});

test("the detail never shows secrets or passwords; admins may ask for secrets", async () => {
  await seed("one");
  const detail = await node.call("GET /api/apps/app_one", { as: "viewer" });
  expect(detail.status).toBe(200);
  expect(detail.body).toMatchObject({ services: [], volumes: expect.any(Array), limits: expect.any(Object) });
  expect((await node.call("GET /api/apps/app_one/secrets", { as: "member" })).status).toBe(403);
  expect((await node.call("GET /api/apps/app_one/secrets", { as: "admin" })).status).toBe(200);
});

test.each([
  ["apps.registry_mirror", "https://mirror.lan", 400],
  ["apps.registry_mirror", "mirror.lan:5000", 200],
  ["apps.registry_credentials", "docker", 400],
  ["apps.registry_credentials", '[{"registry":"docker.io","username":"u","password":"p"}]', 200],
  ["apps.publish_default", "everywhere", 400],
  ["apps.publish_default", "lan", 200],
])("setting %s to %s answers %i", async (key, value, status) => {
  const answer = await node.call(`PUT /api/settings/${key}`, { as: "admin", body: { value } });
  expect(answer.status).toBe(status);
});

test("the setting decides where ports are reachable, the admin's word wins", async () => {
  const bindOf = async (config: unknown) =>
    (await node.call("POST /api/apps/plan", { as: "admin", body: { template: "whoami", config } })).body.ports[0].bind;
  expect(await bindOf({})).toBe("127.0.0.1");
  expect(await bindOf({ publish: "lan" })).toBe("0.0.0.0");
  await node.call("PUT /api/settings/apps.publish_default", { as: "admin", body: { value: "lan" } });
  expect(await bindOf({})).toBe("0.0.0.0");
  expect(await bindOf({ publish: "loopback" })).toBe("127.0.0.1");
});
