import type {
  Cluster,
  ClusterHealth,
  ClusterNode,
  Topology,
} from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import type { State } from "../../../../kit/status.tsx";

const healths: Record<ClusterHealth, { state: State; word: string }> = {
  ok: { state: "ok", word: "Well" },
  degraded: { state: "warn", word: "Degraded" },
  down: { state: "crit", word: "Down" },
};

/** Shape and word of how a cluster is. */
export function healthLook(health: ClusterHealth): { state: State; word: string } {
  return healths[health];
}

const links: Record<Topology["links"][number]["state"], { state: State; word: string }> = {
  up: { state: "ok", word: "Up" },
  degraded: { state: "warn", word: "Degraded" },
  down: { state: "crit", word: "Down" },
};

/** Shape and word of a link. */
export function linkLook(state: Topology["links"][number]["state"]): { state: State; word: string } {
  return links[state];
}

const noVote: ReadonlySet<string> = new Set(["worker", "learner", "observer"]);

/** Whether a member of that role has a say in who leads. */
export function hasVote({ role }: Pick<ClusterNode, "role">): boolean {
  return !noVote.has(role);
}

const roles = ["leader", "manager"];
const statuses: readonly ClusterNode["status"][] = ["offline", "pending", "degraded", "online"];
const byNumbers = new Intl.Collator("en", { numeric: true });
const rank = (role: string): number => (roles.includes(role) ? roles.indexOf(role) : roles.length);

/** Those who need a look first, then who leads, who decides, and the others, each by their names. */
export function sortMembers(nodes: readonly ClusterNode[]): ClusterNode[] {
  return nodes.toSorted(
    (a, b) =>
      statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
      rank(a.role) - rank(b.role) ||
      byNumbers.compare(a.host, b.host),
  );
}

const byHealth: readonly ClusterHealth[] = ["down", "degraded", "ok"];

/** Those in trouble first, each by their names. */
export function sortClusters(clusters: readonly Cluster[]): Cluster[] {
  return clusters.toSorted(
    (a, b) => byHealth.indexOf(a.health) - byHealth.indexOf(b.health) || byNumbers.compare(a.name, b.name),
  );
}

/** A role with a capital; what this page does not know is shown as it is. */
export function roleWord(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1).replaceAll("_", " ");
}

const many = (count: number, one: string, more: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

/** How a cluster is, in one sentence. */
export function verdictOf({ health, primary, nodes, links: pairs }: Topology): string {
  const offline = nodes.filter(({ status }) => status === "offline" || status === "pending").length;
  if (health === "ok") return nodes.length === 1 ? "Its only member is well." : `All ${nodes.length} members are well.`;
  if (health === "down") {
    if (offline === nodes.length) return "None of its members can be heard.";
    return primary === null ? "Nobody leads this cluster." : "Too few of those who decide are left.";
  }
  if (offline > 0)
    return `${many(offline, "member", "members")} of ${nodes.length} ${offline === 1 ? "is" : "are"} offline.`;
  const weak = nodes.filter(({ status }) => status === "degraded").length;
  if (weak > 0) return `${many(weak, "member needs", "members need")} a look.`;
  const bad = pairs.filter(({ state }) => state !== "up").length;
  if (bad > 0) return `${many(bad, "link is", "links are")} not well.`;
  return "Its members do not see all of each other.";
}

/** What that means, and who leads. */
export function explanationOf({ health, primary, nodes }: Topology): string {
  const offline = nodes.filter(({ status }) => status === "offline" || status === "pending").length;
  if (health === "down" && offline === nodes.length) return "What is shown is what they told last.";
  if (health === "down")
    return "What runs goes on, but nothing can be changed or moved until most of its managers are back.";
  if (primary === null) return "Who leads is not known: no manager of it is enrolled here.";
  return `${primary.host} leads.`;
}

const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);

/** The names of hosts without their domains, by the whole names, where that tells each from the others; otherwise whole. */
export function shortHosts(hosts: readonly string[]): ReadonlyMap<string, string> {
  const short = new Map(hosts.map((host) => [host, isAddress(host) ? host : (host.split(".")[0] ?? host)]));
  return new Set(short.values()).size === short.size ? short : new Map(hosts.map((host) => [host, host]));
}

/** A name of so many letters at most; of a longer one the middle goes, as names of a fleet differ at their ends. */
export function cutName(name: string, most: number): string {
  if (name.length <= most) return name;
  const head = Math.floor((most - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(head + 1 - most)}`;
}

/** The address of a cluster's page. */
export const clusterPath = (id: string): string => `/clusters/${encodeURIComponent(id)}`;

/** Milliseconds in few digits. */
export function rttText(ms: number | null): string {
  if (ms === null) return "–";
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}
