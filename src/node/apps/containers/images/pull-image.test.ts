import { afterEach, beforeEach, expect, test } from "bun:test";
import { type EndlessPulls, startEndlessPulls } from "../../../../../tests/kit/endless-pulls.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";

// By its address: a name would be looked up.
const IMAGE = "10.0.0.1:5000/web:1";
let node: TestNode;
let engine: EndlessPulls;

beforeEach(async () => {
  engine = startEndlessPulls();
  node = createTestNode({ docker_socket: engine.socket });
  node.ctx.runtime.start();
  await passes(() => node.ctx.runtime.engine() !== null);
});
afterEach(() => {
  node.close();
  engine.stop();
});

async function passes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5000 && !isSo(); turn++) {
    await node.clock.advance(1);
    await Bun.sleep(1);
  }
  if (!isSo()) throw new Error("it does not come to that");
}
const post = (path: string, image = IMAGE) =>
  node.call(`POST /api/containers/images/pull${path}`, { as: "admin", body: { image } });

test("a pull is cancelled, on record, and its place is free for another", async () => {
  const { op_id } = (await post("")).body;
  expect((await post("")).body).toEqual({ op_id });
  expect((await post("/cancel", "10.0.0.1:5000/other:1")).body).toMatchObject({ code: "pull_over" });
  await passes(() => engine.given() !== null);
  expect((await post("/cancel")).status).toBe(200);
  await engine.given();
  await passes(() => node.ctx.operations.get(op_id).status !== "running");
  expect(node.ctx.operations.get(op_id).error).toMatchObject({ code: "pull_cancelled" });
  expect(node.events.filter(({ name }) => name.startsWith("image."))).toEqual([
    { name: "image.pull_cancelled", data: expect.objectContaining({ image: IMAGE }) },
  ]);
  expect((await post("/cancel")).body).toMatchObject({ code: "pull_over" });
  expect((await post("")).body.op_id).not.toBe(op_id);
  await post("/cancel");
});

const opOf = (id: string) => node.ctx.operations.get(id);
const over = (id: string) => passes(() => opOf(id).status !== "running");
const run = (name: string, headers?: Record<string, string>) =>
  node.call("POST /api/containers", {
    ...(headers === undefined ? { as: "admin" as const } : { headers }),
    body: { name, image: `10.0.0.1:5000/${name}:1` },
  });

test("the pull for a container is cancelled like any other, and the container is not made", async () => {
  const { op_id } = (await run("web")).body;
  await passes(() => engine.begun() === 1);
  expect((await post("/cancel")).status).toBe(200);
  await over(op_id);
  expect(opOf(op_id).error).toMatchObject({ code: "pull_cancelled" });
  // What there is to cancel stands with the step.
  expect((await node.call(`GET /api/operations/${op_id}/events`, { as: "admin" })).body).toContain(
    `"image":"${IMAGE}"`,
  );
});

test("pulls for containers and Compose projects take the same places, and wait until there is one", async () => {
  const ops: string[] = [];
  for (const name of ["one", "two", "three", "four"]) ops.push((await run(name)).body.op_id);
  await passes(() => engine.begun() === 3);
  expect((await post("")).body).toMatchObject({ code: "pulls_busy" });
  const file = "services: {web: {image: '10.0.0.1:5000/five:1'}}";
  const plan = (await node.call("POST /api/containers/compose/plan", { as: "admin", body: { name: "wiki", file } }))
    .body;
  const deploy = { name: "wiki", file, plan: plan.hash };
  ops.push((await node.call("POST /api/containers/compose", { as: "admin", body: deploy })).body.op_id);
  await node.clock.advance(60_000);
  expect(engine.begun()).toBe(3);
  for (const [index, name] of ["one", "two", "three", "four", "five"].entries()) {
    await passes(() => engine.begun() === Math.min(5, 3 + index));
    await post("/cancel", `10.0.0.1:5000/${name}:1`);
    await over(ops[index] ?? "");
    expect(opOf(ops[index] ?? "").error).toMatchObject({ code: "pull_cancelled" });
  }
});

test("a pull ends with the key that it was asked for with", async () => {
  const key = (await node.call("POST /api/keys", { as: "admin", body: { name: "robot", scopes: "apps" } })).body;
  const { op_id } = (await run("robots", { "x-api-key": key.key })).body;
  const { op_id: other } = (await run("web")).body;
  await passes(() => engine.begun() === 2);
  expect((await node.call(`DELETE /api/keys/${key.id}`, { as: "admin" })).status).toBe(200);
  await over(op_id);
  expect(opOf(op_id).error?.message).toContain("The API key that asked for it ended");
  expect(opOf(other).status).toBe("running");
});

test("a key is refused before too many of its containers wait, and nothing is begun; a person waits for one place", async () => {
  const key = (await node.call("POST /api/keys", { as: "admin", body: { name: "robot", scopes: "apps" } })).body;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, no) => run(`robot-${no}`, { "x-api-key": key.key })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
    new Set(["pulls_busy"]),
  );
  expect(node.ctx.operations.list()).toHaveLength(20);
  await passes(() => engine.begun() === 3);
  const { op_id } = (await run("web")).body;
  await post("/cancel", "10.0.0.1:5000/robot-0:1");
  await passes(() => engine.begun() === 4);
  // The latest pull is the person's: it is given up where that one is cancelled.
  const latest = engine.given();
  await post("/cancel");
  await latest;
  await over(op_id);
  expect(opOf(op_id).error).toMatchObject({ code: "pull_cancelled" });
});
