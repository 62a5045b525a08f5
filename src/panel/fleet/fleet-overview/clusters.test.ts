import { beforeEach, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestFleet, type TestFleet } from "../../../../tests/kit/test-fleet.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { ClusterPeer, ClusterReport } from "../../../shared/agent-protocol/index.ts";
import * as clusters from "./clusters.ts";
import { Topology } from "./contract.ts";

let clock: FakeClock;
let nodes: TestFleet;
beforeEach(() => {
  clock = createFakeClock();
  nodes = createTestFleet(clock);
});

const nobodyElse = async (): Promise<void> => {};
const describeCluster = (id: string) => clusters.describeCluster(nodes.fleet, id, nobodyElse);
const listClusters = () => clusters.listClusters(nodes.fleet, nobodyElse);

const peer = (no: number, more: Partial<ClusterPeer> = {}): ClusterPeer => ({
  key: `node-${no}`,
  id: `node-${no}`,
  host: `host-${no}`,
  status: "up",
  role: "follower",
  rtt_ms: no,
  ...more,
});
const report = (more: Partial<ClusterReport> = {}): ClusterReport => ({
  id: "c1",
  name: "main",
  role: "follower",
  ip: "10.9.0.1",
  term: 3,
  leader: "node-1",
  commit_index: 40,
  peers: [],
  ...more,
});
const join = (no: number, cluster: ClusterReport, isHeard = true) => {
  nodes.put(no, { inventory: { cluster } });
  if (isHeard) nodes.beat(`node-${no}`);
};

test("three members that see each other are well", async () => {
  for (const no of [1, 2, 3]) {
    const peers = [1, 2, 3].filter((other) => other !== no).map((other) => peer(other, { rtt_ms: no + other }));
    join(no, report({ role: no === 1 ? "leader" : "follower", commit_index: 40 + no, peers }));
  }
  expect(await describeCluster("c1")).toEqual({
    cluster_id: "c1",
    name: "main",
    health: "ok",
    primary: { id: "node-1", host: "host-1" },
    nodes: [1, 2, 3].map((no) => ({
      key: `node-${no}`,
      id: `node-${no}`,
      host: `host-${no}`,
      status: "online",
      role: no === 1 ? "leader" : "follower",
      wg_ip: "10.9.0.1",
      rtt_ms: [3.5, 4, 4.5][no - 1] ?? null,
      managed: true,
    })),
    links: [
      { from: "node-1", to: "node-2", state: "up", rtt_ms: 3 },
      { from: "node-1", to: "node-3", state: "up", rtt_ms: 4 },
      { from: "node-2", to: "node-3", state: "up", rtt_ms: 5 },
    ],
    raft: { term: 3, leader: { id: "node-1", host: "host-1" }, commit_index: 43 },
    mesh_rtt_ms: 4,
    apps: 0,
    client_name: null,
  });
  expect(await listClusters()).toMatchObject([{ id: "c1", node_count: 3, online_count: 3, raft: { term: 3 } }]);
});

test("members that are not registered here stand under os:", async () => {
  join(1, report({ peers: [peer(7, { key: "os:abc", id: null, wg_ip: "10.9.0.7" }), peer(8, { status: "down" })] }));
  const { nodes: members, health } = await describeCluster("c1");
  expect(members.map(({ key, id, managed, status, wg_ip }) => ({ key, id, managed, status, wg_ip }))).toEqual([
    { key: "node-1", id: "node-1", managed: true, status: "online", wg_ip: "10.9.0.1" },
    { key: "os:abc", id: null, managed: false, status: "online", wg_ip: "10.9.0.7" },
    { key: "os:node-8", id: null, managed: false, status: "offline", wg_ip: null },
  ]);
  expect(health).toBe("degraded");
});

test("an offline leader's words do not count, and without a leader or a majority the cluster is down", async () => {
  join(1, report({ term: 9, leader: "node-1", role: "leader", peers: [peer(2), peer(3)] }));
  const second = (leader: string | null) => join(2, report({ leader, peers: [peer(1, { status: "down" }), peer(3)] }));
  const third = (leader: string | null) =>
    join(3, report({ leader, peers: [peer(1, { status: "down" }), peer(2, { status: "degraded" })] }));
  second("node-1");
  third("node-1");
  await clock.advance(minutes(11));
  nodes.beat("node-2");
  nodes.beat("node-3");
  expect((await describeCluster("c1")).health).toBe("down");
  second("node-2");
  third("node-2");
  const { health, raft, links, primary } = await describeCluster("c1");
  expect([health, raft.term, primary?.id]).toEqual(["degraded", 3, "node-2"]);
  expect(links).toEqual([
    { from: "node-1", to: "node-2", state: "down", rtt_ms: null },
    { from: "node-1", to: "node-3", state: "down", rtt_ms: null },
    { from: "node-2", to: "node-3", state: "degraded", rtt_ms: 2.5 },
  ]);
  second(null);
  third(null);
  expect(await describeCluster("c1")).toMatchObject({ health: "down", primary: null, raft: { leader: null } });
  await clock.advance(minutes(11));
  const aged = await describeCluster("c1");
  expect(aged.nodes.map(({ status }) => status)).toEqual(["offline", "offline", "offline"]);
  expect([aged.health, aged.links, aged.primary]).toEqual(["down", [], null]);
});

