import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type ComposeEngine, startComposeEngine } from "../../../../../tests/kit/compose-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { writePlayer } from "../../../../../tests/kit/player.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";

let catalogue: string;
let page: Bun.TCPSocketListener<undefined>;
let engine: ComposeEngine;
let node: TestNode;

const writeFolder = (folder: string) => writePlayer(catalogue, folder, page.port);

beforeEach(async () => {
  catalogue = makeScratch("catalogue");
  page = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  writeFolder("/srv/x/sub");
  engine = startComposeEngine();
  engine.address = "127.0.0.1";
  node = createTestNode({ docker_socket: engine.listen(), templates_dir: catalogue });
  node.ctx.runtime.start();
  await passes(() => node.ctx.runtime.engine() !== null);
});
afterEach(() => {
  node.close();
  engine.stop();
  page.stop(true);
  rmSync(catalogue, { recursive: true });
});

async function passes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 3_000; turn++) {
    if (isSo()) return;
    await node.clock.advance(200);
    await Bun.sleep(1);
  }
  throw new Error(`it does not come to that: ${JSON.stringify(engine.containers())}`);
}
const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
async function end(id: string) {
  await passes(() => node.ctx.operations.get(id).status !== "running");
  return node.ctx.operations.get(id);
}

/** Deploys a project that may write to a folder, and confirms that. */
async function deploy(name: string, folder: string) {
  const file = `services: { a: { image: "a:1", volumes: ["${folder}:/d"] } }\n`;
  const { body } = await call("POST /api/containers/compose/plan", { name, file });
  const confirmed = body.dangers.map(({ id }: { id: string }) => id);
  const begun = await call("POST /api/containers/compose", { name, file, plan: body.hash, confirmed });
  expect(await end(begun.body.op_id)).toMatchObject({ status: "done" });
  return confirmed;
}
const HOST_PATH = "host_path:/srv/x/sub";
const NESTED = "whoami/nested_path:/srv/x/sub";
const install = (permissions: string[]) =>
  call("POST /api/apps", { template: "player", name: "player", config: { permissions } });
const planned = async () => {
  const { body } = await call("POST /api/apps/plan", { template: "player", name: "player" });
  const { detail } = body.checks.find(({ id }: { id: string }) => id === "permissions");
  return { ids: body.permissions.map(({ id }: { id: string }) => id), detail };
};

test("an app is installed where others can replace a path of it once somebody has confirmed that", async () => {
  expect((await planned()).ids).toEqual([HOST_PATH]);
  await deploy("shop", "/srv/x");
  const plan = await planned();
  expect(plan).toEqual({ ids: [HOST_PATH, NESTED], detail: expect.stringContaining("others can replace") });
  const { status, body } = await install([HOST_PATH]);
  expect([status, body.params]).toEqual([400, { field: "config.permissions", reason: `must confirm ${NESTED}` }]);
  const begun = await install(plan.ids);
  expect(await end(begun.body.op_id)).toMatchObject({ status: "done" });
});

test("an app that could replace what others have is told so, too", async () => {
  writeFolder("/srv/x");
  await deploy("shop", "/srv/x/sub");
  expect((await planned()).ids).toEqual(["host_path:/srv/x", "whoami/outer_path:/srv/x"]);
});

test("who has come since keeps an app from a start by people until it is confirmed, and what runs runs on", async () => {
  const begun = await install([HOST_PATH]);
  expect(await end(begun.body.op_id)).toMatchObject({ status: "done" });
  const { id } = begun.body;
  expect(await deploy("shop", "/srv/x")).toContain("a/outer_path:/srv/x");
  engine.asked.length = 0;
  const other = { permissions: ["whoami/nested_path:/elsewhere"] };
  for (const body of [undefined, {}, other])
    expect(await call(`POST /api/apps/${id}/restart`, body)).toMatchObject({
      status: 409,
      body: { code: "path_unconfirmed" },
    });
  expect(engine.asked.filter((what) => /stop|start|restart/.test(what))).toEqual([]);
  const { body: app } = await call(`GET /api/apps/${id}`);
  expect(app).toMatchObject({
    status: "running",
    to_confirm: [{ id: NESTED, detail: expect.stringContaining("shop") }],
  });
  expect((await call(`POST /api/apps/${id}/start`)).status).toBe(200);
  const confirmed = await call(`POST /api/apps/${id}/restart`, { permissions: [NESTED] });
  expect(await end(confirmed.body.op_id)).toMatchObject({ status: "done" });
  expect((await call(`GET /api/apps/${id}`)).body.to_confirm).toEqual([]);
  const again = await call(`POST /api/apps/${id}/restart`);
  expect(await end(again.body.op_id)).toMatchObject({ status: "done" });
});

