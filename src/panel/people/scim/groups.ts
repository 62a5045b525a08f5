import { toIso } from "../../../lib/clock.ts";
import type { TenantQueries } from "../../data/tenant-db.ts";
import type { By } from "../../event-meaning.ts";
import type { GivenRole } from "../sso/contract.ts";
import { type Caller, type Change, change, changeByHand } from "./change.ts";
import {
  type DirectoryGroup,
  fail,
  GROUPS_MAX,
  invalid,
  type ListQuery,
  MEMBERSHIPS_MAX,
  USERS_MAX,
} from "./contract.ts";
import { GROUP } from "./discovery.ts";
import { equals, matches } from "./filter.ts";
import * as store from "./group-store.ts";
import type { Needs } from "./needs.ts";
import { listed, readAsked } from "./page.ts";
import { patched } from "./patch.ts";
import { type GroupInput, readGroup } from "./read-resource.ts";
import { settleRole } from "./roles.ts";
import { findUser } from "./user-store.ts";
import { adopt } from "./users.ts";

const missing = (id: string) => fail("scim_not_found", { detail: `There is no group ${id} in this workspace.` });

/** True where the directory does not want to be told who is in a group. */
const isShort = (excluded: string | undefined): boolean =>
  excluded?.split(",").some((name) => name.trim().toLowerCase() === "members") ?? false;

/** A group as RFC 7643 §4.2 words it. */
async function present(db: TenantQueries, base: string, row: store.GroupRow, excluded?: string) {
  const ids = isShort(excluded) ? null : await store.listMemberIds(db, row.id, USERS_MAX);
  return {
    schemas: [GROUP],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(ids === null ? {} : { members: ids.map((value) => ({ value, $ref: `${base}/Users/${value}` })) }),
    meta: {
      resourceType: "Group",
      created: toIso(row.created_at),
      lastModified: toIso(row.updated_at),
      location: `${base}/Groups/${row.id}`,
    },
  };
}

/** The groups that a directory asks for. Throws `scim_invalid`. */
export async function listGroups(db: TenantQueries, base: string, query: ListQuery) {
  const asked = readAsked(query);
  const { filter } = asked;
  const name = equals(filter, "displayName");
  const rows =
    name === null
      ? await store.listGroups(db, GROUPS_MAX)
      : [await store.findGroupByName(db, name)].filter((row) => row !== null);
  const isMeant = async (row: store.GroupRow): Promise<boolean> =>
    filter === null || name !== null || matches(filter, await present(db, base, row));
  const meant = (await Promise.all(rows.map(async (row) => ((await isMeant(row)) ? row : null)))).filter(
    (row) => row !== null,
  );
  const shown = meant.slice(asked.skip, asked.skip + asked.count);
  return listed(
    asked,
    meant.length,
    await Promise.all(shown.map((row) => present(db, base, row, query.excludedAttributes))),
  );
}

/** One group. Throws `scim_not_found`. */
export async function getGroup(db: TenantQueries, base: string, id: string, excluded?: string) {
  const row = await store.findGroup(db, id);
  if (!row) throw missing(id);
  return present(db, base, row, excluded);
}

async function require({ own }: Change, id: string): Promise<store.GroupRow> {
  const row = await store.findGroup(own, id);
  if (!row) throw missing(id);
  return row;
}

/** Makes a group. Throws `scim_invalid`, `scim_conflict`, `scim_refused`. */
export function createGroup(needs: Needs, caller: Caller, base: string, body: unknown) {
  const input = readGroup(body);
  return change(needs, caller, async (at) => {
    await requireFree(at, input, null);
    if ((await store.countGroups(at.own)) >= GROUPS_MAX)
      throw fail("scim_refused", { detail: `A workspace has ${GROUPS_MAX} groups of a directory at most.` });
    const id = needs.ids.next("dgr");
    await store.insertGroup(at.own, id, input, needs.clock.now());
    await setMembers(needs, at, id, input.members);
    return present(at.own, base, await require(at, id));
  });
}

async function requireFree({ own }: Change, { display_name }: GroupInput, id: string | null): Promise<void> {
  const other = await store.findGroupByName(own, display_name);
  if (other && other.id !== id)
    throw fail("scim_conflict", { detail: `There is a group ${display_name} already.`, scim_type: "uniqueness" });
}

/** Makes a group what the directory says. Throws `scim_not_found`, `scim_invalid`, `scim_conflict`. */
export function putGroup(needs: Needs, caller: Caller, base: string, id: string, body: unknown) {
  return change(needs, caller, async (at) => {
    await require(at, id);
    await update(needs, at, id, readGroup(body));
    return present(at.own, base, await require(at, id));
  });
}

/** As `putGroup`, for a part of what the directory says. */
export function patchGroup(needs: Needs, caller: Caller, base: string, id: string, body: unknown) {
  return change(needs, caller, async (at) => {
    const row = await require(at, id);
    await update(needs, at, id, readGroup(patched({ ...(await present(at.own, base, row)) }, body)));
    return present(at.own, base, await require(at, id));
  });
}

async function update(needs: Needs, at: Change, id: string, input: GroupInput): Promise<void> {
  await requireFree(at, input, id);
  await store.updateGroup(at.own, id, input, needs.clock.now());
  await setMembers(needs, at, id, input.members);
}

/** Brings who is in a group in line, and with that what they are here. Throws `scim_invalid` for an unknown user. */
async function setMembers(needs: Needs, at: Change, groupId: string, wanted: readonly string[]): Promise<void> {
  const before = new Set(await store.listMemberIds(at.own, groupId, USERS_MAX));
  const after = new Set(wanted);
  const others = (await store.countMemberships(at.own)) - before.size;
  if (after.size > before.size && others + after.size > MEMBERSHIPS_MAX)
    throw fail("scim_refused", { detail: `The groups of a workspace have ${MEMBERSHIPS_MAX} members in all at most.` });
  for (const id of after) {
    if (before.has(id)) continue;
    const user = await findUser(at.own, id);
    if (!user) throw invalid(`There is no user ${id.slice(0, 64)} in this workspace.`);
    if (user.state === null) await adopt(needs, at, user);
    await store.addToGroup(at.own, groupId, id);
    await settleRole(needs, at, id);
  }
  for (const id of before) {
    if (after.has(id)) continue;
    await store.takeFromGroup(at.own, groupId, id);
    await settleRole(needs, at, id);
  }
}

/** Forgets a group. Throws `scim_not_found`. */
export function deleteGroup(needs: Needs, caller: Caller, id: string): Promise<void> {
  return change(needs, caller, async (at) => {
    await require(at, id);
    const members = await store.listMemberIds(at.own, id, USERS_MAX);
    await store.deleteGroup(at.own, id);
    for (const member of members) await settleRole(needs, at, member);
  });
}

/** Says what being in a group makes somebody here. Throws `scim_group_not_found`. */
export function setGroupRole(needs: Needs, by: By, id: string, role: GivenRole | null): Promise<DirectoryGroup> {
  return changeByHand(needs, by, async (at) => {
    const group = await store.findGroup(at.own, id);
    if (!group) throw fail("scim_group_not_found", { id });
    const members = await store.listMemberIds(at.own, id, USERS_MAX);
    await store.updateGroupRole(at.own, id, role, needs.clock.now());
    const { display_name: name, role: previous_role } = group;
    if (role !== previous_role)
      await needs.bus.emit(at.tx, "scim.group_role", { by, group_id: id, name, role, previous_role });
    for (const member of members) await settleRole(needs, at, member);
    return { id, name, role, members: members.length };
  });
}
