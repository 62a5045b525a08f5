import { median } from "../../../lib/statistics.ts";
import { type ClusterPeer, type ClusterReport, inventoryOf } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts, TenantFleet } from "../../live/index.ts";
import { type Cluster, type ClusterLink, type ClusterNode, fail, type Topology } from "./contract.ts";

/** A node of the workspace and the cluster it says it is in. */
interface Reporter {
  facts: NodeFacts;
  report: ClusterReport;
  /** What an offline node said last is not how things are. */
  isHeard: boolean;
}

/** Every cluster that some node says it is in, by id. */
function findClusters(fleet: TenantFleet, only?: string): Map<string, Reporter[]> {
  const clusters = new Map<string, Reporter[]>();
  for (const facts of fleet.nodes()) {
    const report = inventoryOf.cluster(facts.inventory);
    if (!report || (only !== undefined && report.id !== only)) continue;
    const members = clusters.get(report.id) ?? [];
    members.push({ facts, report, isHeard: fleet.verdict(facts.no).health !== "offline" });
    clusters.set(report.id, members);
  }
  return clusters;
}

/** What reporters know of a member, each in their own words. */
interface Member {
  key: string;
  facts: NodeFacts | null;
  own: Reporter | null;
  /** Who told of it, and what; only what counts. */
  told: { by: string; peer: ClusterPeer }[];
}

const OTHER = "os:";

/** The key under which a cluster shows a peer: the id of a node of this workspace, or `os:` and whatever it is called. */
function keyOf(fleet: TenantFleet, { key, id }: ClusterPeer): string {
  const name = id ?? key;
  if (fleet.get(name)) return name;
  return name.startsWith(OTHER) ? name : `${OTHER}${name}`;
}

function gatherMembers(fleet: TenantFleet, reporters: readonly Reporter[]): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const own of reporters) members.set(own.facts.id, { key: own.facts.id, facts: own.facts, own, told: [] });
  const anyHeard = reporters.some(({ isHeard }) => isHeard);
  for (const { facts, report, isHeard } of reporters) {
    for (const peer of report.peers) {
      const key = keyOf(fleet, peer);
      if (key === facts.id) continue;
      const member = members.get(key) ?? { key, facts: fleet.get(key), own: null, told: [] };
      members.set(key, member);
      if (isHeard || !anyHeard) member.told.push({ by: facts.id, peer });
    }
  }
  return members;
}

const STATUS_OF_LINK = { up: "online", degraded: "degraded", down: "offline" } as const;
const WORST = ["down", "degraded", "up"] as const;