test("one that was stopped is started once that is confirmed", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  await end((await call(`POST /api/apps/${id}/stop`)).body.op_id);
  expect((await call(`POST /api/apps/${id}/start`)).body.code).toBe("path_unconfirmed");
  expect((await call(`GET /api/apps/${id}`)).body.status).toBe("stopped");
  const started = await call(`POST /api/apps/${id}/start`, { permissions: [NESTED] });
  expect(await end(started.body.op_id)).toMatchObject({ status: "done" });
});

test("a start by people that did not come by these routes fails before anything is stopped, and is tried again", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  engine.asked.length = 0;
  const { op_id } = node.ctx.apps.restartApp({ user_id: "usr_1", ip: "" }, id);
  expect(await end(op_id ?? "")).toMatchObject({ status: "failed", error: { code: "path_unconfirmed" } });
  expect(engine.asked.filter((what) => /stop|start|restart/.test(what))).toEqual([]);
  expect((await call(`POST /api/apps/${id}/retry`)).body.code).toBe("path_unconfirmed");
  const retried = await call(`POST /api/apps/${id}/retry`, { permissions: [NESTED] });
  expect(await end(retried.body.op_id)).toMatchObject({ status: "done" });
});

test("a change that starts it anew is refused before anything is written, and one that does not is not asked", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  const before = node.ctx.apps.get(id);
  const wish = { inputs: { DISPLAY_NAME: "other" } };
  const plan = (body: object) => call(`POST /api/apps/${id}/config/plan`, body);
  const change = (body: object) => node.call(`PUT /api/apps/${id}/config`, { as: "admin", body });
  const asked = [{ id: NESTED, title: expect.any(String), detail: expect.stringContaining("shop") }];
  expect((await plan(wish)).body).toMatchObject({ ok: true, restarts: ["whoami"], to_confirm: asked });
  expect((await plan({ ...wish, permissions: [NESTED] })).body.to_confirm).toEqual([]);
  expect((await plan({})).body.to_confirm).toEqual([]);
  for (const more of [{}, { permissions: ["whoami/nested_path:/elsewhere"] }])
    expect(await change({ ...wish, ...more })).toMatchObject({
      status: 409,
      body: { code: "path_unconfirmed", params: { to_confirm: asked } },
    });
  expect(node.ctx.apps.get(id)).toEqual(before);
  const changed = await change({ ...wish, permissions: [NESTED, "whoami/nested_path:/elsewhere"] });
  expect(await end(changed.body.op_id)).toMatchObject({ status: "done" });
  const { status, config } = node.ctx.apps.get(id);
  expect([status, JSON.parse(config).permissions]).toEqual(["running", [HOST_PATH, NESTED]]);
});

test("one that rests is changed without a question", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  await end((await call(`POST /api/apps/${id}/stop`)).body.op_id);
  const wish = { inputs: { DISPLAY_NAME: "other" }, permissions: [NESTED] };
  expect((await call(`POST /api/apps/${id}/config/plan`, wish)).body.to_confirm).toEqual([]);
  expect((await call(`PUT /api/apps/${id}/config`, wish)).body).toMatchObject({ op_id: null });
  expect((await call(`GET /api/apps/${id}`)).body.to_confirm).toMatchObject([{ id: NESTED }]);
});

test("nor is a secret renewed that would start it anew", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  const secrets = async () => (await call(`GET /api/apps/${id}/secrets`)).body;
  const before = await secrets();
  const rotate = `POST /api/apps/${id}/secrets/WORD/rotate`;
  expect((await call(`${rotate}/plan`)).body.to_confirm).toMatchObject([{ id: NESTED }]);
  expect((await call(rotate)).body.code).toBe("path_unconfirmed");
  expect([node.ctx.apps.get(id).status, await secrets()]).toEqual(["running", before]);
  expect(await end((await call(rotate, { permissions: [NESTED] })).body.op_id)).toMatchObject({ status: "done" });
  expect(await secrets()).not.toEqual(before);
});

