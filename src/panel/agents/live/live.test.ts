import { beforeEach, expect, test } from "bun:test";
import { heartbeatBody } from "../../../../tests/kit/agent-panel.ts";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import type { HeartbeatInput } from "../../../shared/agent-protocol/index.ts";
import type { LiveStore } from "./port.ts";

let clock: FakeClock;
let live: LiveStore;
beforeEach(() => {
  clock = createFakeClock();
  live = createMemoryLive(clock);
});

const beat = (no: number, metrics: Partial<HeartbeatInput["metrics"]> = {}, tenantId = "t1") =>
  live.heartbeat(
    { ...heartbeatBody(), hostname: `host-${no}`, status: "ok", metrics: { ...heartbeatBody().metrics, ...metrics } },
    {
      nodeId: `node-${no}`,
      tenantId,
      serial: "s",
    },
  );

test("a node is pending until its first heartbeat, which is told once", async () => {
  const seen: unknown[] = [];
  live.onSeen((...told) => seen.push(told));
  live.put(nodeFacts(1));
  const fleet = live.of("t1");
  expect(fleet.verdict(1).status).toBe("pending");
  const answer = await beat(1);
  await beat(1);
  expect(answer).toEqual({ commands: [], next_heartbeat_sec: 20, server_time: "2026-01-01T00:00:00.000Z" });
  expect(seen).toEqual([
    ["node-1", "t1", true],
    ["node-1", "t1", false],
  ]);
  expect(fleet.verdict(1).status).toBe("online");
  expect(fleet.get("node-1")?.first_seen_at).toBe(clock.now());
  expect(fleet.figures(1)).toMatchObject({
    last_seen: clock.now(),
    cpu: 1,
    memory: 2,
    disk: 3,
    net_in: 4,
    net_out: NaN,
  });
});

test("a node that tells of more than all of its host has all of it in use", async () => {
  live.put(nodeFacts(1));
  await beat(1, { cpu_percent: 100.5, memory_percent: 1_000_000, disk_percent: 99.5, net_in: 500 });
  expect(live.of("t1").figures(1)).toMatchObject({ cpu: 100, memory: 100, disk: 99.5, net_in: 500 });
  expect(live.of("t1").lastHour(1)).toMatchObject({ cpu: [100], mem: [100], disk: [99.5] });
});

test("a workspace sees its own nodes only, by number too", async () => {
  live.put(nodeFacts(1));
  live.put(nodeFacts(2, { tenant_id: "t2" }));
  await beat(2, {}, "t2");
  const fleet = live.of("t1");
  expect(fleet.nodes().map(({ id }) => id)).toEqual(["node-1"]);
  expect(fleet.get("node-2")).toBeNull();
  expect(fleet.figures(2)).toMatchObject({ last_seen: 0, cpu: NaN });
  expect(fleet.verdict(2).status).toBe("pending");
  expect(fleet.lastHour(2).t).toEqual([]);
  expect(await beat(2, {}, "t1").catch(({ code }) => code)).toBe("node_deleted");
});

test("the version and the listeners follow members and facts, not figures", async () => {
  const told: string[] = [];
  const stop = live.onChange("t1", (change) => told.push(change.kind === "facts" ? change.node_id : change.kind));
  const fleet = live.of("t1");
  live.put(nodeFacts(1, { first_seen_at: 1 }));
  const nodes = fleet.nodes();
  const version = fleet.version();
  await beat(1);
  expect([fleet.version(), fleet.nodes()]).toEqual([version, nodes]);
  expect(fleet.nodes()).toBe(nodes);
  live.put(nodeFacts(1, { first_seen_at: 1, hostname: "other" }));
  expect(fleet.version()).toBeGreaterThan(version);
  expect(fleet.nodes()[0]?.hostname).toBe("other");
  live.put(nodeFacts(2, { tenant_id: "t2" }));
  live.remove("node-1");
  stop();
  live.put(nodeFacts(3));
  expect(told).toEqual(["node-1", "status", "node-1", "node-1"]);
  expect(live.count()).toBe(2);
});

const tell = (no: number, length: number, tenantId = "t1") =>
  live
    .heartbeat(
      { ...heartbeatBody(), hostname: `host-${no}`, status: "ok", inventory: { text: "x".repeat(length) } },
      { nodeId: `node-${no}`, tenantId, serial: "s" },
    )
    .then(
      () => "ok",
      ({ code }) => code,
    );

