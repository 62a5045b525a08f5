import { isIP } from "node:net";
import type { ClusterPeer, ClusterReport } from "../../../../shared/agent-protocol/index.ts";
import type { SwarmFacts, SwarmMember } from "../../../apps/runtime/index.ts";
import type { SwarmIdentity } from "./swarm-identity.ts";

/** What is known of a swarm at one moment. */
export interface SwarmView {
  facts: SwarmFacts;
  identity: SwarmIdentity | null;
  /** As a manager lists them; null on a worker and without a majority of managers. */
  members: readonly SwarmMember[] | null;
  /** The last list there was, which tells who to look for while there is none. */
  formerMembers: readonly SwarmMember[];
}

/** Another member, before anybody tried to reach it. */
export interface Neighbour {
  id: string;
  host: string;
  role: string;
  /** Null when none is known. */
  address: string | null;
  /** As the managers see it; null when they were not heard. */
  state: ClusterPeer["status"] | null;
}

const MAX_PEERS = 200;
const MAX_HOST = 253;
const keyOf = (id: string): string => `os:${id}`;

/** The members besides this one, managers first. */
export function neighboursOf(view: SwarmView): Neighbour[] {
  const known = new Map<string, Neighbour>();
  // Who left is in a manager's list no longer, whatever the engine remembers; a worker knows of nobody but managers.
  for (const { node_id, address } of view.members ? [] : view.facts.managers) {
    const place = hostPart(address);
    known.set(node_id, { id: node_id, host: place ?? node_id, role: "manager", address: place, state: null });
  }
  for (const member of view.members ?? view.formerMembers) {
    known.set(member.id, describeMember(member, view.members !== null));
  }
  known.delete(memberId(view) ?? "");
  known.delete("");
  return [...known.values()]
    .sort((a, b) => Number(a.role === "worker") - Number(b.role === "worker") || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_PEERS);
}

function describeMember(member: SwarmMember, isCurrent: boolean): Neighbour {
  const { id, hostname, role, manager, address } = member;
  const place = hostPart(manager?.address ?? "") ?? hostPart(address);
  const isLeader = isCurrent && manager?.is_leader === true;
  return {
    id,
    host: (hostname || place || id).slice(0, MAX_HOST),
    role: isLeader ? "leader" : role === "manager" ? "manager" : "worker",
    address: place,
    state: isCurrent ? stateOf(member) : null,
  };
}

function stateOf({ state, manager }: SwarmMember): ClusterPeer["status"] {
  if (state === "down" || state === "disconnected") return "down";
  return state === "ready" && manager?.reachability !== "unreachable" ? "up" : "degraded";
}

/** The address in `address:port` or a bare one; null for one that means the speaker itself. */
function hostPart(text: string): string | null {
  const host = isIP(text) ? text : text.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return isIP(host) && !/^(127\.|0\.0\.0\.0$|::1?$)/.test(host) ? host : null;
}

/**
 * What the panel is told. `times` has the milliseconds to each address that was tried, null where nobody answered; an address that
 * it lacks was not tried. Docker tells neither the term nor the commit index of its Raft log.
 */
export function describeSwarm(view: SwarmView, times: ReadonlyMap<string, number | null>): ClusterReport | null {
  const { facts, identity, members } = view;
  const id = identity?.cluster_id ?? facts.cluster?.id;
  const own = memberId(view);
  if (id === undefined || own === null) return null;
  const isManager = facts.is_manager || (identity?.is_manager ?? false);
  const leader = members?.find(({ manager }) => manager?.is_leader) ?? null;
  return {
    id,
    name: facts.cluster?.name || null,
    role: leader?.id === own ? "leader" : isManager ? "manager" : "worker",
    key: keyOf(own),
    ip: isIP(facts.address) ? facts.address : null,
    term: null,
    leader: leader === null ? null : keyOf(leader.id),
    commit_index: null,
    peers: neighboursOf(view).map(({ id: peer, host, role, address, state }) => {
      const time = address === null ? undefined : times.get(address);
      const status = judge(state, time);
      const rtt_ms = status === "down" ? null : (time ?? null);
      return { key: keyOf(peer), id: null, host, role, status, wg_ip: address, rtt_ms };
    }),
  };
}

/** What the managers see, and what came of trying: both have to be well. */
function judge(state: ClusterPeer["status"] | null, time: number | null | undefined): ClusterPeer["status"] {
  if (state === null) return time === undefined ? "degraded" : time === null ? "down" : "up";
  return state === "up" && time === null ? "degraded" : state;
}

function memberId({ facts, identity }: SwarmView): string | null {
  return facts.node_id || identity?.node_id || null;
}