describe("a swarm", () => {
  const inSwarm = (id: string, more: Partial<ClusterPeer> = {}) =>
    peer(0, { key: `os:${id}`, id: null, host: `srv-${id}`, role: "manager", wg_ip: `10.0.0.${id.length}`, ...more });
  const all = [inSwarm("a", { role: "leader" }), inSwarm("b"), inSwarm("c"), inSwarm("w", { role: "worker" })];
  /** As the manager or worker `id` of a swarm of three managers and a worker sees it. */
  const seenBy = (id: string, more: Partial<ClusterReport> = {}) =>
    report({
      name: "default",
      role: id === "a" ? "leader" : "manager",
      key: `os:${id}`,
      term: null,
      commit_index: null,
      leader: "os:a",
      peers: all.filter(({ key }) => key !== `os:${id}`),
      ...more,
    });
  const worker = (peers = all.slice(0, 3).map((one) => ({ ...one, host: "10.0.0.1", role: "manager" }))) =>
    seenBy("w", { role: "worker", name: null, leader: null, peers });

  test("members find each other by the names that the swarm has for them", async () => {
    join(1, seenBy("a"));
    join(4, worker());
    const { nodes: members, links, primary, health, raft, name } = await describeCluster("c1");
    expect(members.map(({ key, host, role, managed }) => [key, host, role, managed])).toEqual([
      ["node-1", "host-1", "leader", true],
      ["node-4", "host-4", "worker", true],
      ["os:b", "srv-b", "manager", false],
      ["os:c", "srv-c", "manager", false],
    ]);
    expect(links.map(({ from, to, state }) => `${from} ${to} ${state}`)).toEqual([
      "node-1 node-4 up",
      "node-1 os:b up",
      "node-1 os:c up",
      "node-4 os:b up",
      "node-4 os:c up",
    ]);
    expect([name, health, primary, raft]).toEqual([
      "default",
      "ok",
      { id: "node-1", host: "host-1" },
      { term: null, leader: { id: "node-1", host: "host-1" }, commit_index: null },
    ]);
  });

  test("workers have no vote: one that is lost makes it degraded, two lost managers of three bring it down", async () => {
    const withState = (states: Record<string, ClusterPeer["status"]>) =>
      seenBy("a", { peers: all.slice(1).map((one) => ({ ...one, status: states[one.key.slice(3)] ?? "up" })) });
    join(1, withState({ w: "down" }));
    expect(await listClusters()).toMatchObject([{ health: "degraded", node_count: 4, online_count: 3 }]);
    join(1, withState({ w: "down", b: "down" }));
    expect((await describeCluster("c1")).health).toBe("degraded");
    join(1, withState({ c: "down", b: "down" }));
    expect((await describeCluster("c1")).health).toBe("down");
  });

  test("a manager's word on who belongs to it and how they are counts more than a worker's", async () => {
    join(4, worker([...all.slice(0, 3), inSwarm("gone")].map((one) => ({ ...one, status: "down" as const }))));
    expect((await describeCluster("c1")).nodes.map(({ key }) => key)).toEqual([
      "node-4",
      "os:a",
      "os:b",
      "os:c",
      "os:gone",
    ]);
    join(1, seenBy("a"));
    const { nodes: members, health } = await describeCluster("c1");
    expect(members.map(({ key, status, host }) => `${key} ${status} ${host}`)).toEqual([
      "node-1 online host-1",
      "node-4 online host-4",
      "os:b online srv-b",
      "os:c online srv-c",
    ]);
    // The worker reaches nobody: its links say so.
    expect(health).toBe("degraded");
  });

  test("workers alone cannot tell who leads; nobody who could tell is not down", async () => {
    join(4, worker());
    const { health, primary, nodes: members, name } = await describeCluster("c1");
    expect([health, primary, members.length, name]).toEqual(["ok", null, 4, "c1"]);
  });

  test("a server that is late is not asked while others are on time, and one that was removed is forgotten", async () => {
    join(1, seenBy("a"));
    join(2, seenBy("b"));
    join(4, worker());
    await clock.advance(seconds(91));
    const rest = all.filter(({ key }) => key !== "os:w" && key !== "os:b");
    const others = rest.map((one) => ({ ...one, status: one.key === "os:a" ? ("down" as const) : ("up" as const) }));
    join(2, seenBy("b", { role: "leader", leader: "os:b", peers: others }));
    const { nodes: members, primary, health } = await describeCluster("c1");
    expect(members.map(({ key, status }) => `${key} ${status}`)).toEqual([
      "node-1 degraded",
      "node-2 online",
      "os:c online",
    ]);
    expect([primary?.id, health]).toEqual(["node-2", "degraded"]);
  });

  test("a server that was enrolled anew is one member, and its newest word counts", async () => {
    join(1, seenBy("a"));
    join(2, seenBy("b"));
    await clock.advance(1_000);
    join(9, seenBy("b"));
    const { nodes: members } = await describeCluster("c1");
    expect(members.map(({ key }) => key)).toEqual(["node-1", "node-9", "os:c", "os:w"]);
  });

  test("it is a client's when all its servers are, and has the apps of all of them", async () => {
    const apps = [
      { app_id: "a", name: "a", status: "running", image: "a:1", cpu_percent: 1, mem_bytes: 1, restart_count: 0 },
    ];
    nodes.put(1, { inventory: { cluster: seenBy("a") }, client_id: "c", client_name: "Bakery", apps });
    nodes.put(2, { inventory: { cluster: seenBy("b") }, client_id: "c", client_name: "Bakery", apps });
    expect(await describeCluster("c1")).toMatchObject({ client_name: "Bakery", apps: 2 });
    nodes.put(2, { inventory: { cluster: seenBy("b") }, client_name: null });
    expect((await describeCluster("c1")).client_name).toBeNull();
  });
});

