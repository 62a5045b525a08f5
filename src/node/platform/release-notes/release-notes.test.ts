import { afterEach, beforeEach, expect, test } from "bun:test";
import { readSources } from "../../../../tests/architecture/sources.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { sealSecret } from "../../panel-link/panel-link/credentials.ts";
import { putLink } from "../../panel-link/panel-link/link-store.ts";

const note = (version: string, more: Record<string, unknown> = {}) => ({
  id: `os-${version}`,
  product: "os",
  version,
  title: `Orrery ${version}`,
  summary: "What it brought",
  items: ["one", "two"],
  published_at: "2026-01-01T00:00:00.000Z",
  something_newer: true,
  ...more,
});

let node: TestNode;
let asked: string[];
let answer: () => Response;
let panel: ReturnType<typeof Bun.serve>;
beforeEach(() => {
  asked = [];
  answer = () => Response.json([note("1.9.0"), note("1.10.0")]);
  panel = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname + new URL(request.url).search);
      return answer();
    },
  });
  node = createTestNode();
});
afterEach(async () => {
  node.close();
  await panel.stop(true);
});

function link(panel_url: string | null): void {
  putLink(node.ctx.db, {
    revision: "link_1",
    instance_id: "node_1",
    agent_url: "https://127.0.0.1:8443",
    panel_url,
    tenant_id: "ten_a",
    membership: "ten_a",
    root: null,
    ca_bundle: "",
    credentials: "",
    secret: sealSecret(node.ctx.seal, "secret"),
    license_token: "",
    certificate_end: 0,
    renew_at: 0,
    ended: null,
    ended_reason: null,
    changed_by: "host",
    changed_from: "",
    changed_at: 0,
    announced: 1,
    last_heartbeat_at: null,
  });
}
const sync = () => node.call("POST /api/release-notes/sync", { as: "admin" });
const list = async () => (await node.call("GET /api/release-notes", { as: "viewer" })).body;

test("are fetched for this node and kept, newest version first", async () => {
  link(`http://127.0.0.1:${panel.port}`);
  expect(await list()).toEqual([]);
  const { status, body } = await sync();
  expect(status).toBe(200);
  expect(asked).toEqual(["/api/v1/release-notes?product=os&limit=100&instance_id=node_1"]);
  expect(body.map(({ version }: { version: string }) => version)).toEqual(["1.10.0", "1.9.0"]);
  const { something_newer: _, product: __, ...wanted } = note("1.9.0");
  expect((await node.call("GET /api/release-notes/1.9.0", { as: "viewer" })).body).toEqual({
    ...wanted,
    fetched_at: "2026-01-01T00:00:00.000Z",
  });
  expect((await node.call("GET /api/release-notes/9.9.9", { as: "viewer" })).status).toBe(404);
  answer = () => Response.json([note("2.0.0")]);
  await node.ctx.jobs.run("release_notes.fetch");
  expect((await list()).map(({ version }: { version: string }) => version)).toEqual(["2.0.0"]);
});

test("are shown whatever the panel calls a version", async () => {
  link(`http://127.0.0.1:${panel.port}`);
  answer = () => Response.json([note("none"), note("1.9.0"), note("1.10.0")]);
  expect((await sync()).status).toBe(200);
  expect((await list()).map(({ version }: { version: string }) => version)).toEqual(["none", "1.10.0", "1.9.0"]);
});

test("are fetched at once when the server gets another panel", async () => {
  link(`http://127.0.0.1:${panel.port}`);
  node.ctx.bus.emit("panel.connected", { by: "host", panel: "http://127.0.0.1", instance_id: "node_1", ip: "host" });
  await node.ctx.bus.idle();
  expect((await list()).map(({ version }: { version: string }) => version)).toEqual(["1.10.0", "1.9.0"]);
});

test("a failure answers 502 with its reason and keeps what there was", async () => {
  expect((await sync()).body.message).toContain("belongs to no panel");
  link(null);
  expect((await sync()).body.message).toContain("CP_PUBLIC_URL");
  link(`http://127.0.0.1:${panel.port}`);
  await sync();
  const before = await list();
  for (const bad of [
    () => new Response("no", { status: 500 }),
    () => new Response("no"),
    () => Response.json({}),
    () => Response.json([note("1.0.0", { items: "one" })]),
    () => Response.json(Array.from({ length: 101 }, (_, i) => note(`1.0.${i}`))),
    () => Response.redirect("http://127.0.0.1/", 302),
  ]) {
    answer = bad;
    expect((await sync()).status).toBe(502);
  }
  await panel.stop(true);
  expect(await sync()).toMatchObject({ status: 502, body: { code: "release_notes_unavailable" } });
  await node.ctx.jobs.run("release_notes.fetch");
  expect(await list()).toEqual(before);
});

test("fetching is for admins, reading for everybody who is signed in", async () => {
  expect((await node.call("POST /api/release-notes/sync", { as: "member" })).status).toBe(403);
  expect((await node.call("GET /api/release-notes")).status).toBe(401);
});

test("the tour is about a release, and leads to places of the dashboard", async () => {
  const { status, body } = await node.call("GET /api/feature-tour", { as: "viewer" });
  expect(status).toBe(200);
  expect(body.version).toMatch(/^\d+\.\d+\.\d+$/);
  const declared = (await readSources("ui/node/**/feature.ts")).map(({ text }) => text).join();
  const screens = new Set([...declared.matchAll(/pattern: "([^"]+)"/g)].map(([, pattern]) => pattern));
  expect(body.slides.length).toBeGreaterThan(0);
  for (const { path } of body.slides) expect(screens).toContain(path);
});
