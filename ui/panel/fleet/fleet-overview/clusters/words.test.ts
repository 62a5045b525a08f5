import { expect, test } from "bun:test";
import type { ClusterNode, Topology } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { cutName, explanationOf, rttText, shortHosts, sortMembers, verdictOf } from "./words.ts";

const nodes = (...statuses: ClusterNode["status"][]): ClusterNode[] =>
  statuses.map((status, place) => ({
    ...{ key: `os:${place}`, id: null, host: `host-${place}`, status, role: "manager", wg_ip: null, rtt_ms: null },
    managed: false,
  }));
const topology = (more: Partial<Topology>): Topology => ({
  cluster_id: "c",
  name: "c",
  health: "degraded",
  primary: { id: null, host: "host-0" },
  nodes: nodes("online", "online", "online"),
  links: [],
  raft: { term: null, leader: null, commit_index: null },
  mesh_rtt_ms: null,
  apps: 0,
  client_name: null,
  ...more,
});

test.each<[string, Partial<Topology>]>([
  ["All 3 members are well.", { health: "ok" }],
  ["Its only member is well.", { health: "ok", nodes: nodes("online") }],
  ["1 member of 3 is offline.", { nodes: nodes("online", "online", "offline") }],
  ["2 members of 3 are offline.", { nodes: nodes("online", "pending", "offline") }],
  ["1 member needs a look.", { nodes: nodes("online", "degraded") }],
  ["1 link is not well.", { links: [{ from: "a", to: "b", state: "degraded", rtt_ms: null }] }],
  ["Its members do not see all of each other.", {}],
  ["Nobody leads this cluster.", { health: "down", primary: null }],
  ["Too few of those who decide are left.", { health: "down" }],
  ["None of its members can be heard.", { health: "down", primary: null, nodes: nodes("offline", "offline") }],
])("%s", (sentence, more) => {
  expect(verdictOf(topology(more))).toBe(sentence);
});

test("what it means is told beside it", () => {
  expect(explanationOf(topology({ health: "ok" }))).toBe("host-0 leads.");
  expect(explanationOf(topology({ primary: null }))).toContain("no manager of it is enrolled here");
  expect(explanationOf(topology({ health: "down" }))).toContain("What runs goes on");
});

test("a round trip has few digits", () => {
  expect([null, 0.34, 9.96, 41.2].map(rttText)).toEqual(["–", "0.3 ms", "10 ms", "41 ms"]);
});

test("members in trouble come first, then who leads, then by name and number", () => {
  const member = (host: string, role: string, status: ClusterNode["status"] = "online"): ClusterNode => ({
    ...{ key: host, id: null, host, status, role, wg_ip: null, rtt_ms: null, managed: false },
  });
  const told = [
    ...[member("b-10", "worker"), member("b-9", "worker"), member("z", "manager"), member("y", "leader")],
    ...[member("x", "worker", "degraded"), member("w", "manager", "offline")],
  ];
  expect(sortMembers(told).map(({ host }) => host)).toEqual(["w", "x", "y", "z", "b-9", "b-10"]);
});

test("hosts lose their domains only where that tells them apart, and long names their middles", () => {
  const short = (...hosts: string[]) => [...shortHosts(hosts).values()];
  expect(short("web-1.north.example.org", "web-2.example.org", "box")).toEqual(["web-1", "web-2", "box"]);
  expect(short("web-1.north.example.org", "web-1.south.example.org")).toEqual([
    "web-1.north.example.org",
    "web-1.south.example.org",
  ]);
  expect(short("10.0.0.1", "10.0.0.2", "fe80::1")).toEqual(["10.0.0.1", "10.0.0.2", "fe80::1"]);
  expect(cutName("warehouse-north-01", 11)).toBe("wareh…th-01");
  expect(cutName("warehouse-north-01", 18)).toBe("warehouse-north-01");
});
