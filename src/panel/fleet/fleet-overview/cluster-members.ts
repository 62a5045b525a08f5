import type { Pace } from "../../../lib/pace.ts";
import { median } from "../../../lib/statistics.ts";
import type { ClusterPeer } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { Reporter } from "./cluster-reports.ts";
import type { ClusterLink, ClusterNode } from "./contract.ts";

/** A member, and what counts of what is said about it. */
export interface Member {
  key: string;
  /** Null when it is not registered in this workspace. */
  facts: NodeFacts | null;
  own: Reporter | null;
  /** Who told of it, and what, those who know best first. */
  told: { by: Reporter; peer: ClusterPeer }[];
  /** How the cluster sees it; null when nobody is heard who could tell. */
  state: ClusterPeer["status"] | null;
  /** Of a registered one as its node says, of another one as the others see it. */
  status: ClusterNode["status"];
  role: string;
}

type Naming = (name: string) => string;

/**
 * So many words of members about others are read of one cluster: a mesh of seventy, or five managers with a thousand workers. All that
 * whoever runs the nodes likes to name would hold everybody up.
 */
const WORDS_MAX = 5_000;

/**
 * Those who have a vote and see a leader know who belongs to the cluster; without any of them, everybody counts whom somebody ever
 * named. `reporters` come with those who know best first.
 */
export async function gatherMembers(
  fleet: TenantFleet,
  reporters: readonly Reporter[],
  nameOf: Naming,
  pace: Pace,
): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  const knowsAll = reporters.some(({ isAuthority }) => isAuthority);
  const admit = (key: string): Member => {
    const known = members.get(key);
    if (known) return known;
    const nothing = { state: null, status: "offline", role: "unknown" } as const;
    const member: Member = { key, facts: fleet.get(key), own: null, told: [], ...nothing };
    members.set(key, member);
    return member;
  };
  const own = new Map(reporters.map((reporter) => [reporter.facts.id, reporter]));
  let room = WORDS_MAX;
  for (const by of reporters) {
    if (by.isHeard || !knowsAll) admit(by.facts.id);
    const turn = pace(1 + Math.min(by.report.peers.length, room));
    if (turn) await turn;
    if (by.report.peers.length > room) continue;
    room -= by.report.peers.length;
    for (const peer of by.report.peers) {
      const key = nameOf(peer.id ?? peer.key);
      const isKnown = members.has(key) || by.isAuthority || !knowsAll;
      if (key === by.facts.id || !isKnown) continue;
      const member = admit(key);
      if (by.isHeard) member.told.push({ by, peer });
    }
  }
  for (const member of members.values()) {
    member.own = own.get(member.key) ?? null;
    member.state = stateOf(member);
    member.status = member.facts ? fleet.verdict(member.facts.no).status : STATUS_OF_STATE[member.state ?? "down"];
    member.role = roleOf(member);
    const turn = pace();
    if (turn) await turn;
  }
  return members;
}

const STATUS_OF_STATE = { up: "online", degraded: "degraded", down: "offline" } as const;

/** Others may be cut off from a member: the best that anybody sees who counts is what it is. */
function stateOf({ own, told }: Member): ClusterPeer["status"] | null {
  if (own?.isAuthority) return "up";
  const isKnown = told[0]?.by.isAuthority ?? false;
  let best: ClusterPeer["status"] | null = null;
  for (const { by, peer } of told) {
    if (isKnown && !by.isAuthority) break;
    if (peer.status === "up") return "up";
    if (best !== "degraded") best = peer.status;
  }
  return best ?? (own?.isHeard ? "up" : null);
}

/** A member as it is shown. */
export function presentMember({ key, facts, own, told, status, role }: Member): ClusterNode {
  const rtts = told.flatMap(({ peer }) => peer.rtt_ms ?? []);
  const [first] = told;
  return {
    key,
    id: facts?.id ?? null,
    host: facts?.hostname ?? first?.peer.host ?? key,
    status,
    role,
    wg_ip: own?.report.ip ?? told.find(({ peer }) => peer.wg_ip)?.peer.wg_ip ?? null,
    rtt_ms: middle(rtts),
    managed: facts !== null,
  };
}

function roleOf({ own, told: [first] }: Member): string {
  if (own?.isAuthority) return own.report.role;
  if (first?.by.isAuthority) return first.peer.role;
  return (own?.isHeard ? own.report.role : first?.peer.role) ?? own?.report.role ?? "unknown";
}

/** The median to a hundredth; null of nothing. */
export const middle = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.round(median(values) * 100) / 100;

/** One link for each pair of which somebody told; what both ends say differently is degraded. */
export function linksOf(members: ReadonlyMap<string, Member>): ClusterLink[] {
  const pairs = new Map<string, { from: string; to: string; told: ClusterPeer[] }>();
  for (const { key, told } of members.values()) {
    for (const { by, peer } of told) {
      const other = by.facts.id;
      const [from, to] = other < key ? [other, key] : [key, other];
      const name = `${from}\n${to}`;
      const pair = pairs.get(name) ?? { from, to, told: [] };
      pair.told.push(peer);
      pairs.set(name, pair);
    }
  }
  const inOrder = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([, { from, to, told }]) => {
    const states = new Set(told.map(({ status }) => status));
    const [only = "down"] = states;
    const state = states.size > 1 ? "degraded" : only;
    return { from, to, state, rtt_ms: state === "down" ? null : middle(told.flatMap(({ rtt_ms }) => rtt_ms ?? [])) };
  });
}
