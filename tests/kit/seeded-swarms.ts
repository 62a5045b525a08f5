import type { ClusterReport } from "../../src/shared/agent-protocol/index.ts";
import { madeUpNodes, type SeedNode } from "./seeded-panel.ts";

/** A swarm as its managers see it; members that are servers of the panel bear their place in the fleet. */
export interface MadeUpSwarm {
  id: string;
  name: string;
  /** The first one leads. `node` is null for a member that is not enrolled. */
  members: { host: string; role: "manager" | "worker"; node: number | null; state?: "up" | "degraded" | "down" }[];
  /** Nobody leads. */
  isHeadless?: boolean;
}

/** Puts swarms into the inventories of a made-up fleet in which everybody else is well. */
export function seedSwarms(count: number, swarms: readonly MadeUpSwarm[]): SeedNode[] {
  const nodes = madeUpNodes(count).map((node): SeedNode => ({ ...node, status: "online", cpu: 20, disk: 30 }));
  for (const swarm of swarms) {
    for (const [place, { node, host, state }] of swarm.members.entries()) {
      const seed = node === null ? undefined : nodes[node];
      if (!seed) continue;
      seed.hostname = host;
      seed.inventory = { cluster: reportOf(swarm, place) };
      if (state === "down") seed.status = "offline";
    }
  }
  return nodes;
}

function reportOf({ id, name, members, isHeadless = false }: MadeUpSwarm, own: number): ClusterReport {
  const role = (place: number) => (place === 0 && !isHeadless ? "leader" : (members[place]?.role ?? "worker"));
  const isWorker = role(own) === "worker";
  return {
    id,
    name: isWorker ? null : name,
    role: role(own),
    key: `os:${id}${own}`,
    ip: `10.20.0.${own + 1}`,
    term: null,
    leader: isWorker || isHeadless ? null : `os:${id}0`,
    commit_index: null,
    peers: members.flatMap((member, place) => {
      if (place === own || (isWorker && member.role === "worker")) return [];
      const status = member.state ?? "up";
      const rtt_ms = status === "down" ? null : 0.4 + ((own + place) % 7) * 0.3;
      const words = { host: member.host, role: role(place), status, wg_ip: `10.20.0.${place + 1}`, rtt_ms };
      return [{ key: `os:${id}${place}`, id: null, ...words }];
    }),
  };
}
