import { type ClusterReport, inventoryOf } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts, TenantFleet } from "../../live/index.ts";

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

/** Every cluster that some node says it is in, by id; who knows best comes first, then who was heard last. */
export function findClusters(fleet: TenantFleet, only?: string): Map<string, Reporter[]> {
  const clusters = new Map<string, { facts: NodeFacts; report: ClusterReport }[]>();
  for (const facts of fleet.nodes()) {
    const report = reportOf(facts);
    if (!report || (only !== undefined && report.id !== only)) continue;
    const told = clusters.get(report.id) ?? [];
    told.push({ facts, report });
    clusters.set(report.id, told);
  }
  return new Map([...clusters].map(([id, told]) => [id, weigh(fleet, told)]));
}

/** Nobody is late: those are heard. Everybody is late: the late ones are better than none. */
function weigh(fleet: TenantFleet, told: readonly { facts: NodeFacts; report: ClusterReport }[]): Reporter[] {
  const judged = told.map((one) => {
    const { health, reasons } = fleet.verdict(one.facts.no);
    const silence = health === "offline" ? 2 : Number(reasons.includes("heartbeat_late"));
    return { ...one, silence, seen: fleet.figures(one.facts.no).last_seen };
  });
  const least = Math.min(1, ...judged.map(({ silence }) => silence));
  const newestFirst = judged.sort((a, b) => b.seen - a.seen || (a.facts.id < b.facts.id ? -1 : 1));
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
