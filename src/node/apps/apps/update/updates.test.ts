import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { createDiskUseCache } from "../disk-use.ts";
import { createAppState } from "../state.ts";
import { findApp, insertApp } from "../store.ts";
import { lookForUpdates } from "./known-updates.ts";
import { fitConfig } from "./side.ts";
import { deleteKept, listKept, listKeptDueBefore, type UpdateRow, writeKept, writeUpdate } from "./update-store.ts";
import { listWayBackImages } from "./way-back-images.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const updates = (as: "admin" | "viewer" = "admin") => node.call("GET /api/apps/app_one/updates", { as });
const choose = (body: unknown, as: "admin" | "member" | "viewer" = "admin") =>
  node.call("PUT /api/apps/app_one/updates/choice", { as, body });
const takeBack = () => node.call("DELETE /api/apps/app_one/updates/choice", { as: "admin" });
const post = (what: string, body?: unknown, as: "admin" | "member" | "viewer" = "admin") =>
  node.call(`POST /api/apps/app_one/${what}`, { as, body });

/** Puts an app there as if it had been installed from an earlier version of its template. */
async function seedOld(more: Parameters<typeof seedApp>[2] = {}): Promise<string> {
  const { manifest } = await node.ctx.templates.load("whoami");
  const old = { ...manifest, version: "0.0.1" };
  await seedApp(node, "one", { version: old.version, manifest: JSON.stringify(old), ...more });
  return manifest.version;
}

test("an app on the newest version has nothing to go to or back to", async () => {
  await seedApp(node, "one");
  const { status, body } = await updates();
  expect([status, body.to, body.ok, body.back, body.last]).toEqual([200, null, false, null, null]);
});

test("an older one is told of the newest, of what is copied and of what is in the way", async () => {
  const version = await seedOld();
  const { body } = await updates();
  expect(body.to).toMatchObject({ version, path: [version] });
  // There is no engine in this test.
  expect(body.ok).toBe(false);
  expect(body.checks.find(({ id }: { id: string }) => id === "path").status).toBe("ok");
  expect(body.checks.find(({ id }: { id: string }) => id === "runtime").status).toBe("fail");
});

test("a version whose update failed is not offered by itself again, but can be tried; a later revision is", async () => {
  const version = await seedOld();
  const app = findApp(node.ctx.db, "app_one");
  if (!app) throw new Error("no app");
  const { manifest } = await node.ctx.templates.load("whoami");
  const { config, compose } = app;
  const before = { version: app.version, config, manifest: app.manifest, compose, generation: 0, ports: [] };
  const tried = (revision: number, failure: UpdateRow["failure"]) =>
    writeUpdate(node.ctx.db, {
      app_id: app.id,
      kind: "update",
      op_id: "op_1",
      before,
      hops: [{ ...before, version, manifest: JSON.stringify({ ...manifest, revision }), generation: 1 }],
      was_up: true,
      step: "over",
      hop: 0,
      failure,
      started_at: "2026-01-01T00:00:00.000Z",
      down_at: null,
      down_ms: null,
      ended_at: "2026-01-01T00:01:00.000Z",
    });
  const offered = async () => {
    await lookForUpdates(own);
    return own.state.updates.get(app.id) ?? null;
  };
  const own = { ...node.ctx, state: createAppState(createDiskUseCache(node.ctx)) };
  const failure = { code: "x", cause: "It did not come up.", next_step: null };
  tried(manifest.revision, failure);
  expect(await offered()).toBeNull();
  expect((await updates()).body.to).toMatchObject({ version, failed_before: true });
  tried(manifest.revision - 1, failure);
  expect(await offered()).toBe(version);
  expect((await updates()).body.to.failed_before).toBe(false);
  tried(manifest.revision, null);
  expect(await offered()).toBe(version);
});

test("a later revision of the same version is newer too", async () => {
  const { manifest } = await node.ctx.templates.load("whoami");
  await seedApp(node, "one", { manifest: JSON.stringify({ ...manifest, revision: 0 }) });
  const { body } = await updates();
  expect([body.version, body.revision, body.to.version, body.to.revision]).toEqual([
    manifest.version,
    0,
    manifest.version,
    manifest.revision,
  ]);
});

test("nothing begins for an app that is busy, was never there, or has no engine", async () => {
  await seedOld({ status: "stopping", work: "stop" });
  expect((await post("update", {})).body.code).toBe("app_busy");
  expect((await post("rollback")).body.code).toBe("app_busy");
  node.ctx.db.raw.run("UPDATE apps SET status = 'error', work = NULL, installed_at = NULL");
  expect((await post("update", {})).body.code).toBe("app_never_ran");
  node.ctx.db.raw.run("UPDATE apps SET status = 'running', installed_at = created_at");
  expect((await post("update", {})).body.code).toBe("runtime_unavailable");
  expect(findApp(node.ctx.db, "app_one")).toMatchObject({ status: "running", version: "0.0.1", work: null });
});

