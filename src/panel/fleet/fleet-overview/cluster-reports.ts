import { isRecord } from "../../../lib/json.ts";
import { type Pace, sortAtPace } from "../../../lib/pace.ts";
import { type ClusterReport, inventoryOf } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";

/** A node of the workspace and the cluster it says it is in. */
export interface Reporter {
  facts: NodeFacts;
  report: ClusterReport;
  /** The name that other members may have for it, besides its id. */
  alias: string | null;
  /** What a silent node said last is not how things are. */
  isHeard: boolean;
  /** It has a vote, and sees who leads: it knows who belongs to the cluster and how they are. */
  isAuthority: boolean;
}

const OTHER = "os:";
/** Members that only work: whoever leads is chosen without them. */
const NO_VOTE: ReadonlySet<string> = new Set(["worker", "learner", "observer"]);
/** More views of the same cluster tell nothing new; raft clusters have three, five or seven. */
const MAX_AUTHORITIES = 9;

/** Whether members of that role choose the leader. */
export const hasVote = (role: string): boolean => !NO_VOTE.has(role);

/** Reports are read once; an inventory is replaced as a whole. */
const read = new WeakMap<object, ClusterReport | null>();

function reportOf({ inventory }: NodeFacts): ClusterReport | null {
  if (!inventory) return null;
  let report = read.get(inventory);
  if (report === undefined) {
    report = inventoryOf.cluster(inventory);
    read.set(inventory, report);
  }
  return report;
}

/** What nodes told of one cluster, not weighed yet. */
export type Told = { facts: NodeFacts; report: ClusterReport }[];

/** Every cluster that some node says it is in, by id; with `only` that one alone. */
export async function findClusters(fleet: TenantFleet, pace: Pace, only?: string): Promise<Map<string, Told>> {
  const clusters = new Map<string, Told>();
  for (const facts of fleet.nodes()) {
    if (!mentions(facts, only)) continue;
    const report = reportOf(facts);
    if (!report) continue;
    const told = clusters.get(report.id) ?? [];
    told.push({ facts, report });
    clusters.set(report.id, told);
    const turn = pace(1 + report.peers.length);
    if (turn) await turn;
  }
  return clusters;
}

/** A look that costs nothing, before a report is checked. */
function mentions({ inventory }: NodeFacts, id: string | undefined): boolean {
  const cluster = inventory?.["cluster"];
  return isRecord(cluster) && (id === undefined || cluster["id"] === id);
}

/**
 * Who told what counts, those who know best first, then who was heard last. As long as anybody is on time, who is late is not heard;
 * when all are late, they are better than none.
 */
export async function weighReports(fleet: TenantFleet, told: Readonly<Told>, pace: Pace): Promise<Reporter[]> {
  const judged = [];
  for (const one of told) {
    const { health, reasons } = fleet.verdict(one.facts.no);
    const silence = health === "offline" ? 2 : Number(reasons.includes("heartbeat_late"));
    judged.push({ ...one, silence, seen: fleet.figures(one.facts.no).last_seen });
    const turn = pace();
    if (turn) await turn;
  }
  const least = judged.reduce((least, { silence }) => Math.min(least, silence), 1);
  const newestFirst = await sortAtPace(judged, (a, b) => b.seen - a.seen || (a.facts.id < b.facts.id ? -1 : 1), pace);
  const aliases = new Set<string>();
  const reporters: Reporter[] = [];
  let authorities = 0;
  for (const { facts, report, silence } of newestFirst) {
    const alias = report.key?.startsWith(OTHER) ? report.key : null;
    // A server that was enrolled anew is the same member: the newest word counts.
    if (alias !== null && aliases.has(alias)) continue;
    if (alias !== null) aliases.add(alias);
    const isHeard = silence <= least;
    const mayLead = isHeard && hasVote(report.role) && Boolean(report.leader);
    const isAuthority = mayLead && authorities < MAX_AUTHORITIES;
    authorities += Number(isAuthority);
    reporters.push({ facts, report, alias, isHeard, isAuthority });
    const turn = pace();
    if (turn) await turn;
  }
  return reporters.sort((a, b) => Number(b.isAuthority) - Number(a.isAuthority));
}

/**
 * The key under which a cluster shows what a report calls `name`: the id of the node that it is here, or `os:` and whatever it
 * is called.
 */
export function createNaming(fleet: TenantFleet, reporters: readonly Reporter[]): (name: string) => string {
  const byAlias = new Map(reporters.flatMap(({ alias, facts }) => (alias === null ? [] : [[alias, facts.id]])));
  return (name) => {
    const known = byAlias.get(name);
    if (known !== undefined) return known;
    if (name.startsWith(OTHER)) return name;
    return fleet.get(name) ? name : `${OTHER}${name}`;
  };
}