function presentMember(fleet: TenantFleet, { key, facts, own, told }: Member): ClusterNode {
  const rtts = told.flatMap(({ peer }) => peer.rtt_ms ?? []);
  // Others may be cut off from it: the best that anybody sees is what it is.
  const best = WORST.findLast((state) => told.some(({ peer }) => peer.status === state)) ?? "down";
  const [first] = told;
  return {
    key,
    id: facts?.id ?? null,
    host: facts?.hostname ?? first?.peer.host ?? key,
    status: facts ? fleet.verdict(facts.no).status : STATUS_OF_LINK[best],
    role: (own?.isHeard ? own.report.role : first?.peer.role) ?? own?.report.role ?? "unknown",
    wg_ip: own?.report.ip ?? told.find(({ peer }) => peer.wg_ip)?.peer.wg_ip ?? null,
    rtt_ms: rtts.length === 0 ? null : round(median(rtts)),
    managed: facts !== null,
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** One link for each pair; what both ends say differently is degraded, and nothing reaches a node that is offline. */
function linksOf(members: ReadonlyMap<string, Member>, nodes: readonly ClusterNode[]): ClusterLink[] {
  const offline = new Set(
    nodes.filter(({ status }) => status === "offline" || status === "pending").map(({ key }) => key),
  );
  const pairs = new Map<string, { from: string; to: string; told: ClusterPeer[] }>();
  for (const { key, told } of members.values()) {
    for (const { by, peer } of told) {
      const [from, to] = by < key ? [by, key] : [key, by];
      const name = JSON.stringify([from, to]);
      const pair = pairs.get(name) ?? { from, to, told: [] };
      pair.told.push(peer);
      pairs.set(name, pair);
    }
  }
  return [...pairs.values()].map(({ from, to, told }) => {
    const states = new Set(told.map(({ status }) => status));
    const [only = "down"] = states;
    const rtts = told.flatMap(({ rtt_ms }) => rtt_ms ?? []);
    const state = offline.has(from) || offline.has(to) ? "down" : states.size > 1 ? "degraded" : only;
    return { from, to, state, rtt_ms: state === "down" || rtts.length === 0 ? null : round(median(rtts)) };
  });
}

/** What the reporters of the newest term agree on; of several leaders the one that most name. */
function raftOf(reporters: readonly Reporter[]): {
  term: number | null;
  leader: string | null;
  commit_index: number | null;
} {
  const heard = reporters.filter(({ isHeard }) => isHeard);
  const terms = heard.flatMap(({ report }) => report.term ?? []);
  const term = terms.length === 0 ? null : Math.max(...terms);
  const current = heard.filter(({ report }) => (report.term ?? null) === term);
  const votes = new Map<string, number>();
  for (const { report } of current) if (report.leader) votes.set(report.leader, (votes.get(report.leader) ?? 0) + 1);
  const [most] = [...votes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const commits = current.flatMap(({ report }) => report.commit_index ?? []);
  return { term, leader: most?.[0] ?? null, commit_index: commits.length === 0 ? null : Math.max(...commits) };
}

/** Down without a leader or a majority, ok when every member and every link is well. */
function healthOf(
  nodes: readonly ClusterNode[],
  links: readonly ClusterLink[],
  hasLeader: boolean,
): Topology["health"] {
  const alive = nodes.filter(({ status }) => status === "online" || status === "degraded").length;
  if (!hasLeader || alive * 2 <= nodes.length) return "down";
  const isWell = nodes.every(({ status }) => status === "online") && links.every(({ state }) => state === "up");
  return isWell ? "ok" : "degraded";
}

function assemble(fleet: TenantFleet, id: string, reporters: readonly Reporter[]): Topology {
  const members = gatherMembers(fleet, reporters);
  const nodes = [...members.values()]
    .map((member) => presentMember(fleet, member))
    .sort((a, b) => Number(b.managed) - Number(a.managed) || (a.host < b.host ? -1 : Number(a.host > b.host)));
  const links = linksOf(members, nodes);
  const { term, leader, commit_index } = raftOf(reporters);
  const leading = leader === null ? undefined : nodes.find(({ key }) => key === leader || key === `${OTHER}${leader}`);
  const primary = leading ? { id: leading.id, host: leading.host } : null;
  const rtts = links.flatMap(({ state, rtt_ms }) => (state === "up" ? (rtt_ms ?? []) : []));
  const name = reporters.find(({ isHeard }) => isHeard) ?? reporters[0];
  return {
    cluster_id: id,
    name: name?.report.name ?? id,
    health: healthOf(nodes, links, primary !== null),
    primary,
    nodes,
    links,
    raft: { term, leader: primary, commit_index },
    mesh_rtt_ms: rtts.length === 0 ? null : round(median(rtts)),
    apps: reporters.reduce((sum, { facts }) => sum + (fleet.get(facts.id)?.apps.length ?? 0), 0),
    client_name: reporters.find(({ facts }) => facts.client_name !== null)?.facts.client_name ?? null,
  };
}

/** The clusters that the workspace's nodes report, by name. */
export function listClusters(fleet: TenantFleet): Cluster[] {
  return [...findClusters(fleet)]
    .map(([id, reporters]): Cluster => {
      const { name, health, primary, nodes, raft, client_name } = assemble(fleet, id, reporters);
      const online_count = nodes.filter(({ status }) => status === "online").length;
      const counts = { node_count: nodes.length, online_count };
      return { id, name, health, primary, ...counts, raft: { term: raft.term }, client_name };
    })
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) || (a.id < b.id ? -1 : 1));
}

/** Members, links and leadership of a cluster. Throws `cluster_not_found`. */
export function describeCluster(fleet: TenantFleet, id: string): Topology {
  const reporters = findClusters(fleet, id).get(id);
  if (!reporters) throw fail("cluster_not_found", { id });
  return assemble(fleet, id, reporters);
}
