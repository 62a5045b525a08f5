import { afterEach, beforeEach, expect, test } from "bun:test";
import { type MortalEngine, startMortalEngine } from "../../../../../tests/kit/mortal-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { MOST_OF_ONE } from "./pull-list.ts";

let node: TestNode;
let engine: MortalEngine;
let version = "";
const stop = new AbortController();
beforeEach(async () => {
  engine = startMortalEngine();
  node = createTestNode({ docker_socket: engine.socket });
  const { manifest } = await node.ctx.templates.load("whoami");
  ({ version } = manifest);
  await seedApp(node, "one", { version: "0.0.1", manifest: JSON.stringify({ ...manifest, version: "0.0.1" }) });
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine(), { what: "the engine" });
});
afterEach(async () => {
  await node.ctx.apps.pulls.cancel("web");
  node.close();
  engine.stop();
});

/** Lets as many pulls of the admin wait as may. */
async function fill(): Promise<void> {
  const { id } = (await node.call("GET /api/auth/me", { as: "admin" })).body;
  const endless = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", reject));
  for (let no = 0; no < MOST_OF_ONE; no++)
    node.ctx.apps.pulls
      .run({ image: "web", by: { user_id: id, ip: "" }, signal: stop.signal, onWait() {} }, endless)
      .catch(() => {});
}

const begun = () => node.ctx.operations.list().map(({ kind }) => kind);
const post = async (path: string, body: unknown) => (await node.call(`POST ${path}`, { as: "admin", body })).body.code;

test("nothing that needs an image is begun for whom too much waits: an install, a try again, an update, a deploy", async () => {
  await fill();
  expect(await post("/api/apps", { template: "whoami", name: "two" })).toBe("pulls_busy");
  expect(await post("/api/apps/app_one/update", {})).toBe("pulls_busy");
  await seedApp(node, "bad", { status: "error", installed_at: null });
  const limits = { web: { cpus: 1 } };
  const { config } = node.ctx.apps.get("app_bad");
  expect(await post("/api/apps/app_bad/retry", { limits })).toBe("pulls_busy");
  expect(node.ctx.apps.get("app_bad").config).toBe(config);
  const file = "services: {web: {image: '10.0.0.1:5000/five:1'}}";
  const { hash } = (await node.call("POST /api/containers/compose/plan", { as: "admin", body: { name: "wiki", file } }))
    .body;
  expect(await post("/api/containers/compose", { name: "wiki", file, plan: hash, pull: true })).toBe("pulls_busy");
  expect(begun()).toEqual([]);
  expect(node.ctx.apps.list().map(({ name, status }) => [name, status])).toEqual([
    ["bad", "error"],
    ["one", "stopped"],
  ]);
});

test("an update of the night begins a minute later when there is no room", async () => {
  const path = "/api/apps/app_one/updates";
  await node.call(`PUT ${path}/choice`, { as: "admin", body: { choice: "tonight", version } });
  const { due_at } = (await node.call(`GET ${path}`, { as: "admin" })).body.choice;
  node.clock.jump(Date.parse(due_at) - node.clock.now());
  await fill();
  await node.ctx.jobs.run("apps.begin_chosen_updates");
  expect(begun()).toEqual([]);
  await node.ctx.apps.pulls.cancel("web");
  await until(() => !node.ctx.apps.pulls.has("web"), { what: "the end of the pulls" });
  await node.ctx.jobs.run("apps.begin_chosen_updates");
  expect(begun()).toEqual(["app.update"]);
});
