import type { TenantFleet } from "../../live/index.ts";
import { gatherMembers, linksOf, type Member, middle, presentMember, stateOf } from "./cluster-members.ts";
import { createNaming, findClusters, hasVote, type Reporter } from "./cluster-reports.ts";
import { type Cluster, type ClusterLink, type ClusterNode, fail, type Topology } from "./contract.ts";

interface Raft {
  term: number | null;
  /** The name of the one that leads, as reports have it. */
  leader: string | null;
  commit_index: number | null;
}

/** What those with a vote agree on who are at the newest term; of several leaders the one that most name. */
function raftOf(reporters: readonly Reporter[]): Raft {
  const heard = reporters.filter(({ isHeard, report }) => isHeard && hasVote(report.role));
  const terms = heard.flatMap(({ report }) => report.term ?? []);
  const term = terms.length === 0 ? null : Math.max(...terms);
  const current = heard.filter(({ report }) => (report.term ?? null) === term);
  const votes = new Map<string, number>();
  for (const { report } of current) if (report.leader) votes.set(report.leader, (votes.get(report.leader) ?? 0) + 1);
  const [most] = [...votes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const commits = current.flatMap(({ report }) => report.commit_index ?? []);
  return { term, leader: most?.[0] ?? null, commit_index: commits.length === 0 ? null : Math.max(...commits) };
}

interface Judged {
  members: readonly Member[];
  reporters: readonly Reporter[];
  nodes: readonly ClusterNode[];
  links: readonly ClusterLink[];
  leader: Member | undefined;
}

/**
 * Down when nobody is heard, without a majority of those with a vote, or without a leader; only workers cannot tell who leads. Ok
 * when every member and every link is well.
 */
function healthOf({ members, reporters, nodes, links, leader }: Judged): Topology["health"] {
  const heard = reporters.filter(({ isHeard }) => isHeard);
  const isAlive = (member: Member): boolean => (stateOf(member) ?? "down") !== "down";
  const voting = new Set(nodes.filter(({ role }) => hasVote(role)).map(({ key }) => key));
  const voters = members.filter(({ key }) => voting.has(key));
  const hasMajority = voters.length === 0 || voters.filter(isAlive).length * 2 > voters.length;
  const knowsLeader = heard.some(({ report }) => hasVote(report.role));
  const isLed = knowsLeader ? leader !== undefined && isAlive(leader) : true;
  if (heard.length === 0 || !hasMajority || !isLed) return "down";
  const isWell =
    nodes.every(({ status }) => status === "online") &&
    members.every((member) => stateOf(member) === "up") &&
    links.every(({ state }) => state === "up");
  return isWell ? "ok" : "degraded";
}

/** The client that every node of the cluster belongs to. */
function clientOf(members: readonly Member[]): string | null {
  const names = new Set(members.flatMap(({ facts }) => (facts ? [facts.client_name] : [])));
  const [only = null] = names;
  return names.size === 1 ? only : null;
}

function assemble(fleet: TenantFleet, id: string, reporters: readonly Reporter[]): Topology {
  const nameOf = createNaming(fleet, reporters);
  const byKey = gatherMembers(fleet, reporters, nameOf);
  const members = [...byKey.values()];
  const nodes = members
    .map((member) => presentMember(fleet, member))
    .sort((a, b) => Number(b.managed) - Number(a.managed) || (a.host < b.host ? -1 : Number(a.host > b.host)));
  const links = linksOf(byKey);
  const { term, leader: led, commit_index } = raftOf(reporters);
  const leader = led === null ? undefined : byKey.get(nameOf(led));
  const leading = nodes.find(({ key }) => key === leader?.key);
  const primary = leading ? { id: leading.id, host: leading.host } : null;
  return {
    cluster_id: id,
    name: reporters.find(({ report }) => report.name)?.report.name ?? id,
    health: healthOf({ members, reporters, nodes, links, leader }),
    primary,
    nodes,
    links,
    raft: { term, leader: primary, commit_index },
    mesh_rtt_ms: middle(links.flatMap(({ state, rtt_ms }) => (state === "up" ? (rtt_ms ?? []) : []))),
    apps: members.reduce((sum, { facts }) => sum + (facts?.apps.length ?? 0), 0),
    client_name: clientOf(members),
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