test("times between members that are none are not believed, and spoil no answer", async () => {
  const told = (rtt_ms: number) => join(1, report({ leader: "node-1", role: "leader", peers: [peer(2, { rtt_ms })] }));
  told(3_600_000);
  expect((await describeCluster("c1")).mesh_rtt_ms).toBe(3_600_000);
  for (const rtt_ms of [1e308, 3_600_001, Number.POSITIVE_INFINITY]) {
    told(rtt_ms);
    expect(await listClusters()).toEqual([]);
  }
});

test("nodes that name ever more members are read up to a number, those who know best first", async () => {
  const named = (no: number) =>
    Array.from({ length: 200 }, (_, other) => peer(other, { key: `os:${no}-${other}`, id: null }));
  for (let no = 1; no <= 40; no++)
    join(no, report({ role: no === 7 ? "leader" : "worker", leader: null, peers: named(no) }));
  const nodesOf = async () => (await describeCluster("c1")).nodes;
  expect(await nodesOf()).toHaveLength(40 + 5_000);
  join(7, report({ leader: "node-7", peers: [peer(1), peer(50)] }));
  expect((await nodesOf()).map(({ key }) => key)).toContain("os:node-50");
});

test("whatever nodes report, members are told once and links join members", async () => {
  const anyPeer = fc.record({
    key: fc.constantFrom("node-1", "node-2", "node-3", "node-9", "os:x"),
    id: fc.constantFrom(null, "node-1", "node-2", "stranger"),
    host: fc.constantFrom("a", "b"),
    status: fc.constantFrom("up" as const, "degraded" as const, "down" as const),
    role: fc.constant("follower"),
    rtt_ms: fc.constantFrom(null, 1, 5, 3_600_000),
  });
  const reports = fc.array(fc.record({ peers: fc.array(anyPeer, { maxLength: 5 }), term: fc.nat(3) }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(reports, async (all) => {
      nodes = createTestFleet(clock);
      for (const [index, more] of all.entries()) join(index + 1, report(more), index % 3 < 2);
      const described = await describeCluster("c1");
      expect(Value.Check(Topology, described)).toBe(true);
      const { nodes: members, links } = described;
      const keys = members.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      const pairs = links.map(({ from, to }) => `${from} ${to}`);
      expect(new Set(pairs).size).toBe(pairs.length);
      for (const { from, to } of links) {
        expect(keys).toContain(from);
        expect(keys).toContain(to);
        expect(from).not.toBe(to);
      }
      for (const { key, id, managed } of members) expect([managed, key]).toEqual(id ? [true, id] : [false, key]);
    }),
  );
});

test("thousands of members are told whole, part by part, and others have their turn meanwhile", async () => {
  const workers = Array.from({ length: 200 }, (_, no) => peer(no + 100, { role: "worker" }));
  join(1, report({ role: "leader", peers: workers }));
  for (let no = 100; no < 2_300; no++) join(no, report({ role: "worker", leader: null }));
  let turns = 0;
  const text = await clusters.writeTopology(nodes.fleet, "c1", async () => void turns++);
  const told: unknown = JSON.parse(text);
  expect(told).toEqual(await describeCluster("c1"));
  expect(Value.Check(Topology, told)).toBe(true);
  expect((told as Topology).nodes).toHaveLength(2_201);
  // Nodes are read, weighed, put in order, gathered and shown, and written 500 at a time.
  expect(turns).toBeGreaterThan(15);
});
