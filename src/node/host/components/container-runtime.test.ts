import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeHostRole, createFakeMachine, type FakeMachine } from "../../../../tests/kit/fake-host-role.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { EngineFacts } from "../../base.ts";
import { describeRuntime } from "./container-runtime.ts";
import type { Own } from "./needs.ts";

let root: string;
let machine: FakeMachine;
const nodes: TestNode[] = [];
beforeEach(() => {
  root = makeScratch("snap-host");
  machine = createFakeMachine();
});
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

/** What says that Docker of the snap store is there; snap takes it away while it is switched off. */
function haveSnap(): void {
  machine.snap = "on";
  mkdirSync(join(root, "snap/bin"), { recursive: true });
  writeFileSync(join(root, "snap/bin/docker"), "");
}

function start(): TestNode {
  const config = { smartctl: "/nowhere/smartctl", anonymous_rate: "100000", host_root: root };
  const node = createTestNode(config, undefined, { hostRole: createFakeHostRole(machine) });
  nodes.push(node);
  return node;
}

async function settle(node: TestNode): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Bun.sleep(0);
  await node.ctx.bus.idle();
}

const apply = (node: TestNode, more: object = {}) =>
  node.call("POST /api/components/apply", { as: "admin", body: { set: "container-runtime", ...more } });

/** What is known of engines and packages. */
const runtimeOf = (engine: EngineFacts | null, packages: Record<string, string>) => {
  const installed = new Map(Object.entries(packages).map(([name, version]) => [name, { installed: version }]));
  const own = {
    config: { host_root: root },
    lists: { engines: { all: () => [() => engine] } },
    machine: { last: () => ({ packages: installed }) },
  };
  return describeRuntime(own as unknown as Own);
};

test.each<[string, Parameters<typeof runtimeOf>, object]>([
  [
    "Docker of the distribution",
    [{ version: "20.10.24", too_old: false, answers: true }, { "docker.io": "20.10.24+dfsg1-1" }],
    { mode: "package", flavor: "docker", version: "20.10.24", too_old: false },
  ],
  [
    "Docker that somebody put there",
    [{ version: "28.2.2", too_old: false, answers: true }, {}],
    { mode: "other", flavor: "docker", version: "28.2.2", too_old: false },
  ],
  [
    "a Docker that is too old",
    [{ version: "18.9.1", too_old: true, answers: true }, { "docker.io": "18.09.1" }],
    { mode: "package", flavor: "docker", version: "18.9.1", too_old: true },
  ],
  [
    "an engine that has not answered yet",
    [{ version: null, too_old: false, answers: false }, { "docker.io": "1:20.10.5+dfsg1" }],
    { mode: "package", flavor: "docker", version: "20.10.5", too_old: false },
  ],
  [
    "Podman",
    [null, { podman: "4.9.3+ds1-1" }],
    { mode: "package", flavor: "podman", version: "4.9.3", too_old: false },
  ],
  [
    "a Podman that is too old",
    [null, { podman: "4.3.1+ds1-8" }],
    { mode: "package", flavor: "podman", version: "4.3.1", too_old: true },
  ],
])("%s is told as what it is", (_, [engine, packages], expected) => {
  expect(runtimeOf(engine, packages)).toEqual(expected as ReturnType<typeof runtimeOf>);
});

test("Docker of the snap store is told as what it is, also beside a package that does not run", () => {
  haveSnap();
  expect(runtimeOf({ version: "24.0.5", too_old: false, answers: true }, { "docker.io": "20.10" })).toMatchObject({
    mode: "snap",
  });
});

test("Docker of the snap store is replaced by nobody who did not say so, and then switched off before another comes", async () => {
  haveSnap();
  const node = start();
  expect(await apply(node)).toMatchObject({ status: 400, body: { code: "confirm_snap_required" } });
  expect(machine.asked.filter((line) => line.startsWith("snap"))).toEqual([]);
  const { body } = await apply(node, { confirm_snap: true });
  await settle(node);
  expect(node.ctx.operations.get(body.op_id).status).toBe("done");
  expect([machine.snap, [...machine.installed], [...machine.running]]).toEqual([
    "off",
    ["docker.io"],
    ["docker.service"],
  ]);
  const changes = machine.asked.filter((line) => /set|install/.test(line));
  expect(changes).toEqual(["snap.set docker", "packages.install docker.io", "unit.set docker.service"]);
});

test("where the other Docker does not start, the one of the snap store is on again", async () => {
  haveSnap();
  machine.stuck.add("docker.service");
  const node = start();
  const { body } = await apply(node, { confirm_snap: true });
  await settle(node);
  expect(node.ctx.operations.get(body.op_id)).toMatchObject({ status: "failed" });
  expect([machine.snap, [...machine.installed], [...machine.running]]).toEqual(["on", [], []]);
});

test("Docker that somebody put there is as well as it answers, and is started when it is turned on once more", async () => {
  const engine: EngineFacts = { version: "28.2.2", answers: true, too_old: false };
  const node = start();
  node.ctx.lists.engines.add(() => engine);
  const tell = async () => {
    const { body } = await node.call("GET /api/components", { as: "admin" });
    const { status, cause } = body.components.find(({ id }: { id: string }) => id === "container-runtime") ?? {};
    return [status, cause];
  };
  expect(await tell()).toEqual(["installed", null]);
  Object.assign(engine, { version: null, answers: false });
  // Nobody decided that it shall be there, so one that is gone for good is no failure.
  expect(await tell()).toEqual(["disabled", null]);
  machine.installed.add("docker.io");
  machine.brings.set("docker.io", "docker.service");
  const { body } = await apply(node);
  await settle(node);
  expect(node.ctx.operations.get(body.op_id).status).toBe("done");
  expect([...machine.running]).toEqual(["docker.service"]);
});
