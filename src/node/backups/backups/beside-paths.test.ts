import { afterEach, beforeEach, expect, test } from "bun:test";
import { addTarget, get, post } from "../../../../tests/kit/backup-calls.ts";
import { type ComposeEngine, startComposeEngine } from "../../../../tests/kit/compose-engine.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { writePlayer } from "../../../../tests/kit/player.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { minutes } from "../../../lib/duration.ts";
import { WHOLE } from "./store.ts";

const HOST_PATH = "host_path:/srv/x/sub";
const NESTED = "whoami/nested_path:/srv/x/sub";

let page: Bun.TCPSocketListener<undefined>;
let engine: ComposeEngine;
let node: TestNode;
let target: string;
/** The app, and a backup of it. */
let id: string;
let backup: string;

async function passes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 3_000; turn++) {
    if (isSo()) return;
    await node.clock.advance(200);
    await Bun.sleep(1);
  }
  throw new Error(`it does not come to that: ${JSON.stringify(node.ctx.operations.list())}`);
}
async function end(opId: string) {
  await passes(() => node.ctx.operations.get(opId).status !== "running");
  return node.ctx.operations.get(opId);
}
const beside = (more: object = {}) =>
  post(node, `/api/backups/${backup}/restore`, { mode: "beside", apps: [id], name: "then", ...more });
const planned = async (more: object = {}) =>
  (await post(node, `/api/backups/${backup}/restore/plan`, { mode: "beside", apps: [id], name: "then", ...more })).body;
const findCopy = () => node.ctx.apps.list().find(({ name }) => name === "then");
const containers = () => engine.containers().filter(({ name }) => name.includes("then"));

/** Deploys a project that may write to the folder in which the app has its own, and confirms that. */
async function deployWriter(): Promise<void> {
  const file = `services: { a: { image: "a:1", volumes: ["/srv/x:/d"] } }\n`;
  const { body } = await post(node, "/api/containers/compose/plan", { name: "shop", file });
  const confirmed = body.dangers.map(({ id: danger }: { id: string }) => danger);
  const begun = await post(node, "/api/containers/compose", { name: "shop", file, plan: body.hash, confirmed });
  expect(await end(begun.body.op_id)).toMatchObject({ status: "done" });
}

/** What a program leaves that was killed when all data of a new app was there, and it was still to be started. */
async function leaveWhole(): Promise<string> {
  const copy = (await node.ctx.apps.prepareClone(id, "then", [])).make();
  const { raw } = node.ctx.db;
  raw.run(
    "INSERT INTO backup_restores (app_id, backup_id, user_id, ip, source, op_id, begun) VALUES (?, ?, 'usr_1', '', ?, NULL, ?)",
    [copy.id, backup, id, WHOLE],
  );
  raw.run("INSERT INTO backup_halts (app_id, mode, op_id) VALUES (?, 'first', 'op_1')", [copy.id]);
  return copy.id;
}

beforeEach(async () => {
  const catalogue = makeScratch("catalogue");
  page = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  writePlayer(catalogue, "/srv/x/sub", page.port);
  engine = startComposeEngine();
  engine.address = "127.0.0.1";
  node = createTestNode({ docker_socket: engine.listen(), templates_dir: catalogue });
  node.ctx.runtime.start();
  await passes(() => node.ctx.runtime.engine() !== null);
  const config = { permissions: [HOST_PATH] };
  const begun = await post(node, "/api/apps", { template: "player", name: "player", config });
  expect(await end(begun.body.op_id)).toMatchObject({ status: "done" });
  id = begun.body.id;
  target = (await addTarget(node)).id;
  const made = await post(node, "/api/backups", { target, apps: [id], include_config: false });
  expect(await end(made.body.op_id)).toMatchObject({ status: "done" });
  backup = made.body.id;
});
afterEach(() => {
  node.close();
  engine.stop();
  page.stop(true);
});

test("a new app beside another is made once somebody has confirmed a path that others can replace", async () => {
  expect((await planned()).to_confirm).toEqual([]);
  await deployWriter();
  const asked = [{ id: NESTED, title: expect.any(String), detail: expect.stringContaining("shop") }];
  expect((await planned()).to_confirm).toEqual(asked);
  for (const more of [{}, { permissions: [] }, { permissions: ["whoami/nested_path:/elsewhere"] }])
    expect(await beside(more)).toMatchObject({
      status: 409,
      body: { code: "path_unconfirmed", params: { name: "then", to_confirm: asked } },
    });
  expect([findCopy(), containers()]).toEqual([undefined, []]);
  expect((await planned({ permissions: [NESTED] })).to_confirm).toEqual([]);
  const { body } = await beside({ permissions: [NESTED, "whoami/nested_path:/elsewhere"] });
  expect(await end(body.op_id)).toMatchObject({ status: "done" });
  const copy = await get(node, `/api/apps/${findCopy()?.id}`);
  expect(copy).toMatchObject({ status: "running", to_confirm: [] });
  // That of the other stays open.
  expect((await get(node, `/api/apps/${id}`)).to_confirm).toEqual(asked);
  expect(JSON.parse(findCopy()?.config ?? "").permissions).toEqual([HOST_PATH, NESTED]);
});

test("what was confirmed for the app holds for a new one beside it", async () => {
  await deployWriter();
  const restarted = await post(node, `/api/apps/${id}/restart`, { permissions: [NESTED] });
  expect(await end(restarted.body.op_id)).toMatchObject({ status: "done" });
  expect((await planned()).to_confirm).toEqual([]);
  expect(await end((await beside()).body.op_id)).toMatchObject({ status: "done" });
  expect(findCopy()?.status).toBe("running");
});

test("who comes while the backup is read keeps the new app from being made", async () => {
  const { prepareClone } = node.ctx.apps;
  let looks = 0;
  const looked = Promise.withResolvers<void>();
  const deployed = Promise.withResolvers<void>();
  node.ctx.apps.prepareClone = async (...asked) => {
    looks += 1;
    if (looks === 2) {
      looked.resolve();
      await deployed.promise;
    }
    return await prepareClone(...asked);
  };
  const { body } = await beside();
  await looked.promise;
  await deployWriter();
  deployed.resolve();
  expect(await end(body.op_id)).toMatchObject({ status: "failed", error: { code: "path_unconfirmed" } });
  expect([findCopy(), containers()]).toEqual([undefined, []]);
});

/** Goes on with it, until nothing of it is written down any more. */
async function goOn(): Promise<void> {
  await node.clock.advance(minutes(10));
  let isThrough = false;
  void node.ctx.jobs.run("backups.go_on").then(() => {
    isThrough = true;
  });
  const left = "SELECT app_id FROM backup_restores UNION ALL SELECT app_id FROM backup_halts";
  await passes(() => isThrough && node.ctx.db.raw.query(left).all().length === 0);
}

test("a new app whose restore was cut off is not started on a path that others have come to be able to replace", async () => {
  const copy = await leaveWhole();
  await deployWriter();
  await goOn();
  expect(node.ctx.apps.get(copy)).toMatchObject({ status: "error", cause: expect.stringContaining("shop") });
  expect(containers()).toEqual([]);
  const started = await post(node, `/api/apps/${copy}/start`, { permissions: [NESTED] });
  expect(await end(started.body.op_id)).toMatchObject({ status: "done" });
});

test("nor is one that could not be started at the end of its restore", async () => {
  const copy = await leaveWhole();
  node.ctx.db.raw.run("DELETE FROM backup_restores");
  await deployWriter();
  await goOn();
  expect(node.ctx.apps.get(copy).status).toBe("error");
  expect(containers()).toEqual([]);
});