test("what the nodes of a workspace tell has an end, also when all tell at once", async () => {
  const slow = Promise.withResolvers<void>();
  live = createMemoryLive(clock, { write: () => slow.promise });
  for (let no = 1; no <= 60; no++) live.put(nodeFacts(no));
  const telling = Array.from({ length: 60 }, (_, index) => tell(index + 1, 64_000));
  slow.resolve();
  const told = await Promise.all(telling);
  expect(told.filter((each) => each === "ok")).toHaveLength(53);
  expect(await tell(1, 10)).toBe("ok");
  expect(await tell(60, 50_000)).toBe("ok");
});

test("what the nodes of a workspace tell has an end, and one that tells less is heard", async () => {
  for (let no = 1; no <= 60; no++) live.put(nodeFacts(no));
  live.put(nodeFacts(61, { tenant_id: "t2" }));
  const told: string[] = [];
  for (let no = 1; no <= 60; no++) told.push(await tell(no, 64_000));
  expect(told.filter((each) => each === "ok")).toHaveLength(53);
  expect(told.at(-1)).toBe("workspace_full");
  expect(await tell(61, 64_000, "t2")).toBe("ok");
  expect(await beat(60)).toMatchObject({ commands: [] });
  expect(await tell(1, 10)).toBe("ok");
  expect(await tell(60, 50_000)).toBe("ok");
});

test("what a deleted node told while others were written down is no word of the one that has its id now", async () => {
  const slow = Promise.withResolvers<void>();
  live = createMemoryLive(clock, { write: () => slow.promise });
  live.put(nodeFacts(1));
  const first = tell(1, 10);
  const second = tell(1, 20);
  live.remove("node-1");
  live.put(nodeFacts(2, { id: "node-1", tenant_id: "t2", hostname: "theirs" }));
  slow.resolve();
  expect(await Promise.all([first, second])).toEqual(["node_deleted", "node_deleted"]);
  expect(live.of("t2").get("node-1")?.hostname).toBe("theirs");
});

/** An app with everything that has a name here. */
const app = (more: object = {}) => ({
  ...{ app_id: "a", name: "shop", status: "running", image: "shop:1", cpu_percent: 1, mem_bytes: 2, restart_count: 0 },
  ...more,
});
const tellHost = (more: Partial<HeartbeatInput>) =>
  live.heartbeat({ ...heartbeatBody(), status: "ok", ...more }, { nodeId: "node-1", tenantId: "t1", serial: "s" });

test("what a node tells under names that nobody knows is not kept", async () => {
  live.put(nodeFacts(1));
  const more = { x: [[], [], []] };
  const peer = { key: "os:b", host: "b", status: "up", role: "follower" };
  const cluster = { id: "c", role: "leader", peers: [peer] };
  const inventory = { os: "Debian", region: " eu ", zone: 5, cluster };
  await tellHost({
    apps: [app(more)],
    inventory: { ...inventory, ...more, cluster: { ...cluster, ...more, peers: [{ ...peer, ...more }] } },
  });
  const fleet = live.of("t1");
  expect(fleet.nodes()[0]).toMatchObject({ apps: [app()], region: "eu" });
  expect(fleet.nodes()[0]?.inventory).toEqual({ os: "Debian", region: "eu", cluster });
  const version = fleet.version();
  // The same but for what it uses.
  await tellHost({ apps: [app({ ...more, cpu_percent: 7 })] });
  expect(fleet.get("node-1")?.apps).toEqual([app({ cpu_percent: 7 })]);
  expect(fleet.version()).toBe(version);
});

test("what a node tells anew under such a name is written down, and what it tells again is not", async () => {
  const written: unknown[] = [];
  live = createMemoryLive(clock, {
    write: async (entries) => void written.push(...entries.map(({ fresh }) => fresh?.inventory)),
  });
  live.put(nodeFacts(1));
  for (const x of [1, 1, 2]) await tellHost({ inventory: { os: "Debian", x } });
  expect(written).toEqual(['{"os":"Debian","x":1}', undefined, '{"os":"Debian","x":2}']);
});