test("only admins look for updates, begin them and go back", async () => {
  await seedOld({ status: "running" });
  expect((await updates("viewer")).status).toBe(403);
  for (const as of ["member", "viewer"] as const) {
    expect((await post("update", {}, as)).status).toBe(403);
    expect((await post("rollback", undefined, as)).status).toBe(403);
  }
});

test("what is kept outlives its app, and is due when its time is over", async () => {
  await seedApp(node, "one");
  const app = findApp(node.ctx.db, "app_one");
  if (!app) throw new Error("no app");
  const { version, config, manifest, compose } = app;
  const row = (generation: number, kept_until: string) => ({
    app_id: app.id,
    generation,
    side: { version, config, manifest, compose, generation, ports: [] },
    can_return: true,
    kept_until,
  });
  writeKept(node.ctx.db, row(0, "2026-01-08T00:00:00.000Z"));
  writeKept(node.ctx.db, row(2, "2026-01-09T00:00:00.000Z"));
  node.ctx.db.raw.run("DELETE FROM apps");
  expect(listKept(node.ctx.db, app.id).map(({ generation }) => generation)).toEqual([2, 0]);
  expect(listKeptDueBefore(node.ctx.db, "2026-01-08T00:00:00.000Z")).toHaveLength(1);
  deleteKept(node.ctx.db, app.id, 0);
  expect(listKept(node.ctx.db, app.id)).toHaveLength(1);
  insertApp(node.ctx.db, { ...app, generation: 2 });
  expect(findApp(node.ctx.db, app.id)?.generation).toBe(2);
});

test("images of the way back stay when room is made", async () => {
  await seedApp(node, "one");
  const app = findApp(node.ctx.db, "app_one");
  if (!app) throw new Error("no app");
  const { version, config, manifest, compose } = app;
  const former = compose.replace(/image: .*/, "image: registry.example/former:1");
  const side = { version, config, manifest, compose: former, generation: 0, ports: [] };
  const keep = (can_return: boolean) =>
    writeKept(node.ctx.db, {
      app_id: app.id,
      generation: 0,
      side,
      can_return,
      kept_until: "2026-01-08T00:00:00.000Z",
    });
  keep(true);
  expect(listWayBackImages(node.ctx)).toEqual(["registry.example/former:1"]);
  keep(false);
  expect(listWayBackImages(node.ctx)).toEqual([]);
});

test("choices that a version no longer knows are left out, for it would refuse them", async () => {
  const { manifest } = await node.ctx.templates.load("whoami");
  const config = fitConfig(manifest, {
    inputs: { GONE: "1" },
    ports: { "gone:1": 9000, "whoami:80": 9001 },
    reach: { "gone:1": "lan" },
    limits: { gone: { cpus: 1 }, whoami: { cpus: 1 } },
    permissions: ["docker_socket"],
    publish: "lan",
  });
  expect(config).toEqual({
    inputs: {},
    ports: { "whoami:80": 9001 },
    reach: {},
    limits: { whoami: { cpus: 1 } },
    permissions: [],
    publish: "lan",
  });
});

test("a version that is skipped is not offered until a later one comes, or somebody thinks again", async () => {
  const version = await seedOld();
  const own = { ...node.ctx, state: createAppState(createDiskUseCache(node.ctx)) };
  const offered = async () => {
    await lookForUpdates(own);
    return own.state.updates.get("app_one") ?? null;
  };
  expect(await offered()).toBe(version);
  const { status, body } = await choose({ choice: "skip", version });
  expect([status, body.choice, body.to.version]).toEqual([200, { kind: "skip", due_at: null }, version]);
  expect(await offered()).toBeNull();
  node.ctx.db.raw.run("UPDATE app_update_choices SET revision = revision - 1");
  expect([await offered(), (await updates()).body.choice]).toEqual([version, null]);
  await choose({ choice: "skip", version });
  expect((await takeBack()).body.choice).toBeNull();
  expect(await offered()).toBe(version);
  await node.ctx.bus.idle();
  const told = node.events.filter(({ name }) => name === "app.update_chosen").map(({ data }) => data);
  expect(told).toMatchObject([{ choice: "skip" }, { choice: "skip" }, { choice: "none", to: version }]);
});

test("a choice is refused for another version, by who may not update, and for the night where something is in the way", async () => {
  const version = await seedOld();
  expect((await choose({ choice: "skip", version: "9.9.9" })).body.code).toBe("app_up_to_date");
  expect((await choose({ choice: "sometime", version })).status).toBe(400);
  expect((await choose({ choice: "skip", version }, "member")).status).toBe(403);
  // There is no engine in this test.
  expect((await choose({ choice: "tonight", version })).body.code).toBe("app_update_blocked");
  expect((await updates()).body.choice).toBeNull();
});
