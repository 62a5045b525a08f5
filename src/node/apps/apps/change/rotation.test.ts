import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { forgetFormerSecrets, restoreFormerSecrets } from "../blueprint/secret-store.ts";
import { ensureSecrets } from "../blueprint/secrets.ts";
import { findApp, replacePorts } from "../store.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

async function seed(template: string, more: Parameters<typeof seedApp>[2] = {}): Promise<void> {
  await seedApp(node, "one", { template, ...more });
  const { manifest } = await node.ctx.templates.load(template);
  ensureSecrets(node.ctx, "app_one", manifest.secrets);
  const ports = manifest.ports.map(({ service, container, protocol = "tcp", purpose }) => {
    return { service, container, protocol, purpose, host: 18_000 + container, bind: "127.0.0.1" };
  });
  replacePorts(node.ctx.db, "app_one", ports);
}

const rotate = (key: string, as: "admin" | "member" | "viewer" = "admin") =>
  node.call(`POST /api/apps/app_one/secrets/${key}/rotate`, { as });
const plan = (key: string) => node.call(`POST /api/apps/app_one/secrets/${key}/rotate/plan`, { as: "admin" });
async function secretOf(key: string): Promise<string> {
  const { body } = await node.call("GET /api/apps/app_one/secrets", { as: "admin" });
  return body.find((secret: { key: string }) => secret.key === key)?.value;
}

test("a plan says which services restart, without a value, and changes nothing", async () => {
  await seed("karakeep", { status: "running" });
  const before = await secretOf("SEARCH_KEY");
  const { status, body } = await plan("SEARCH_KEY");
  expect([status, body.ok, body.restarts.toSorted()]).toEqual([200, true, ["karakeep", "meilisearch"]]);
  expect(body.changes).toEqual([
    { kind: "secret", name: "SEARCH_KEY", label: "Key of the search index", from: null, to: null },
  ]);
  expect(await secretOf("SEARCH_KEY")).toBe(before);
  // Only one of the two knows this one.
  expect((await plan("SECRET")).body.restarts).toEqual(["karakeep"]);
});

test("a stopped app has the new value from its next start on; the record has no value", async () => {
  await seed("pihole");
  const before = await secretOf("ADMIN_PASSWORD");
  const { status, body } = await rotate("ADMIN_PASSWORD");
  expect([status, body.op_id]).toEqual([200, null]);
  const after = await secretOf("ADMIN_PASSWORD");
  expect([after.length, after === before]).toEqual([before.length, false]);
  const { body: entries } = await node.call("GET /api/audit/logs?action=app.", { as: "admin" });
  const entry = entries.find(({ action }: { action: string }) => action === "app.configured");
  expect(entry.details.changes).toEqual(["Password of the admin page: changed"]);
  expect(JSON.stringify([entries, node.events])).not.toContain(after);
});

test("the latest value that worked comes back, however often it was renewed since", async () => {
  await seed("pihole");
  const worked = await secretOf("ADMIN_PASSWORD");
  await rotate("ADMIN_PASSWORD");
  await rotate("ADMIN_PASSWORD");
  expect(restoreFormerSecrets(node.ctx.db, "app_one")).toEqual(["Password of the admin page"]);
  expect(await secretOf("ADMIN_PASSWORD")).toBe(worked);
  expect(restoreFormerSecrets(node.ctx.db, "app_one")).toEqual([]);
});

test("once the app has worked with the new value, the former one is gone", async () => {
  await seed("pihole");
  await rotate("ADMIN_PASSWORD");
  const renewed = await secretOf("ADMIN_PASSWORD");
  forgetFormerSecrets(node.ctx.db, "app_one");
  expect(restoreFormerSecrets(node.ctx.db, "app_one")).toEqual([]);
  expect(await secretOf("ADMIN_PASSWORD")).toBe(renewed);
});

test("what the app keeps in its own database is refused with the reason, in the plan too, and the page is told", async () => {
  await seed("immich");
  const before = await secretOf("DATABASE_PASSWORD");
  for (const { status, body } of [await rotate("DATABASE_PASSWORD"), await plan("DATABASE_PASSWORD")]) {
    expect([status, body.code]).toEqual([409, "app_secret_fixed"]);
    expect(body.message).toContain("since its first start");
  }
  expect(await secretOf("DATABASE_PASSWORD")).toBe(before);
  const { body } = await node.call("GET /api/apps/app_one", { as: "viewer" });
  expect(body.secrets).toEqual([
    { key: "DATABASE_PASSWORD", label: "Database password", fixed: expect.stringContaining("first start") },
  ]);
});

test("an app from before templates said so keeps its secrets", async () => {
  await seed("pihole");
  const manifest = JSON.parse(findApp(node.ctx.db, "app_one")?.manifest ?? "");
  for (const secret of manifest.secrets) delete secret.rotatable;
  node.ctx.db.raw.run("UPDATE apps SET manifest = ?", [JSON.stringify(manifest)]);
  expect((await rotate("ADMIN_PASSWORD")).body.code).toBe("app_secret_fixed");
});

test("what is not there, a busy app, no engine to restart it, and strangers change nothing", async () => {
  await seed("pihole", { status: "running" });
  const before = await secretOf("ADMIN_PASSWORD");
  for (const key of ["NOPE", "constructor", "__proto__"])
    expect((await rotate(key)).body.code).toBe("app_secret_not_found");
  expect((await rotate("ADMIN_PASSWORD")).body.code).toBe("runtime_unavailable");
  node.ctx.db.raw.run("UPDATE apps SET status = 'starting', work = 'start'");
  expect((await rotate("ADMIN_PASSWORD")).body.code).toBe("app_busy");
  for (const as of ["member", "viewer"] as const) expect((await rotate("ADMIN_PASSWORD", as)).status).toBe(403);
  expect(await secretOf("ADMIN_PASSWORD")).toBe(before);
});
