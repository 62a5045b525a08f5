import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { ensureSecrets } from "../blueprint/secrets.ts";
import { findApp, listPorts, replacePorts } from "../store.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ trusted_proxies: "127.0.0.1" });
});
afterEach(() => node.close());

const place = (service: string, container: number, host: number, bind = "127.0.0.1") => ({
  service,
  container,
  protocol: "tcp" as const,
  host,
  bind,
  purpose: "Web",
});
const AWAY = { "x-forwarded-for": "192.0.2.9", host: "atlas.local" };

async function seed(more: Parameters<typeof seedApp>[2] = {}): Promise<void> {
  await seedApp(node, "one", more);
  replacePorts(node.ctx.db, "app_one", [place("whoami", 80, 18_080)]);
}
const plan = (body: unknown, headers = {}) =>
  node.call("POST /api/apps/app_one/config/plan", { as: "admin", body, headers });
const change = (body: unknown) => node.call("PUT /api/apps/app_one/config", { as: "admin", body });
const configOf = (id: string) => JSON.parse(findApp(node.ctx.db, id)?.config ?? "null");

test("a plan says what changes, what restarts, and who could open it, and changes nothing", async () => {
  await seed({ status: "running" });
  const before = findApp(node.ctx.db, "app_one");
  const { status, body } = await plan(
    { publish: "lan", ports: { "whoami:80": 18_090 }, limits: { whoami: { memory_mb: 99 } } },
    AWAY,
  );
  expect([status, body.ok]).toEqual([200, true]);
  expect(body.changes.map(({ label, from, to }: Record<string, string>) => [label, from, to])).toEqual([
    ["Port for Web", "18080", "18090"],
    ["Who can reach Web", "this server only", "your network"],
    ["Memory limit of whoami", expect.stringMatching(/ MB$/), "99 MB"],
  ]);
  expect(body.restarts).toEqual(["whoami"]);
  expect(body.ports).toMatchObject([{ host: 18_090, bind: "0.0.0.0" }]);
  expect(findApp(node.ctx.db, "app_one")).toEqual(before);
  expect(listPorts(node.ctx.db, "app_one")[0]?.host).toBe(18_080);
  expect(node.events.filter(({ name }) => name === "app.configured")).toEqual([]);
});

test("whoever could not open the app afterwards is told so", async () => {
  await seed({ status: "running" });
  replacePorts(node.ctx.db, "app_one", [place("whoami", 80, 18_080, "0.0.0.0")]);
  const { body } = await plan({ publish: "loopback" }, AWAY);
  const reach = body.checks.find(({ id }: { id: string }) => id === "reach");
  expect(reach).toMatchObject({ status: "warn", next_step: expect.any(String) });
});

test("a stopped app is changed at once and restarts nothing; the change is on record", async () => {
  await seed();
  const { status, body } = await change({ publish: "lan", ports: { "whoami:80": 18_090 } });
  expect([status, body.op_id]).toEqual([200, null]);
  expect(listPorts(node.ctx.db, "app_one")).toMatchObject([{ host: 18_090, bind: "0.0.0.0" }]);
  expect(configOf("app_one")).toMatchObject({ publish: "lan", ports: { "whoami:80": 18_090 } });
  const { body: app } = await node.call("GET /api/apps/app_one", { as: "viewer" });
  expect([app.port, app.status]).toEqual([18_090, "stopped"]);
  const { body: list } = await node.call("GET /api/apps", { as: "viewer" });
  expect(list[0].port).toBe(18_090);
  const { body: entries } = await node.call("GET /api/audit/logs?action=app.", { as: "admin" });
  const entry = entries.find(({ action }: { action: string }) => action === "app.configured");
  expect(entry.details.changes).toEqual([
    "Port for Web: 18080 to 18090",
    "Who can reach Web: this server only to your network",
  ]);
});

