import { setImmediate } from "node:timers/promises";
import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import {
  countGroups,
  deleteGroup,
  findGroup,
  type GroupRow,
  insertGroup,
  isNameTaken,
  listGroups,
  lockGroup,
  updateGroup,
} from "../../agents/nodes/index.ts";
import type { TenantTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { lockWorkspace } from "../../people/tenants/index.ts";
import { fail, GROUPS_MAX, type Group, type GroupInput, type GroupPatch } from "./contract.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "clock" | "ids" | "live" | "bus">;

/** Nodes that are told of at one go. */
const SLICE = 1_000;

/** How many nodes a group has, and how many of them are online. */
type Counts = Map<string, Pick<Group, "instance_count" | "online_count">>;

function countByGroup(fleet: TenantFleet): Counts {
  const counts: Counts = new Map();
  for (const { no, group_id } of fleet.nodes()) {
    if (group_id === null) continue;
    const group = counts.get(group_id) ?? { instance_count: 0, online_count: 0 };
    counts.set(group_id, group);
    group.instance_count += 1;
    if (fleet.verdict(no).status === "online") group.online_count += 1;
  }
  return counts;
}

function present({ id, name, color, created_at }: GroupRow, counts: Counts): Group {
  const counted = counts.get(id) ?? { instance_count: 0, online_count: 0 };
  return { id, name, color, ...counted, created_at: toIso(created_at) };
}

/** The workspace's groups by name, with the nodes in each. */
export async function listAllGroups({ live }: Pick<Deps, "live">, actor: Actor): Promise<Group[]> {
  const rows = await listGroups(actor.db, GROUPS_MAX);
  const counts = countByGroup(live.fleetOf(actor));
  return rows.map((row) => present(row, counts));
}

async function requireName(tx: TenantTx, name: string, id: string): Promise<void> {
  if (await isNameTaken(tx, name, id)) throw fail("group_name_taken", { name });
}

/** The group, if there is one. Throws `group_not_found`. */
function requireGroup(row: GroupRow | null, id: string): GroupRow {
  if (!row) throw fail("group_not_found", { id });
  return row;
}

/** Makes a group. Throws `group_name_taken`, `too_many_groups`. */
export function addGroup(deps: Deps, actor: Actor, ip: string, { name, color = null }: GroupInput): Promise<Group> {
  return actor.db.tx(async (tx) => {
    await lockWorkspace(tx);
    const row: GroupRow = { id: deps.ids.next("grp"), name: name.trim(), color, created_at: deps.clock.now() };
    await requireName(tx, row.name, row.id);
    if ((await countGroups(tx)) >= GROUPS_MAX) throw fail("too_many_groups", { limit: GROUPS_MAX });
    await insertGroup(tx, row);
    const told = { by: byMember(actor, ip), group_id: row.id, name: row.name, color };
    await deps.bus.emit(tx, "fleet.group.add", told);
    return present(row, new Map());
  });
}

/** Gives a group another name or colour. Throws `group_not_found`, `group_name_taken`. */
export function changeGroup(deps: Deps, actor: Actor, ip: string, id: string, patch: GroupPatch): Promise<Group> {
  return actor.db.tx(async (tx) => {
    await lockWorkspace(tx);
    const before = requireGroup(await findGroup(tx, id), id);
    const after: GroupRow = { ...before, ...patch, name: patch.name?.trim() ?? before.name };
    await requireName(tx, after.name, id);
    await updateGroup(tx, after);
    const { name, color } = after;
    const told = { group_id: id, name, color, previous: { name: before.name, color: before.color } };
    await deps.bus.emit(tx, "fleet.group.change", { by: byMember(actor, ip), ...told });
    return present(after, countByGroup(deps.live.fleetOf(actor)));
  });
}

/** Deletes a group; its nodes stay, in no group. Throws `group_not_found`. */
export async function removeGroup(
  deps: Deps,
  actor: Actor,
  ip: string,
  id: string,
): Promise<{ id: string; status: "removed" }> {
  await actor.db.tx(async (tx) => {
    await lockWorkspace(tx);
    const { name } = requireGroup(await lockGroup(tx, id), id);
    await deleteGroup(tx, id);
    await deps.bus.emit(tx, "fleet.group.remove", { by: byMember(actor, ip), group_id: id, name });
  });
  await emptyGroup(deps, deps.live.fleetOf(actor), id);
  return { id, status: "removed" };
}

/** Takes nodes out of a group that is gone, a few at a time. */
async function emptyGroup({ live }: Deps, fleet: TenantFleet, id: string): Promise<void> {
  const members = fleet.nodes().filter(({ group_id }) => group_id === id);
  for (const [index, { id: nodeId }] of members.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    const facts = fleet.get(nodeId);
    if (facts?.group_id === id) live.put({ ...facts, group_id: null });
  }
}
