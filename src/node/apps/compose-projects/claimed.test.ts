import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { nodeId } from "../apps/index.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

const CLAIM = { "com.docker.compose.project": "shop", "com.docker.compose.service": "web" };
const STRANGE = "a".repeat(64);
const OWN = "b".repeat(64);

const file = (level: string) => `services:
  web: { image: web:1, environment: { LEVEL: "${level}" } }
`;
const GIVEN = `services:
  web: { image: web:1, configs: [{ source: site, target: /site.conf }] }
configs: { site: { content: "server web;" } }
`;

const engine = () => world.node.ctx.runtime.requireEngine();
const volume = (Source: string) => ({
  HostConfig: { Mounts: [{ Type: "volume", Source, Target: "/usr/local/sbin" }] },
});
/** A container of an image that says that it is of the project, as an API key runs one. */
async function makeStranger(more: object = {}): Promise<string> {
  world.engine.labels.set("evil:1", { ...CLAIM, "com.docker.compose.oneoff": "False", "orrery.compose": "x" });
  return engine().createContainer("helper", { Image: "evil:1", Labels: {}, ...volume(STRANGE), ...more });
}
const change = async (verb: string) =>
  world.end((await world.call(`POST /api/containers/compose/shop/${verb}`)).body.op_id);
const services = async () => (await world.call("GET /api/containers/compose/shop")).body.services;

test("a container is of no project because its image says so, and hands nothing over to one", async () => {
  await world.deploy(file("1"));
  await makeStranger();
  expect(await services()).toMatchObject([{ container: "shop-web-1" }]);
  const { body } = await world.call("GET /api/containers");
  expect(body).toMatchObject([
    { name: "helper", project: null },
    { name: "shop-web-1", project: "shop" },
  ]);
  const { actions, notes } = await world.plan(file("2"));
  expect(actions).toMatchObject([{ action: "change", container: "shop-web-1", changed: ["environment"] }]);
  expect(notes).toEqual([{ service: "", text: expect.stringContaining("only their images say") }]);
  expect(notes[0].text).toContain("helper");
  expect(await world.deploy(file("2"))).toMatchObject({ status: "done", error: null });
  expect(world.engine.containers()).toMatchObject([{ name: "helper", status: "created" }, { name: "shop-web-1" }]);
  expect(world.engine.volumesOf("shop-web-1")).not.toContain(STRANGE);
});

test("such containers coming and going keep nobody from deploying what a plan showed", async () => {
  const { hash } = await world.plan(GIVEN);
  await makeStranger();
  expect((await world.plan(GIVEN)).hash).toBe(hash);
});

test("nothing of what is done with a project is done with such a container, and it gets none of its texts", async () => {
  await world.deploy(GIVEN);
  await makeStranger();
  world.engine.forget();
  for (const verb of ["start", "restart", "stop"]) expect(await change(verb)).toMatchObject({ status: "done" });
  expect(world.engine.fileOf("helper", "/site.conf")).toBeNull();
  await world.end((await world.call("DELETE /api/containers/compose/shop")).body.op_id);
  expect(world.engine.asked.filter((each) => each.includes("helper"))).toEqual([]);
  expect(world.engine.containers()).toMatchObject([{ name: "helper", status: "created" }]);
});

test("a first deploy takes away no container of an app whose image says that it is of the project", async () => {
  await makeStranger();
  const app = { "orrery.app": "app_al", "orrery.node": nodeId(world.node.ctx.seal), "orrery.service": "web" };
  await engine().createContainer("orrery-al-web", { Image: "evil:1", Labels: app });
  expect((await world.call("GET /api/containers/compose")).body).toEqual([]);
  expect(await world.plan(GIVEN)).toMatchObject({ adopts: false, actions: [{ action: "create", service: "web" }] });
  expect(await world.deploy(GIVEN)).toMatchObject({ status: "done" });
  expect(world.engine.containers().map(({ name }) => name)).toEqual(["helper", "orrery-al-web", "shop-web-1"]);
});

test("a project whose images Compose built, which say what the project's containers say too, is known and taken over", async () => {
  world.engine.labels.set("web:1", { ...CLAIM, "com.docker.compose.version": "2.30.0" });
  await world.deploy(GIVEN);
  expect(await services()).toMatchObject([{ container: "shop-web-1" }]);
  expect((await world.plan(GIVEN)).actions).toMatchObject([{ action: "keep" }]);
  world.engine.disown("shop-web-1");
  rmSync(join(world.node.dataDir, "compose"), { recursive: true });
  expect(await services()).toMatchObject([{ container: "shop-web-1" }]);
  expect(await world.plan(GIVEN)).toMatchObject({ adopts: true, actions: [{ action: "keep" }], notes: [] });
});

test("another Orrery's containers of a project are not started, stopped or removed with it", async () => {
  await world.deploy(GIVEN);
  await engine().createContainer("theirs", { Image: "web:1", Labels: { ...CLAIM, "orrery.compose": "another" } });
  world.engine.forget();
  expect(await change("start")).toMatchObject({ status: "done" });
  await world.end((await world.call("DELETE /api/containers/compose/shop")).body.op_id);
  expect(world.engine.containers()).toMatchObject([{ name: "theirs", status: "created" }]);
});

test("the plan says which unnamed volumes go over, and those of the service's own container do", async () => {
  const old = { ...CLAIM, "com.docker.compose.config-hash": "0" };
  await engine().createContainer("shop-web-1", { Image: "web:1", Labels: old, ...volume(OWN) });
  await engine().createContainer("shop-web-2", { Image: "web:1", Labels: old, ...volume(STRANGE) });
  const text = "web goes on with the unnamed volumes of shop-web-1 at /usr/local/sbin.";
  expect((await world.plan(GIVEN)).notes).toEqual([{ service: "web", text }]);
  expect(await world.deploy(GIVEN)).toMatchObject({ status: "done" });
  expect(world.engine.volumesOf("shop-web-1")).toEqual([OWN]);
});

test("of several containers of a service that are called otherwise none hands its unnamed volumes over", async () => {
  for (const name of ["shop_web_1", "shop_web_2"])
    await engine().createContainer(name, { Image: "web:1", Labels: CLAIM, ...volume(OWN) });
  expect((await world.plan(GIVEN)).notes).toEqual([]);
  expect(await world.deploy(GIVEN)).toMatchObject({ status: "done" });
  expect(world.engine.volumesOf("shop-web-1")).toEqual([]);
});
