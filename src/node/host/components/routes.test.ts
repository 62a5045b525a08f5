import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeHostRole, createFakeMachine, type FakeMachine } from "../../../../tests/kit/fake-host-role.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import type { HostRole } from "../host-role/index.ts";
import { listOwnComponents } from "./catalogue.ts";
import type { Component, ComponentList } from "./contract.ts";
import { makePlan } from "./plan.ts";
import { parseSet } from "./set-grammar.ts";

let machine: FakeMachine;
let node: TestNode;
const QUIET = { smartctl: "/nowhere/smartctl", anonymous_rate: "100000", host_root: "/nowhere" };
beforeEach(() => {
  machine = createFakeMachine();
  node = createTestNode(QUIET, undefined, { hostRole: createFakeHostRole(machine) });
});
afterEach(() => node.close());

const list = async (): Promise<ComponentList> => (await node.call("GET /api/components", { as: "viewer" })).body;
const find = async (id: string): Promise<Component | undefined> =>
  (await list()).components.find((component) => component.id === id);
const apply = (set: string, more: object = {}) =>
  node.call("POST /api/components/apply", { as: "admin", body: { set, ...more } });

/** Lets what waits for nothing but promises go on to its end. */
async function settle(on = node): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Bun.sleep(0);
  await on.ctx.bus.idle();
}

interface StreamEvent {
  seq: number;
  type: string;
  component: string | null;
  step: string | null;
  title: string | null;
  status: string | null;
  time: string;
  text: string | null;
  error?: { code: string; message: string; next_step: string | null };
}

