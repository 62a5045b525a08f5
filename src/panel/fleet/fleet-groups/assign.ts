import type { Actor } from "../../actor.ts";
import { type NodeFacts, type TenantFleet, toldRegion } from "../../agents/live/index.ts";
import { type Assigned, lockAssigned, lockGroup, updateAssigned } from "../../agents/nodes/index.ts";
import type { TenantTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { fleetFail, type Instance, presentInstance, requireNode } from "../fleet/index.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "live" | "bus">;

/** A change of what people say about a node, and what it means for the node's facts. */
interface Change {
  event: "fleet.node.region" | "fleet.node.client" | "fleet.node.group" | "fleet.node.tags" | "fleet.node.mark_offline";
  said: Partial<Assigned>;
  apply(facts: NodeFacts): NodeFacts;
}

/** Writes a change down, which becomes known once it is committed. Throws `node_not_found`. */
async function write(deps: Deps, tx: TenantTx, actor: Actor, ip: string, nodeId: string, change: Change) {
  const before = await lockAssigned(tx, nodeId);
  if (!before) throw fleetFail("node_not_found", { id: nodeId });
  await updateAssigned(tx, nodeId, { ...before, ...change.said });
  const previous = Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(change.said, name)));
  const told = { by: byMember(actor, ip), node_id: nodeId, said: change.said, previous };
  await deps.bus.emit(tx, change.event, told);
  // In the order of the commits: of two changes at once the later one stays, in the tables and in memory.
  tx.afterCommit(() => {
    const facts = deps.live.fleetOf(actor).get(nodeId);
    if (facts) deps.live.put(change.apply(facts));
  });
}

const present = (fleet: TenantFleet, nodeId: string): Instance => presentInstance(fleet, requireNode(fleet, nodeId));

/** Writes a change down that stands on nothing but the node. Throws `node_not_found`. */
async function assign(deps: Deps, actor: Actor, ip: string, nodeId: string, change: Change): Promise<Instance> {
  await actor.db.tx((tx) => write(deps, tx, actor, ip, nodeId, change));
  return present(deps.live.fleetOf(actor), nodeId);
}

/** Says in which region a node is; an empty text goes back to what it tells itself. Throws `node_not_found`. */
export function setRegion(deps: Deps, actor: Actor, ip: string, nodeId: string, text: string): Promise<Instance> {
  const region = text.trim() || null;
  return assign(deps, actor, ip, nodeId, {
    event: "fleet.node.region",
    said: { region },
    apply: (facts) => {
      const told = toldRegion(facts.inventory);
      const source = region !== null ? "manual" : told !== null ? "auto" : null;
      return { ...facts, region: region ?? told, region_source: source };
    },
  });
}

/**
 * Says for which client workspace of this one a node works; null for none. Throws `node_not_found`, and `client_not_found`
 * for a workspace that is not a client of this one.
 */
export async function setClient(
  deps: Deps & Pick<Needs, "tenants">,
  actor: Actor,
  ip: string,
  nodeId: string,
  clientId: string | null,
): Promise<Instance> {
  const fleet = deps.live.fleetOf(actor);
  requireNode(fleet, nodeId);
  const toClient = (client: { id: string; name: string } | null): Change => ({
    event: "fleet.node.client",
    said: { client_id: client?.id ?? null },
    apply: (facts) => ({ ...facts, client_id: client?.id ?? null, client_name: client?.name ?? null }),
  });
  if (clientId === null) return assign(deps, actor, ip, nodeId, toClient(null));
  const given = await deps.tenants.withOwnClient(actor, clientId, async (tx, client) => {
    await write(deps, tx, actor, ip, nodeId, toClient(client));
    return client;
  });
  if (!given) throw fail("client_not_found", { id: clientId });
  return present(fleet, nodeId);
}

/** Puts a node into a group, or with null into none. Throws `node_not_found`, `group_not_found`. */
export async function setGroup(
  deps: Deps,
  actor: Actor,
  ip: string,
  nodeId: string,
  groupId: string | null,
): Promise<Instance> {
  const fleet = deps.live.fleetOf(actor);
  requireNode(fleet, nodeId);
  await actor.db.tx(async (tx) => {
    if (groupId !== null && !(await lockGroup(tx, groupId))) throw fail("group_not_found", { id: groupId });
    await write(deps, tx, actor, ip, nodeId, {
      event: "fleet.node.group",
      said: { group_id: groupId },
      apply: (facts) => ({ ...facts, group_id: groupId }),
    });
  });
  return present(fleet, nodeId);
}

/** Gives a node these tags in place of the ones before; the same one twice counts once. Throws `node_not_found`. */
export function setTags(
  deps: Deps,
  actor: Actor,
  ip: string,
  nodeId: string,
  given: readonly string[],
): Promise<Instance> {
  const tags = [...new Set(given)];
  return assign(deps, actor, ip, nodeId, {
    event: "fleet.node.tags",
    said: { tags },
    apply: (facts) => ({ ...facts, tags }),
  });
}

/**
 * Says that a node is off, before its silence has lasted long enough to say so. Holds until it is heard again. Throws
 * `node_not_found`, and `node_never_connected` for one that nobody waits for.
 */
export async function markOffline(deps: Deps, actor: Actor, ip: string, nodeId: string): Promise<Instance> {
  const fleet = deps.live.fleetOf(actor);
  const { hostname, first_seen_at } = requireNode(fleet, nodeId);
  if (first_seen_at === null) throw fail("node_never_connected", { hostname });
  return assign(deps, actor, ip, nodeId, {
    event: "fleet.node.mark_offline",
    said: { marked_offline: true },
    apply: (facts) => ({ ...facts, marked_offline: true }),
  });
}