test("what is not named stays, one port's word outlives nothing that is said of all", async () => {
  await seed({ config: JSON.stringify({ limits: { whoami: { memory_mb: 77 } }, publish: "loopback" }) });
  await change({ reach: { "whoami:80": "lan" } });
  expect(listPorts(node.ctx.db, "app_one")).toMatchObject([{ host: 18_080, bind: "0.0.0.0" }]);
  expect(configOf("app_one").limits).toEqual({ whoami: { memory_mb: 77 } });
  await change({ publish: "loopback" });
  expect(listPorts(node.ctx.db, "app_one")).toMatchObject([{ host: 18_080, bind: "127.0.0.1" }]);
  const { body } = await plan({ limits: { whoami: {} } });
  expect(body.changes).toMatchObject([{ kind: "limit", from: "77 MB" }]);
});

test("an app on the network stays there while other things change", async () => {
  await seed({ status: "running" });
  replacePorts(node.ctx.db, "app_one", [place("whoami", 80, 18_080, "0.0.0.0")]);
  for (const body of [{ ports: { "whoami:80": 18_090 } }, { limits: { whoami: { memory_mb: 99 } } }, {}]) {
    const planned = await plan(body);
    expect(planned.body.changes.filter(({ kind }: { kind: string }) => kind === "reach")).toEqual([]);
    expect(planned.body.ports).toMatchObject([{ bind: "0.0.0.0" }]);
  }
});

test("nothing new is no change", async () => {
  await seed();
  expect((await change({ ports: { "whoami:80": 18_080 } })).body).toEqual({ op_id: null, changes: [] });
  expect(node.events.filter(({ name }) => name === "app.configured")).toEqual([]);
});

test("a port that another app has is refused with one that is free", async () => {
  await seed();
  await seedApp(node, "two");
  replacePorts(node.ctx.db, "app_two", [place("whoami", 80, 18_090)]);
  const planned = await plan({ ports: { "whoami:80": 18_090 } });
  expect(planned.body.ok).toBe(false);
  expect(planned.body.checks[0]).toMatchObject({
    id: "port",
    status: "fail",
    next_step: expect.stringContaining("18091"),
  });
  const answer = await change({ ports: { "whoami:80": 18_090 } });
  expect([answer.status, answer.body.code]).toEqual([409, "app_port_taken"]);
  expect(answer.body.message).toContain("18091 is free");
  expect(listPorts(node.ctx.db, "app_one")[0]?.host).toBe(18_080);
});

test.each<[string, unknown, string]>([
  ["a port that it does not have", { ports: { "whoami:81": 9000 } }, "config.ports.whoami:81"],
  ["reach for a port that it does not have", { reach: { "db:81": "lan" } }, "config.reach.db:81"],
  ["a service that it does not have", { limits: { db: { cpus: 1 } } }, "config.limits.db"],
  ["a question that it does not ask", { inputs: { NO: "1" } }, "config.inputs.NO"],
  ["a service by the name of what every object has", { limits: { constructor: {} } }, "config.limits.constructor"],
])("a change refuses %s", async (_, body, field) => {
  await seed();
  const answer = await change(body);
  expect([answer.status, answer.body.params?.field]).toEqual([400, field]);
});

test("a busy app, an app without an engine to restart it, and a stranger change nothing", async () => {
  await seed({ status: "installing", work: "install" });
  expect((await change({ publish: "lan" })).body.code).toBe("app_busy");
  node.ctx.db.raw.run("UPDATE apps SET status = 'running', work = NULL");
  expect((await change({ publish: "lan" })).body.code).toBe("runtime_unavailable");
  expect(listPorts(node.ctx.db, "app_one")).toMatchObject([{ bind: "127.0.0.1" }]);
  for (const as of ["member", "viewer"] as const)
    expect((await node.call("PUT /api/apps/app_one/config", { as, body: { publish: "lan" } })).status).toBe(403);
});

