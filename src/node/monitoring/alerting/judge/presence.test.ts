import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";

let root: string;
let node: TestNode;
beforeEach(async () => {
  root = makeScratch("host");
  for (const folder of ["sys/class/net/eth1", "sys/class/net/eth2", "sys/block/sda"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  mount("/", "/data");
  node = createTestNode({ session_rate: "100000", host_root: root });
  await call("POST /api/alerting/channels", {
    name: "hook",
    type: "slack",
    secret: "https://hooks.slack.example/services/T0/B0/x",
  });
  for (const starter of await call("GET /api/alerting/rules")) await call(`DELETE /api/alerting/rules/${starter.id}`);
});
afterEach(() => node.close());

const call = async (route: string, body?: unknown) => (await node.call(route, { as: "admin", body })).body;

function mount(...points: string[]): void {
  mkdirSync(join(root, "proc/1"), { recursive: true });
  const lines = points.map((point, index) => `${30 + index} 1 8:${index} / ${point} rw - ext4 /dev/sda${index} rw\n`);
  writeFileSync(join(root, "proc/1/mountinfo"), lines.join(""));
}

/** Lets minutes pass in which things report that. */
async function pass(count: number, figures: Record<string, Record<string, number>>): Promise<void> {
  for (let sweep = 0; sweep < count * 6; sweep++) {
    await node.clock.advance(10_000);
    node.ctx.metrics.recorder.add(new Map(Object.entries({ host: { cpu_percent: 1 }, ...figures })));
    await node.ctx.jobs.run("alerting.evaluate");
  }
}
const makeRule = (metric: string, entity: string, more: object = {}) =>
  call("POST /api/alerting/rules", { type: "threshold", metric, entity, threshold: 90, for: 0, cooldown: 0, ...more });
const events = () => call("GET /api/alerting/events");
const told = () =>
  node.ctx.db.raw.query<{ kind: string; body: string }, []>("SELECT kind, body FROM alert_outbox ORDER BY seq").all();

test.each([
  [
    "rx_bps",
    "iface:*",
    "iface:eth1",
    () => rmSync(join(root, "sys/class/net/eth1"), { recursive: true }),
    /interface is not there/,
  ],
  ["used_percent", "fs:*", "fs:/data", () => mount("/"), /not mounted any more/],
])(
  "an event about %s of %s ends when that is gone, once and with the reason",
  async (metric, entity, name, take, why) => {
    await makeRule(metric, entity);
    await pass(3, { [name]: { [metric]: 10 } });
    await pass(3, { [name]: { [metric]: 97 } });
    expect(told().map(({ kind }) => kind)).toEqual(["fired"]);
    take();
    await pass(1, {});
    expect(await events()).toMatchObject([{ state: "firing" }]);
    await pass(8, {});
    expect(await events()).toMatchObject([{ state: "resolved", resolution: "entity_removed", entity: name }]);
    expect(told().map(({ kind }) => kind)).toEqual(["fired", "resolved"]);
    expect(told()[1]?.body).toMatch(why);
  },
);

test("what is back within a minute goes on as if nothing had been", async () => {
  await makeRule("rx_bps", "iface:*");
  await pass(3, { "iface:eth1": { rx_bps: 10 } });
  await pass(3, { "iface:eth1": { rx_bps: 97 } });
  rmSync(join(root, "sys/class/net/eth1"), { recursive: true });
  await node.clock.advance(10_000);
  await node.ctx.jobs.run("alerting.evaluate");
  mkdirSync(join(root, "sys/class/net/eth1"));
  await pass(3, { "iface:eth1": { rx_bps: 97 } });
  expect(await events()).toMatchObject([{ state: "firing" }]);
  expect(told()).toHaveLength(1);
});

test("a failing disk that is taken out ends its event; put back as it was, it fires anew", async () => {
  await call("POST /api/alerting/rules", { type: "state", metric: "disk_health", clear_for: 0, cooldown: 0 });
  node.ctx.bus.emit("disk.health_changed", {
    device: "sda",
    model: "Old",
    serial: "1",
    status: "FAILED",
    healthy: false,
  });
  await pass(2, {});
  expect(told().map(({ kind }) => kind)).toEqual(["fired"]);
  rmSync(join(root, "sys/block/sda"), { recursive: true });
  await pass(6, {});
  expect(told().map(({ kind }) => kind)).toEqual(["fired", "resolved"]);
  expect(told()[1]?.body).toMatch(/disk is not in this server any more/);
  mkdirSync(join(root, "sys/block/sda"));
  await pass(2, {});
  expect(told().map(({ kind }) => kind)).toEqual(["fired", "resolved", "fired"]);
});

test("silence about a named interface that was taken out is what its absence rule waits for", async () => {
  await makeRule("rx_bps", "iface:eth1", { type: "absence", threshold: undefined, for: 120 });
  await pass(3, { "iface:eth1": { rx_bps: 10 } });
  rmSync(join(root, "sys/class/net/eth1"), { recursive: true });
  await pass(12, {});
  expect((await events()).map(({ type, state }: { type: string; state: string }) => `${type} ${state}`)).toEqual([
    "absence firing",
  ]);
});

test("an app that is stopped or uninstalled ends what its figures fired, and its last minute fires nothing new", async () => {
  const insert = `INSERT INTO apps (id, name, template, version, status, created_at, config, manifest, compose)
    VALUES ('app_1', 'wiki', 'wiki', '1', 'running', '2026-01-01T00:00:00.000Z', '{}', '{}', '')`;
  node.ctx.db.raw.query(insert).run();
  await makeRule("cpu_percent", "app:app_1", { for: 60 });
  await pass(3, { "app:app_1": { cpu_percent: 10 } });
  await pass(5, { "app:app_1": { cpu_percent: 97 } });
  expect(told().map(({ kind }) => kind)).toEqual(["fired"]);
  await node.clock.advance(30_000);
  node.ctx.db.tx(() => {
    node.ctx.db.raw.query("UPDATE apps SET status = 'stopped'").run();
    node.ctx.bus.emit("app.stopped", { app_id: "app_1", name: "wiki", template: "wiki", status: "stopped" });
  });
  expect(told().map(({ kind }) => kind)).toEqual(["fired", "resolved"]);
  expect(told()[1]?.body).toMatch(/ended because the app was stopped/);
  await pass(4, {});
  expect(told().map(({ kind }) => kind)).toEqual(["fired", "resolved"]);
});

test("an alert about a disk stays open while the disk is there, and ends when it is taken out", async () => {
  await call("POST /api/alerting/rules", { type: "state", metric: "disk_health", cooldown: 0 });
  const trouble = { device: "/dev/sda", model: "IronWolf", serial: "Z1", status: "Failing", healthy: false };
  node.ctx.bus.emit("disk.health_changed", trouble);
  await pass(3, {});
  expect(await events()).toMatchObject([{ state: "firing", entity: "disk:/dev/sda" }]);
  rmSync(join(root, "sys/block/sda"), { recursive: true });
  await pass(3, {});
  expect(await events()).toMatchObject([{ state: "resolved", resolution: "entity_removed" }]);
  expect(told()[1]?.body).toMatch(/disk is not in this server any more/);
});
