import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { linkOwn } from "../../../../../tests/kit/link-own.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { createRuntime, type Runtime } from "../../../apps/runtime/index.ts";
import { type ClusterWatch, createClusterWatch } from "./cluster.ts";
import { createReporter } from "./heartbeat.ts";

const LINK = { ca_bundle: "", license_id: null };
const member = (id: string, state: string) => ({
  ID: id,
  Spec: { Role: id === "m1" ? "manager" : "worker" },
  Description: { Hostname: `srv-${id}` },
  Status: { State: state },
  ...(id === "m1" ? { ManagerStatus: { Leader: true, Reachability: "reachable" } } : {}),
});

/** What stands where the engine would: its socket, with answers that the test gives. */
let engine: ReturnType<typeof Bun.serve>;
let node: TestNode;
let runtime: Runtime;
let watch: ClusterWatch;
let asked: string[];
let info: () => unknown;
let workerState: string;

const inSwarm = () => ({
  LocalNodeState: "active",
  NodeID: "m1",
  ControlAvailable: true,
  Cluster: { ID: "c1", Spec: { Name: "default" } },
});
async function describeEngine(): Promise<unknown> {
  return { Driver: "overlay2", DockerRootDir: "/nowhere", Architecture: "x86_64", Swarm: await info() };
}
const answers: Record<string, () => unknown> = {
  version: () => ({ Version: "20.10.24", ApiVersion: "1.41", MinAPIVersion: "1.12" }),
  info: describeEngine,
  nodes: () => [member("m1", "ready"), member("w2", workerState)],
};

beforeEach(async () => {
  asked = [];
  info = inSwarm;
  answers["info"] = describeEngine;
  workerState = "ready";
  const unix = join(makeScratch("engine"), "docker.sock");
  engine = Bun.serve({
    unix,
    async fetch(request) {
      const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
      if (name === "events") return new Response(new ReadableStream({ start: (out) => out.enqueue("\n") }));
      asked.push(name);
      const answer = await answers[name]?.();
      return answer instanceof Response ? answer : Response.json(answer);
    },
  });
  node = createTestNode();
  runtime = createRuntime({ ...node.ctx, config: { ...node.ctx.config, docker_socket: unix } });
  runtime.start();
  await until(() => runtime.engine(), { what: "the engine" });
  asked.length = 0;
  watch = createClusterWatch({ ...node.ctx, runtime });
});
afterEach(async () => {
  node.close();
  await engine.stop(true);
});

const look = async () => {
  watch.latest();
  await watch.idle();
  return watch.latest();
};

test("it looks once a minute however often it is asked, and tells what changed", async () => {
  expect(watch.latest()).toBeNull();
  const first = await look();
  expect(first).toMatchObject({ id: "c1", role: "leader", peers: [{ key: "os:w2", status: "up" }] });
  for (let second = 0; second < 58; second++) {
    await node.clock.advance(seconds(1));
    expect(await look()).toBe(first);
  }
  expect(asked).toEqual(["info", "nodes"]);
  await node.clock.advance(seconds(1));
  expect(await look()).toBe(first);
  workerState = "down";
  await node.clock.advance(minutes(1));
  expect((await look())?.peers).toMatchObject([{ status: "down" }]);
  expect(asked.length).toBe(6);
});

test("an engine in no swarm is asked every five minutes", async () => {
  info = () => ({ LocalNodeState: "inactive" });
  for (let minute = 0; minute < 9; minute++) {
    expect(await look()).toBeNull();
    await node.clock.advance(minutes(1));
  }
  expect(asked).toEqual(["info", "info"]);
});

test("requests that a lost report told of are told again", async () => {
  const reporter = createReporter({ ...linkOwn(node.ctx), runtime });
  const told = async () => (await reporter.compose(LINK)).metrics;
  for (const status of [200, 503, 500, 404]) node.ctx.answerCounts.note(status);
  expect(await told()).toMatchObject({ error_rate: 25, requests: 4 });
  expect(await told()).toMatchObject({ error_rate: 25, requests: 4 });
  reporter.heard();
  expect(await told()).toMatchObject({ error_rate: 0, requests: 0 });
});

test("an engine that hangs keeps no heartbeat waiting", async () => {
  let answer = () => {};
  info = () =>
    new Promise((resolve) => {
      answer = () => resolve(inSwarm());
    });
  const reporter = createReporter({ ...linkOwn(node.ctx), runtime });
  expect((await reporter.compose(LINK)).inventory?.["cluster"]).toBeNull();
  await until(() => asked.includes("info"), { what: "the look" });
  await node.clock.advance(minutes(1));
  expect((await reporter.compose(LINK)).inventory?.["cluster"]).toBeNull();
  expect(asked).toEqual(["info"]);
  answer();
  await until(async () => (await reporter.compose(LINK)).inventory?.["cluster"], { everyMs: 5, what: "the cluster" });
});

test("an engine that fails is taken for lost the second time, and back the first", async () => {
  await look();
  answers["info"] = () => new Response("no", { status: 500 });
  await node.clock.advance(minutes(1));
  expect((await look())?.peers).toHaveLength(1);
  await node.clock.advance(minutes(1));
  expect(await look()).toMatchObject({ id: "c1", role: "manager", leader: null, peers: [] });
  answers["info"] = describeEngine;
  await node.clock.advance(minutes(1));
  expect((await look())?.leader).toBe("os:m1");
});

test("the inventory is told anew when the cluster changed, and only then", async () => {
  const reporter = createReporter({ ...linkOwn(node.ctx), runtime });
  const clusterOf = async () => {
    const { inventory } = await reporter.compose(LINK);
    reporter.heard();
    return inventory?.["cluster"];
  };
  expect(await clusterOf()).toBeNull();
  await until(() => asked.includes("nodes"), { what: "the first look" });
  const first = await until(async () => (await clusterOf()) ?? null, { everyMs: 5, what: "the cluster" });
  expect(first).toMatchObject({ id: "c1", key: "os:m1" });
  expect(await clusterOf()).toBeUndefined();
  await node.clock.advance(minutes(2));
  expect(await clusterOf()).toBeUndefined();
});

test("when the engine is gone, the node is still in the cluster but sees nobody", async () => {
  await look();
  await engine.stop(true);
  await until(() => runtime.engine() === null, { what: "the end of the engine" });
  expect(watch.latest()).toMatchObject({ id: "c1", role: "manager", leader: null, peers: [] });
});