test("a failed install is changed before it is tried again, and has no ports meanwhile", async () => {
  await seed({ status: "error", installed_at: null });
  replacePorts(node.ctx.db, "app_one", []);
  const { body } = await change({ publish: "lan", limits: { whoami: { memory_mb: 99 } } });
  expect(body).toMatchObject({ op_id: null, changes: [{ kind: "limit", to: "99 MB" }] });
  expect(listPorts(node.ctx.db, "app_one")).toEqual([]);
  expect(configOf("app_one")).toMatchObject({ publish: "lan", limits: { whoami: { memory_mb: 99 } } });
});

test("an answer that cannot be used is a check while people type, and refused when they save", async () => {
  await seed({ template: "pihole", name: "pihole" });
  const { manifest } = await node.ctx.templates.load("pihole");
  ensureSecrets(node.ctx, "app_one", manifest.secrets);
  replacePorts(node.ctx.db, "app_one", [place("pihole", 80, 18_080)]);
  const { body } = await plan({ inputs: { UPSTREAMS: "no address" } });
  expect([body.ok, body.checks[0].id]).toEqual([false, "inputs"]);
  expect((await change({ inputs: { UPSTREAMS: "no address" } })).status).toBe(400);
  const changed = await plan({ inputs: { UPSTREAMS: "9.9.9.9" } });
  expect(changed.body.changes).toContainEqual(expect.objectContaining({ name: "UPSTREAMS", to: "9.9.9.9" }));
});

test("a limit that the engine would refuse is refused before the running container is taken away", async () => {
  await seed({ status: "running" });
  const facts = { driver: "overlay2", root_dir: "/d", arch: "amd64", cpus: 2, cgroup_version: 2 };
  spyOn(node.ctx.runtime, "facts").mockReturnValue(facts);
  const before = findApp(node.ctx.db, "app_one");
  const tooMany = { limits: { whoami: { cpus: 3 } } };
  for (const answer of [await plan(tooMany), await change(tooMany)])
    expect([answer.status, answer.body.params?.field]).toEqual([400, "config.limits.whoami.cpus"]);
  expect(findApp(node.ctx.db, "app_one")).toEqual(before);
  expect((await plan({ limits: { whoami: { cpus: 2 } } })).body.ok).toBe(true);
});

test.each([
  [{ memory_mb: 0.000001 }, "memory_mb"],
  [{ memory_mb: 5 }, "memory_mb"],
  [{ memory_mb: -1 }, "memory_mb"],
  [{ memory_mb: 1e15 }, "memory_mb"],
  [{ cpus: 0 }, "cpus"],
  // Would be rounded to none.
  [{ cpus: 1e-10 }, "cpus"],
  [{ cpus: 1e15 }, "cpus"],
])("the limit %j is refused wherever limits are given", async (limit, field) => {
  await seed({ status: "error" });
  const limits = { whoami: limit };
  const install = { template: "whoami", name: "other", config: { limits } };
  for (const [answer, path] of [
    [await plan({ limits }), "limits"],
    [await change({ limits }), "limits"],
    [await node.call("POST /api/apps/app_one/retry", { as: "admin", body: { limits } }), "limits"],
    [await node.call("POST /api/apps/plan", { as: "admin", body: install }), "config.limits"],
    [await node.call("POST /api/apps", { as: "admin", body: install }), "config.limits"],
  ] as const)
    expect([answer.status, answer.body.params?.field]).toEqual([400, `${path}.whoami.${field}`]);
});

test("a limit of more memory than the server has is refused, because it would be none", async () => {
  await seed({ status: "running" });
  spyOn(node.ctx.host, "memory").mockReturnValue({ ...node.ctx.host.memory(), total: 512 * 1_048_576 });
  const { status, body } = await change({ limits: { whoami: { memory_mb: 513 } } });
  expect([status, body.params?.field]).toEqual([400, "config.limits.whoami.memory_mb"]);
  expect(body.message).toContain("512");
  expect((await plan({ limits: { whoami: { memory_mb: 512 } } })).status).toBe(200);
});