test("one goes back to the version before once what it would start on is confirmed, for that version or since", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  const { id } = begun.body;
  writePlayer(catalogue, "/srv/x/sub", page.port, "1.12.0");
  const update = async () => await end((await call(`POST /api/apps/${id}/update`, {})).body.op_id);
  expect(await update()).toMatchObject({ status: "done" });
  await deploy("shop", "/srv/x");
  const { body } = await call(`GET /api/apps/${id}/updates`);
  expect(body.back).toMatchObject({ version: "1.11.0", to_confirm: [{ id: NESTED }] });
  expect((await call(`POST /api/apps/${id}/rollback`)).body.code).toBe("path_unconfirmed");
  await expect(node.ctx.apps.rollBackApp({ user_id: "panel", ip: "" }, id)).rejects.toThrow("shop");
  expect(node.ctx.apps.get(id)).toMatchObject({ status: "running", version: "1.12.0" });
  const back = await call(`POST /api/apps/${id}/rollback`, { permissions: [NESTED] });
  expect(await end(back.body.op_id)).toMatchObject({ status: "done" });
  expect(node.ctx.apps.get(id)).toMatchObject({ status: "running", version: "1.11.0" });
  expect((await call(`GET /api/apps/${id}`)).body.to_confirm).toEqual([]);
});

test("what was confirmed since an update holds on the way back from it", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  const { id } = begun.body;
  writePlayer(catalogue, "/srv/x/sub", page.port, "1.12.0");
  await end((await call(`POST /api/apps/${id}/update`, {})).body.op_id);
  await deploy("shop", "/srv/x");
  await end((await call(`POST /api/apps/${id}/restart`, { permissions: [NESTED] })).body.op_id);
  expect((await call(`GET /api/apps/${id}/updates`)).body.back.to_confirm).toEqual([]);
  expect(await end((await call(`POST /api/apps/${id}/rollback`)).body.op_id)).toMatchObject({ status: "done" });
  expect((await call(`GET /api/apps/${id}`)).body.to_confirm).toEqual([]);
});

test("a start that was cut off and whose operation is forgotten may have been asked for by people", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  await end((await call(`POST /api/apps/${id}/stop`)).body.op_id);
  node.ctx.db.raw.run("UPDATE apps SET status = 'starting', work = 'start', op_id = 'op_gone' WHERE id = ?", [id]);
  await node.ctx.jobs.run("apps.resume");
  await passes(() => node.ctx.apps.get(id).work === null);
  const { status, op_id } = node.ctx.apps.get(id);
  expect([status, node.ctx.operations.get(op_id ?? "").error?.code]).toEqual(["error", "path_unconfirmed"]);
});

test("who asked for what was cut off is known for as long as Docker is away", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  const by = { user_id: "usr_1", ip: "" };
  const op = node.ctx.operations.begin({ kind: "app.start", subject_id: begun.body.id, title: "Start", steps: [], by });
  node.ctx.db.raw.run("UPDATE apps SET status = 'starting', work = 'start', op_id = ?", [op.id]);
  const restarted = createTestNode({ docker_socket: "/nowhere.sock", templates_dir: catalogue }, node);
  await restarted.ctx.apps.start?.();
  await restarted.ctx.jobs.run("operations.abandoned");
  expect(restarted.ctx.operations.resume(op.id)?.by).toEqual(by);
  restarted.close();
});

test("what the node starts by itself only brings back what ran", async () => {
  const begun = await install([HOST_PATH]);
  await end(begun.body.op_id);
  await deploy("shop", "/srv/x");
  const { id } = begun.body;
  const stopped = await call(`POST /api/apps/${id}/stop`);
  await end(stopped.body.op_id);
  const by = { user_id: "usr_1", ip: "", purpose: "a backup" };
  node.ctx.apps.startApp(by, id);
  await passes(() => node.ctx.apps.get(id).status === "running");
});

test("a path of any length that a template may have is confirmed", async () => {
  const folder = `/srv/x/${"d".repeat(250)}/${"e".repeat(250)}`;
  writeFolder(folder);
  const host = `host_path:${folder}`;
  await deploy("shop", "/srv/x");
  const begun = await install([host, `whoami/nested_path:${folder}`]);
  expect(await end(begun.body.op_id)).toMatchObject({ status: "done" });
});