test("a node that goes while it is written down what it told leaves nothing behind", async () => {
  const slow = Promise.withResolvers<void>();
  live = createMemoryLive(clock, { write: () => slow.promise });
  live.put(nodeFacts(1));
  const told = tellHost({ apps: [app()] });
  live.remove("node-1");
  slow.resolve();
  expect(await told.catch(({ code }) => code)).toBe("node_deleted");
  live.put(nodeFacts(1));
  expect(live.of("t1").get("node-1")?.apps).toEqual([]);
});

test("a node that went leaves nothing to the one that comes back", async () => {
  live.put(nodeFacts(1));
  await beat(1, { cpu_percent: 99 });
  live.remove("node-1");
  live.put(nodeFacts(1));
  expect(live.of("t1").verdict(1).status).toBe("pending");
  expect(live.of("t1").lastHour(1).t).toEqual([]);
  expect(() => live.put(nodeFacts(1, { id: "other" }))).toThrow("node number 1");
});

test("numbers far apart have room", async () => {
  live.put(nodeFacts(0));
  await beat(0, { cpu_percent: 42 });
  live.put(nodeFacts(100_000));
  await beat(100_000, { cpu_percent: 91 });
  const fleet = live.of("t1");
  expect([fleet.figures(0).cpu, fleet.figures(100_000).cpu]).toEqual([42, 91]);
  expect(fleet.verdict(100_000).reasons).toEqual(["cpu_high"]);
  expect(fleet.columns().cpu[100_000]).toBe(91);
});

test("the last hour has one point a minute and forgets what is older", async () => {
  live.put(nodeFacts(1));
  const fleet = live.of("t1");
  const start = clock.now();
  await beat(1, { cpu_percent: 10, memory_percent: null });
  clock.jump(20_000);
  await beat(1, { cpu_percent: 30, memory_percent: 7 });
  clock.jump(120_000);
  await beat(1, { cpu_percent: 50 });
  expect(fleet.lastHour(1)).toEqual({
    t: [start, start + 120_000],
    cpu: [20, 50],
    mem: [7, 2],
    disk: [3, 3],
    net_in: [4, 4],
  });
  clock.jump(3_600_000 - 140_000);
  expect(fleet.lastHour(1).t).toEqual([start + 120_000]);
  await beat(1);
  expect(fleet.lastHour(1).t).toEqual([start + 120_000, start + 3_600_000]);
  clock.jump(7_200_000);
  expect(fleet.lastHour(1).t).toEqual([]);
});

test("a clock that is set back leaves no minutes of the future, and the hour goes on", async () => {
  await live.start();
  live.put(nodeFacts(1));
  live.put(nodeFacts(2));
  const fleet = live.of("t1");
  await beat(1, { cpu_percent: 10 });
  await clock.advance(60_000);
  await beat(1, { cpu_percent: 20 });
  clock.jump(3_600_000 * 5);
  await clock.advance(1_000);
  for (const no of [1, 2]) await beat(no, { cpu_percent: 90 });
  clock.jump(-3_600_000 * 5);
  await clock.advance(1_000);
  for (const no of [1, 2]) await beat(no, { cpu_percent: 40 });
  // The minutes of before the jump went when the later ones took their room.
  expect([fleet.lastHour(1).cpu, fleet.lastHour(2).cpu]).toEqual([[40], [40]]);
  clock.jump(-60_000 * 30);
  await clock.advance(1_000);
  await beat(1, { cpu_percent: 50 });
  await clock.advance(60_000);
  await beat(1, { cpu_percent: 60 });
  expect(fleet.lastHour(1).cpu).toEqual([50, 60]);
  await live.stop();
});

test("a node that speaks while its mark as offline is being written down is not offline", async () => {
  const slow = Promise.withResolvers<void>();
  let isSlow = false;
  live = createMemoryLive(clock, { write: async () => (isSlow ? slow.promise : undefined) });
  live.put(nodeFacts(1));
  await beat(1);
  isSlow = true;
  live.put(nodeFacts(1, { first_seen_at: clock.now(), marked_offline: true }));
  expect(live.of("t1").verdict(1).status).toBe("offline");
  const spoken = beat(1);
  isSlow = false;
  slow.resolve();
  await spoken;
  expect(live.of("t1").verdict(1).status).toBe("online");
});
