import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeHostRole, createFakeMachine, type FakeMachine } from "../../../../tests/kit/fake-host-role.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { OperationEvent } from "../../platform/operations/contract.ts";

/** A server whose Docker came from the snap store. */
const SNAP_HOST = makeScratch("snap-host");
mkdirSync(join(SNAP_HOST, "snap/bin"), { recursive: true });
writeFileSync(join(SNAP_HOST, "snap/bin/docker"), "");

const QUIET = { smartctl: "/nowhere/smartctl", host_root: "/nowhere" };

/** Waits until the node was cut off or its change is over. */
async function settle(node: TestNode, opId: string, role: { calls: number }, dieAt: number): Promise<void> {
  while (role.calls < dieAt && node.ctx.operations.get(opId).status === "running") await Bun.sleep(0);
}

async function eventsOf(node: TestNode, opId: string): Promise<OperationEvent[]> {
  const events: OperationEvent[] = [];
  for await (const { data } of node.ctx.operations.read(opId, 0, new AbortController().signal))
    events.push(data as OperationEvent);
  return events;
}

interface Story {
  name: string;
  set: string;
  before: (machine: FakeMachine) => void;
  /** Docker of the snap store is to be replaced; what becomes of it. */
  snap?: "on" | "off";
  /** What is set of the kernel in the end; nothing when left out. */
  sysctls?: Record<string, number>;
  ends: "done" | "failed";
  installed: string[];
  running: string[];
}

const STORIES: Story[] = [
  {
    name: "all goes well",
    set: "smart,proxy,-vpn",
    before: (machine) => void machine.installed.add("wireguard-tools"),
    ends: "done",
    installed: ["caddy", "smartmontools"],
    running: ["caddy.service", "smartmontools.service"],
  },
  {
    name: "the last package cannot be installed",
    set: "vpn,smart,backup-restic",
    before(machine) {
      machine.installed.add("wireguard-tools");
      machine.broken.add("restic");
    },
    ends: "failed",
    installed: ["wireguard-tools"],
    running: [],
  },
  {
    name: "a package cannot be set up",
    set: "smart,backup-restic",
    before: (machine) => void machine.notSetUp.add("restic"),
    ends: "failed",
    installed: [],
    running: [],
  },
  {
    name: "Docker of the snap store is replaced",
    set: "container-runtime",
    before(machine) {
      machine.snap = "on";
    },
    snap: "off",
    ends: "done",
    installed: ["docker.io"],
    running: ["docker.service"],
  },
  {
    name: "the Docker that is to replace another one does not start",
    set: "container-runtime",
    before(machine) {
      machine.snap = "on";
      machine.stuck.add("docker.service");
    },
    snap: "on",
    ends: "failed",
    installed: [],
    running: [],
  },
  {
    name: "values of the kernel go with it",
    set: "tuning=zram",
    before: () => {},
    ends: "done",
    installed: ["zram-tools"],
    running: ["zramswap.service"],
    sysctls: { "vm.swappiness": 100, "vm.page-cluster": 0 },
  },
  {
    name: "values of the kernel are given back",
    set: "tuning=zram,backup-restic",
    before: (machine) => void machine.broken.add("restic"),
    ends: "failed",
    installed: [],
    running: [],
  },
  {
    name: "a unit does not start",
    set: "security-scan,proxy",
    before: (machine) => void machine.stuck.add("caddy.service"),
    ends: "failed",
    installed: [],
    running: [],
  },
];

/** Carries a set out on a node that is cut off twice: at one question to the machine, and at another one after its next start. */
async function live(story: Story, first: number, after: boolean, second: number): Promise<"reached" | "not reached"> {
  const machine = createFakeMachine();
  story.before(machine);
  const role = createFakeHostRole(machine, { at: first, after });
  const config = { ...QUIET, ...(story.snap === undefined ? {} : { host_root: SNAP_HOST }) };
  const node = createTestNode(config, undefined, { hostRole: role });
  const wanted = { set: story.set, confirm_snap: story.snap !== undefined };
  const { body } = await node.call("POST /api/components/apply", { as: "admin", body: wanted });
  // The node that is cut off in its first look has promised nothing yet.
  if (body.op_id === undefined) throw new Error(`no operation: ${JSON.stringify(body)}`);
  await settle(node, body.op_id, role, first);
  const wasCut = role.calls >= first;
  const nodes = [node];
  const startAgain = async (die?: { at: number; after: boolean }) => {
    const nextRole = createFakeHostRole(machine, die);
    const again = createTestNode(config, node, { hostRole: nextRole });
    nodes.push(again);
    void again.ctx.components.start?.();
    await settle(again, body.op_id, nextRole, die?.at ?? Number.POSITIVE_INFINITY);
    return again;
  };
  if (wasCut) await startAgain({ at: second, after: !after });
  const last = wasCut ? await startAgain() : node;
  const at = `${story.name}, cut off ${after ? "after" : "before"} question ${first} and ${second}`;
  const { status } = last.ctx.operations.get(body.op_id);
  const { busy } = (await last.call("GET /api/components", { as: "admin" })).body;
  expect([at, status, busy, [...machine.halves], [...machine.installed].sort(), [...machine.running].sort()]).toEqual([
    at,
    story.ends,
    false,
    [],
    story.installed,
    story.running,
  ]);
  expect([at, machine.snap]).toEqual([at, story.snap ?? null]);
  const set = Object.fromEntries([...machine.sysctls].map(([key, { value }]) => [key, value]));
  expect([at, set]).toEqual([at, story.sysctls ?? {}]);
  const kernel = { "vm.page-cluster": 3, "vm.swappiness": 60, ...story.sysctls };
  expect([at, Object.fromEntries(machine.kernel)]).toEqual([at, kernel]);
  const events = await eventsOf(last, body.op_id);
  const numbers = events.map(({ seq }) => seq);
  expect([at, numbers]).toEqual([at, [...new Set(numbers)].sort((a, b) => a - b)]);
  expect([at, events.at(-1)?.type]).toEqual([at, story.ends === "done" ? "done" : "error"]);
  if (wasCut) expect([at, events.some(({ type }) => type === "restart")]).toEqual([at, true]);
  for (const one of nodes.reverse()) one.close();
  return wasCut ? "reached" : "not reached";
}

test.each(STORIES)(
  "cut off at any question to the machine, twice, a change is whole or undone, and its stream says so: $name",
  async (story) => {
    // The first look at the machine comes before there is an operation.
    const looks = await countLooks(story);
    let cuts = 0;
    for (let first = looks + 1; ; first++) {
      const reached = await live(story, first, first % 2 === 0, 1 + (first % 4));
      if (reached === "not reached") break;
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(9);
  },
  60_000,
);

/** How many questions the first look at the machine takes. */
async function countLooks(story: Story): Promise<number> {
  const machine = createFakeMachine();
  story.before(machine);
  const role = createFakeHostRole(machine);
  const node = createTestNode(QUIET, undefined, { hostRole: role });
  await node.call("GET /api/components", { as: "admin" });
  node.close();
  return role.calls;
}
