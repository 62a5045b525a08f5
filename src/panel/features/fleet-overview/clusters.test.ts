import { beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestFleet, type TestFleet } from "../../../../tests/kit/test-fleet.ts";
import { minutes } from "../../../lib/duration.ts";
import type { ClusterPeer, ClusterReport } from "../../../shared/agent-protocol/index.ts";
import { describeCluster, listClusters } from "./clusters.ts";

let clock: FakeClock;
let nodes: TestFleet;
beforeEach(() => {
  clock = createFakeClock();
  nodes = createTestFleet(clock);
});

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

test("three members that see each other are well", () => {
  for (const no of [1, 2, 3]) {
    const peers = [1, 2, 3].filter((other) => other !== no).map((other) => peer(other, { rtt_ms: no + other }));
    join(no, report({ role: no === 1 ? "leader" : "follower", commit_index: 40 + no, peers }));
  }
  expect(describeCluster(nodes.fleet, "c1")).toEqual({
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
  expect(listClusters(nodes.fleet)).toMatchObject([{ id: "c1", node_count: 3, online_count: 3, raft: { term: 3 } }]);
});

test("members that are not registered here stand under os:", () => {
  join(1, report({ peers: [peer(7, { key: "os:abc", id: null, wg_ip: "10.9.0.7" }), peer(8, { status: "down" })] }));
  const { nodes: members, health } = describeCluster(nodes.fleet, "c1");
  expect(members.map(({ key, id, managed, status, wg_ip }) => ({ key, id, managed, status, wg_ip }))).toEqual([
    { key: "node-1", id: "node-1", managed: true, status: "online", wg_ip: "10.9.0.1" },
    { key: "os:abc", id: null, managed: false, status: "online", wg_ip: "10.9.0.7" },
    { key: "os:node-8", id: null, managed: false, status: "offline", wg_ip: null },
  ]);
  expect(health).toBe("degraded");
});

test("an offline leader's words do not count, and without a majority the cluster is down", async () => {
  join(1, report({ term: 9, leader: "node-1", peers: [peer(2), peer(3)] }));
  join(2, report({ peers: [peer(1, { status: "down" }), peer(3)] }));
  join(3, report({ peers: [peer(1, { status: "down" }), peer(2, { status: "degraded" })] }));
  await clock.advance(minutes(11));
  nodes.beat("node-2");
  nodes.beat("node-3");
  const { health, raft, links } = describeCluster(nodes.fleet, "c1");
  expect([health, raft.term]).toEqual(["degraded", 3]);
  expect(links).toEqual([
    { from: "node-1", to: "node-2", state: "down", rtt_ms: null },
    { from: "node-1", to: "node-3", state: "down", rtt_ms: null },
    { from: "node-2", to: "node-3", state: "degraded", rtt_ms: 2.5 },
  ]);
  await clock.advance(minutes(11));
  nodes.beat("node-2");
  expect(describeCluster(nodes.fleet, "c1").health).toBe("down");
});

test("whatever nodes report, members are told once and links join members", () => {
  const anyPeer = fc.record({
    key: fc.constantFrom("node-1", "node-2", "node-3", "node-9", "os:x"),
    id: fc.constantFrom(null, "node-1", "node-2", "stranger"),
    host: fc.constantFrom("a", "b"),
    status: fc.constantFrom("up" as const, "degraded" as const, "down" as const),
    role: fc.constant("follower"),
    rtt_ms: fc.constantFrom(null, 1, 5),
  });
  const reports = fc.array(fc.record({ peers: fc.array(anyPeer, { maxLength: 5 }), term: fc.nat(3) }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(reports, (all) => {
      nodes = createTestFleet(clock);
      for (const [index, more] of all.entries()) join(index + 1, report(more), index % 3 < 2);
      const { nodes: members, links } = describeCluster(nodes.fleet, "c1");
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
