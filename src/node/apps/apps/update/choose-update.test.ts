import { afterEach, beforeEach, expect, test } from "bun:test";
import { type MortalEngine, startMortalEngine } from "../../../../../tests/kit/mortal-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { hours, minutes } from "../../../../lib/duration.ts";

let node: TestNode;
let engine: MortalEngine;
let version = "";
beforeEach(async () => {
  engine = startMortalEngine();
  node = createTestNode({ docker_socket: engine.socket });
  const { manifest } = await node.ctx.templates.load("whoami");
  ({ version } = manifest);
  await seedApp(node, "one", { version: "0.0.1", manifest: JSON.stringify({ ...manifest, version: "0.0.1" }) });
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine(), { what: "the engine" });
});
afterEach(() => {
  node.close();
  engine.stop();
});

const choose = (body: object) => node.call("PUT /api/apps/app_one/updates/choice", { as: "admin", body });
const look = async () => (await node.call("GET /api/apps/app_one/updates", { as: "admin" })).body;
const app = () => node.ctx.apps.get("app_one");
/** What the node does every minute. */
const minute = () => node.ctx.jobs.run("apps.begin_chosen_updates");
const told = async (event: string) => {
  await node.ctx.bus.idle();
  return node.events.filter(({ name }) => name === event).map(({ data }) => data);
};

/** Turns the clock to a time after the night began. */
async function toNight(more = 0): Promise<void> {
  const { due_at } = (await look()).choice;
  node.clock.jump(Date.parse(due_at) - node.clock.now() + more);
}

test("what is wished for the night begins then, once, in the name of who wished it", async () => {
  expect((await choose({ choice: "tonight", version })).body.choice.kind).toBe("tonight");
  await minute();
  expect(app().status).toBe("stopped");
  await toNight(minutes(1));
  await minute();
  expect(app()).toMatchObject({ status: "updating", work: "update" });
  expect((await look()).choice).toBeNull();
  const op = node.ctx.db.raw.query("SELECT kind FROM operations").all();
  expect(op).toEqual([{ kind: "app.update" }]);
  await minute();
  expect(node.ctx.db.raw.query("SELECT kind FROM operations").all()).toHaveLength(1);
});

test("a night that was missed, or in which Docker was away, is followed by the next", async () => {
  await choose({ choice: "tonight", version });
  const first: string = (await look()).choice.due_at;
  engine.kill();
  await until(() => node.ctx.runtime.engine() === null, { what: "the engine to be missed" });
  await toNight(minutes(1));
  await minute();
  expect((await look()).choice.due_at).toBe(first);
  node.clock.jump(hours(3));
  await minute();
  const { due_at } = (await look()).choice;
  expect(Date.parse(due_at)).toBeGreaterThan(Date.parse(first) + hours(20));
  expect(app().status).toBe("stopped");
});

test("what is in the way by then is told, and the wish is over", async () => {
  await choose({ choice: "tonight", version });
  // As if another version had come out.
  node.ctx.db.raw.run("UPDATE app_update_choices SET version = '0.5.0'");
  node.clock.jump(hours(24));
  node.ctx.db.raw.run("UPDATE app_update_choices SET due_at = ?", [new Date(node.clock.now()).toISOString()]);
  await minute();
  expect(app().status).toBe("stopped");
  expect(await told("app.update_not_begun")).toMatchObject([
    { app_id: "app_one", to: "0.5.0", cause: expect.stringContaining(`${version} has come out meanwhile`) },
  ]);
  expect(node.ctx.db.raw.query("SELECT * FROM app_update_choices").all()).toEqual([]);
});

test("who thinks again in time is not updated; who updates now has nothing left for the night", async () => {
  await choose({ choice: "tonight", version });
  await node.call("DELETE /api/apps/app_one/updates/choice", { as: "admin" });
  node.clock.jump(hours(48));
  await minute();
  expect(app().status).toBe("stopped");
  await choose({ choice: "tonight", version });
  expect((await node.call("POST /api/apps/app_one/update", { as: "admin", body: {} })).status).toBe(200);
  expect(node.ctx.db.raw.query("SELECT * FROM app_update_choices").all()).toEqual([]);
});