/** The whole stream of an operation that is over. */
async function eventsOf(opId: string, from = 0): Promise<StreamEvent[]> {
  const { body } = await node.call(`GET /api/components/ops/${opId}/events?from=${from}`, { as: "admin" });
  return [...String(body).matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
}

/** Turns something on or off and waits for its end. */
async function carryOut(set: string): Promise<{ opId: string; status: string }> {
  const { body } = await apply(set);
  await settle();
  return { opId: body.op_id, status: node.ctx.operations.get(body.op_id).status };
}

test("the list has every component with what it is for and what the system says, and is the contract's", async () => {
  machine.installed.add("lynis");
  const { components, container_runtime, tuning, busy, checked_at } = await list();
  // Whether containers can run is not for this test: there may be an engine below it.
  const others = components.filter(({ id }) => id !== "container-runtime");
  expect(others.length).toBe(components.length - 1);
  expect(others.map(({ id, status, enabled }) => `${id} ${status} ${enabled}`)).toEqual([
    "smart disabled false",
    "vpn disabled false",
    "proxy disabled false",
    "security-scan installed true",
    "backup-restic disabled false",
    "tuning disabled false",
    "objstore installed true",
  ]);
  expect(container_runtime).toMatchObject({ too_old: false });
  expect(tuning).toEqual({ zram: false, earlyoom: false, irqbalance: false, cpupower: false, preload: false });
  expect([busy, checked_at]).toEqual([false, "2026-01-01T00:00:00.000Z"]);
  expect(await find("smart")).toMatchObject({
    title: "Disk health",
    ui: "/disks",
    requires: [],
    packages: [{ name: "smartmontools", installed: null, candidate: "1.0-1" }],
  });
});

test("what is part of the program goes and comes back without a package", async () => {
  const call = () => node.call("GET /api/objects/buckets", { as: "admin" });
  expect((await call()).status).toBe(200);
  expect((await carryOut("-objstore")).status).toBe("done");
  expect([(await find("objstore"))?.status, (await call()).body.error]).toEqual([
    "disabled",
    "component_not_installed",
  ]);
  expect((await carryOut("objstore")).status).toBe("done");
  expect([(await find("objstore"))?.status, (await call()).status]).toEqual(["installed", 200]);
});

test("turning on installs, starts and asks the system; the stream tells each step", async () => {
  const { opId, status } = await carryOut("smart,vpn");
  expect(status).toBe("done");
  expect([...machine.installed]).toEqual(["smartmontools", "wireguard-tools"]);
  expect([...machine.running]).toEqual(["smartmontools.service"]);
  const events = await eventsOf(opId);
  expect(events.map(({ type, component, step, status: how }) => [type, component, step, how].join(" "))).toEqual([
    "plan   ",
    "step  apt running",
    "step  apt done",
    "step smart smart:install running",
    "log smart smart:install ",
    "step smart smart:install done",
    "step smart smart:start running",
    "step smart smart:start done",
    "step vpn vpn:install running",
    "log vpn vpn:install ",
    "step vpn vpn:install done",
    "step  check running",
    "log  check ",
    "step  check done",
    "done   ",
  ]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect((await eventsOf(opId, 14)).map(({ type }) => type)).toEqual(["step", "done"]);
  expect(await find("smart")).toMatchObject({ enabled: true, status: "installed", cause: null });
});

test("what was removed is gone, and its choice is kept", async () => {
  await carryOut("smart,vpn");
  expect((await carryOut("-smart")).status).toBe("done");
  expect([...machine.installed]).toEqual(["wireguard-tools"]);
  expect(await find("smart")).toMatchObject({ enabled: false, status: "disabled" });
  expect(JSON.parse(readFileSync(join(node.dataDir, "components.json"), "utf8"))).toEqual({
    components: { smart: false, vpn: true },
  });
});

test("options are turned on and removed one by one, the bare name means the usual ones", async () => {
  await carryOut("tuning");
  expect((await list()).tuning).toMatchObject({ zram: true, earlyoom: true, irqbalance: false });
  await carryOut("tuning=irqbalance,-tuning=zram");
  expect((await list()).tuning).toMatchObject({ zram: false, earlyoom: true, irqbalance: true });
  expect(await find("tuning")).toMatchObject({ enabled: true, status: "installed" });
  await carryOut("-tuning");
  expect([...machine.installed]).toEqual([]);
  expect(await find("tuning")).toMatchObject({ enabled: false, status: "disabled" });
});

test.each([
  ["smrt", '"smrt" is no component of this server'],
  ["smart,-smart", "contradicts"],
  ["smart=fast", "smart has no options"],
  ["tuning=turbo", "There are: zram, earlyoom, irqbalance, cpupower, preload."],
  ["-container-runtime", "since apps and their data live in it"],
  [",", "empty word"],
  ["", "empty word"],
  ["x".repeat(2001), "is longer than 2000 characters"],
])("the set %p is refused with the word, the reason and what would be right", async (set, words) => {
  const { status, body } = await apply(set);
  expect([status, body.code]).toEqual([400, "bad_spec"]);
  expect(body.message).toContain(words);
  expect(Object.keys(body.params).sort()).toEqual(["expected", "reason", "word"]);
  expect(machine.asked.filter((line) => !line.includes(".state"))).toEqual([]);
});

test("a component brings what it requires, and what is required cannot be removed alone", async () => {
  machine.offered.set("podman", "5.0");
  const base = { summary: "", ui: null };
  const piece = { option: null, title: "Names", summary: "", units: [], mustRun: false };
  node.ctx.components.offer({
    ...base,
    id: "names",
    title: "Names",
    requires: ["vpn"],
    pieces: [{ ...piece, packages: ["podman"] }],
  });
  const { opId } = await carryOut("names");
  const steps = (await eventsOf(opId)).filter(({ status }) => status === "done").map(({ step }) => step);
  expect(steps).toEqual(["apt", "vpn:install", "names:install", "check"]);
  const { status, body } = await apply("-vpn");
  expect([status, body.code]).toEqual([400, "bad_spec"]);
  expect(body.message).toContain("Remove them together: -vpn,-names.");
  expect((await apply("names,-vpn")).body.code).toBe("bad_spec");
  expect((await carryOut("-vpn,-names")).status).toBe("done");
  expect([...machine.installed]).toEqual([]);
});

test("a failure undoes what was newly installed and leaves what was there", async () => {
  machine.installed.add("wireguard-tools");
  machine.broken.add("restic");
  const { opId, status } = await carryOut("vpn,smart,backup-restic");
  expect(status).toBe("failed");
  expect([...machine.installed]).toEqual(["wireguard-tools"]);
  const events = await eventsOf(opId);
  expect(events.at(-2)).toMatchObject({ type: "step", step: "undo", title: "Undo what was begun", status: "done" });
  expect(events.at(-1)).toMatchObject({ type: "error", error: { code: "apt_failed" } });
  expect(events.at(-1)?.error?.message).toBe("apt-get could not install restic. What was begun has been undone.");
  expect(await find("smart")).toMatchObject({ enabled: false, status: "disabled" });
  expect((await list()).busy).toBe(false);
});

test("a unit that does not start fails what needs it to run, and no more than is told where it is only a help", async () => {
  machine.stuck.add("caddy.service").add("smartmontools.service");
  expect((await carryOut("proxy")).status).toBe("failed");
  expect([...machine.installed]).toEqual([]);
  const { opId, status } = await carryOut("smart");
  expect(status).toBe("done");
  const log = (await eventsOf(opId)).filter(({ type }) => type === "log").map(({ text }) => text);
  expect(log).toContain("smartmontools.service could not be started. It is of use without that.");
  expect(await find("smart")).toMatchObject({ status: "installed" });
});

test("while another program installs packages it waits as pending-apt, also over a restart, and then goes on", async () => {
  machine.locked = true;
  const { body } = await apply("smart");
  await settle();
  expect(await find("smart")).toMatchObject({ status: "pending-apt" });
  expect(await find("vpn")).toMatchObject({ status: "disabled" });
  const again = createTestNode(QUIET, node, { hostRole: createFakeHostRole(machine) });
  void again.ctx.components.start?.();
  await settle(again);
  const { components } = (await again.call("GET /api/components", { as: "viewer" })).body;
  expect(components[0]).toMatchObject({ id: "smart", status: "pending-apt" });
  machine.locked = false;
  await again.clock.advance(6_000);
  await settle(again);
  expect(again.ctx.operations.get(body.op_id).status).toBe("done");
  expect([...machine.installed]).toEqual(["smartmontools"]);
  again.close();
});

test("apt that stays locked for an hour ends it, with nothing changed", async () => {
  machine.locked = true;
  const { body } = await apply("smart");
  await settle();
  for (let minute = 0; minute < 61; minute++) await node.clock.advance(60_000);
  await settle();
  expect(node.ctx.operations.get(body.op_id)).toMatchObject({ status: "failed", error: { code: "apt_in_use" } });
  expect([...machine.installed]).toEqual([]);
});

test("one change at a time: the second is told that the first goes on", async () => {
  machine.locked = true;
  const first = await apply("smart");
  const { status, body } = await apply("vpn");
  expect([status, body.code, body.params.op_id]).toEqual([409, "busy", first.body.op_id]);
  expect(await list()).toMatchObject({ busy: true, op_id: first.body.op_id });
});

test("viewers see and cannot change; strangers see nothing", async () => {
  expect((await node.call("GET /api/components", { as: "viewer" })).status).toBe(200);
  expect((await node.call("POST /api/components/apply", { as: "viewer", body: { set: "vpn" } })).status).toBe(403);
  expect((await node.call("GET /api/components/ops/op_1/events", { as: "viewer" })).status).toBe(403);
  expect((await node.call("GET /api/components")).status).toBe(401);
});

test("the stream is of changes of components alone", async () => {
  const steps = [{ step: "a", title: "A" }];
  const other = node.ctx.operations.begin({ kind: "app.install", subject_id: "x", title: "X", steps, by: null });
  expect((await node.call(`GET /api/components/ops/${other.id}/events`, { as: "admin" })).status).toBe(404);
  expect((await node.call("GET /api/components/ops/op_none/events", { as: "admin" })).status).toBe(404);
});

test("a damaged file of choices is told, nothing is hidden by it, and the next change begins it anew", async () => {
  writeFileSync(join(node.dataDir, "components.json"), "{oops");
  expect((await list()).config_error).toContain("components.json is damaged");
  expect(() => node.ctx.components.require("vpn")).not.toThrow();
  await carryOut("vpn");
  expect((await list()).config_error).toBeUndefined();
  expect(readFileSync(join(node.dataDir, "components.json.damaged"), "utf8")).toBe("{oops");
});

test("what is off answers component_not_installed, what is there counts as installed, however it came", async () => {
  expect(() => node.ctx.components.require("vpn")).not.toThrow();
  await list();
  const refusal = await node.call("POST /api/disks/sda/read", { as: "admin" });
  expect(refusal.status).toBe(404);
  expect(refusal.body).toMatchObject({ error: "component_not_installed", component: "smart" });
  expect(refusal.body.message).toContain("Disk health");
  const byHand = createTestNode({ ...QUIET, smartctl: "/bin/sh" }, undefined, {
    hostRole: createFakeHostRole(machine),
  });
  await byHand.call("GET /api/components", { as: "viewer" });
  expect(() => byHand.ctx.components.require("smart")).not.toThrow();
  expect((await byHand.call("POST /api/disks/nowhere/read", { as: "admin" })).body.code).toBe("disk_not_found");
  const { body } = await byHand.call("POST /api/components/apply", { as: "admin", body: { set: "smart" } });
  await settle(byHand);
  expect(byHand.ctx.operations.get(body.op_id).status).toBe("done");
  expect([...machine.installed]).toEqual([]);
  byHand.close();
});

test("what is wanted and went away is failed, and says what to do", async () => {
  await carryOut("vpn,proxy");
  machine.installed.delete("wireguard-tools");
  machine.running.delete("caddy.service");
  await node.clock.advance(400_000);
  await list();
  await settle();
  expect(await find("vpn")).toMatchObject({ enabled: true, status: "failed" });
  expect((await find("proxy"))?.cause).toBe("Reverse proxy is on this server, and caddy.service does not run.");
  expect((await find("proxy"))?.next_step).toContain("Turn it on once more");
});

test("the container runtime is planned as a package and its unit where there is none, and never to be removed", () => {
  const planOf = (set: string) => {
    const parsed = parseSet(set);
    if ("problem" in parsed) throw new Error(parsed.problem.reason);
    const made = makePlan(parsed.words, listOwnComponents(node.ctx), () => false);
    return "problem" in made ? made.problem.reason : made.plan.steps.map(({ kind, title }) => `${kind} ${title}`);
  };
  expect(planOf("container-runtime")).toEqual([
    "apt Wait until no other program installs packages",
    "install Container runtime: install docker.io",
    "start Container runtime: start it, now and at boot",
    "check Ask the system what is on now",
  ]);
  expect(planOf("-container-runtime")).toContain("apps and their data live in it");
});

test("a host role that is busy when it is asked for the result is asked again, and nothing is undone", async () => {
  const role = createFakeHostRole(machine);
  let refusals = 1;
  const busy: HostRole = {
    async ask(verb, input, options) {
      if (options.by === "node" && machine.installed.size > 0 && refusals-- > 0)
        throw new AppError("host_role_busy", [503, "It is busy."], {});
      return role.ask(verb, input, options);
    },
  };
  const hurried = createTestNode(QUIET, undefined, { hostRole: busy });
  const { body } = await hurried.call("POST /api/components/apply", { as: "admin", body: { set: "vpn" } });
  await settle(hurried);
  expect(hurried.ctx.operations.get(body.op_id).status).toBe("running");
  await hurried.clock.advance(6_000);
  await settle(hurried);
  expect(hurried.ctx.operations.get(body.op_id).status).toBe("done");
  expect([...machine.installed]).toEqual(["wireguard-tools"]);
  hurried.close();
});

test("the list says where nothing can be installed", async () => {
  expect((await list()).installs).toBe(true);
  machine.manager = null;
  const other = createTestNode(QUIET, undefined, { hostRole: createFakeHostRole(machine) });
  expect((await other.call("GET /api/components", { as: "viewer" })).body.installs).toBe(false);
  other.close();
});

test("who changed what is on record and on the timeline", async () => {
  const { opId } = await carryOut("vpn");
  const audit = (await node.call("GET /api/audit/logs", { as: "admin" })).body;
  const lines = audit.filter(({ resource }: { resource: string }) => resource.includes(opId));
  expect(lines.map(({ action }: { action: string }) => action).sort()).toEqual([
    "component.applied",
    "component.apply_begun",
  ]);
  const { items } = (await node.call("GET /api/timeline?category=system", { as: "admin" })).body;
  expect(items[0]).toMatchObject({ type: "component.applied", title: "admin: Turn on VPN tools", link: "/components" });
});
