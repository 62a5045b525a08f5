import { listParts } from "../../../kernel/http/answer-in-parts.ts";
import { createPace, type Pace, sortAtPace } from "../../../lib/pace.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import { gatherMembers, linksOf, type Member, middle, presentMember } from "./cluster-members.ts";
import { createNaming, findClusters, hasVote, type Reporter, type Told, weighReports } from "./cluster-reports.ts";
import { type Cluster, type ClusterNode, fail, type Topology } from "./contract.ts";

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

/** What is known of a cluster, before it is shown. */
interface Survey {
  members: ReadonlyMap<string, Member>;
  reporters: readonly Reporter[];
  raft: Raft;
  leader: Member | null;
  health: Topology["health"];
  name: string | null;
}

async function survey(fleet: TenantFleet, told: Readonly<Told>, pace: Pace): Promise<Survey> {
  const reporters = await weighReports(fleet, told, pace);
  const nameOf = createNaming(fleet, reporters);
  const members = await gatherMembers(fleet, reporters, nameOf, pace);
  const raft = raftOf(reporters);
  const leader = raft.leader === null ? null : (members.get(nameOf(raft.leader)) ?? null);
  const health = healthOf(reporters, [...members.values()], leader);
  return { members, reporters, raft, leader, health, name: reporters.find(isNamed)?.report.name ?? null };
}

const isNamed = ({ report }: Reporter): boolean => Boolean(report.name);
const isAlive = ({ state }: Member): boolean => state !== null && state !== "down";

/**
 * Down when nobody is heard, without a majority of those with a vote, or without a leader; only workers cannot tell who leads. Ok
 * when every member and every link is well.
 */
function healthOf(
  reporters: readonly Reporter[],
  members: readonly Member[],
  leader: Member | null,
): Topology["health"] {
  const heard = reporters.filter(({ isHeard }) => isHeard);
  const voters = members.filter(({ role }) => hasVote(role));
  const hasMajority = voters.length === 0 || voters.filter(isAlive).length * 2 > voters.length;
  const knowsLeader = heard.some(({ report }) => hasVote(report.role));
  const isLed = knowsLeader ? leader !== null && isAlive(leader) : true;
  if (heard.length === 0 || !hasMajority || !isLed) return "down";
  const isWell = members.every(
    ({ status, state, told }) =>
      status === "online" && state === "up" && told.every(({ peer }) => peer.status === "up"),
  );
  return isWell ? "ok" : "degraded";
}

/** The client that every node of the cluster belongs to. */
function clientOf(members: ReadonlyMap<string, Member>): string | null {
  const names = new Set([...members.values()].flatMap(({ facts }) => (facts ? [facts.client_name] : [])));
  const [only = null] = names;
  return names.size === 1 ? only : null;
}

const hostOf = ({ facts, told, key }: Member): string => facts?.hostname ?? told[0]?.peer.host ?? key;

const refer = (leader: Member | null): Topology["primary"] =>
  leader && { id: leader.facts?.id ?? null, host: hostOf(leader) };

/** The clusters that the workspace's nodes report, by name; `othersFirst` is waited for between the parts of the work. */
export async function listClusters(fleet: TenantFleet, othersFirst: () => Promise<void>): Promise<Cluster[]> {
  const pace = createPace(othersFirst);
  const clusters: Cluster[] = [];
  for (const [id, told] of await findClusters(fleet, pace)) {
    clusters.push(summarise(id, await survey(fleet, told, pace)));
  }
  return clusters.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) || (a.id < b.id ? -1 : 1));
}

function summarise(id: string, { members, raft, leader, health, name }: Survey): Cluster {
  let online_count = 0;
  for (const { status } of members.values()) online_count += Number(status === "online");
  return {
    id,
    name: name ?? id,
    health,
    primary: refer(leader),
    node_count: members.size,
    online_count,
    raft: { term: raft.term },
    client_name: clientOf(members),
  };
}

/**
 * Members, links and leadership of a cluster; `othersFirst` is waited for between the parts of the work. Throws `cluster_not_found`.
 */
export async function describeCluster(
  fleet: TenantFleet,
  id: string,
  othersFirst: () => Promise<void>,
): Promise<Topology> {
  const pace = createPace(othersFirst);
  const told = (await findClusters(fleet, pace, id)).get(id);
  if (!told) throw fail("cluster_not_found", { id });
  const { members, raft, leader, health, name } = await survey(fleet, told, pace);
  await othersFirst();
  const links = linksOf(members);
  const nodes: ClusterNode[] = [];
  for (const member of members.values()) {
    nodes.push(presentMember(member));
    const turn = pace();
    if (turn) await turn;
  }
  let apps = 0;
  for (const { facts } of members.values()) apps += facts?.apps.length ?? 0;
  return {
    cluster_id: id,
    name: name ?? id,
    health,
    primary: refer(leader),
    nodes: await sortAtPace(nodes, byHost, pace),
    links,
    raft: { term: raft.term, leader: refer(leader), commit_index: raft.commit_index },
    mesh_rtt_ms: middle(links.flatMap(({ state, rtt_ms }) => (state === "up" ? (rtt_ms ?? []) : []))),
    apps,
    client_name: clientOf(members),
  };
}

const byHost = (a: ClusterNode, b: ClusterNode): number =>
  Number(b.managed) - Number(a.managed) || (a.host < b.host ? -1 : Number(a.host > b.host));

/** A cluster as `describeCluster` gives it, as the text of the answer; thousands of members are written part by part. */
export async function writeTopology(fleet: TenantFleet, id: string, othersFirst: () => Promise<void>): Promise<string> {
  const { nodes, links, ...rest } = await describeCluster(fleet, id, othersFirst);
  const around = JSON.stringify(rest).slice(0, -1);
  const parts = [
    ...listParts(nodes, (node) => node, { before: `${around},"nodes":[` }),
    ...listParts(links, (link) => link, { before: ',"links":[', after: "]}" }),
  ];
  let text = "";
  for (const part of parts) {
    await othersFirst();
    text += part();
  }
  return text;
}
