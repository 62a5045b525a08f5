import { setImmediate } from "node:timers/promises";
import { toIso } from "../../../lib/clock.ts";
import type { TenantQueries } from "../../data/tenant-db.ts";
import { type Caller, type Change, change, inParts, requireRoom } from "./change.ts";
import { fail, GROUPS_MAX, invalid, type ListQuery, MEMBERSHIPS_MAX, USERS_MAX } from "./contract.ts";
import { GROUP } from "./discovery.ts";
import { equals, type Filter, matches } from "./filter.ts";
import * as store from "./group-store.ts";
import type { Needs } from "./needs.ts";
import { listed, readAsked } from "./page.ts";
import { patched } from "./patch.ts";
import { type GroupInput, readGroup } from "./read-resource.ts";
import { settleRole } from "./roles.ts";
import { findUser, findUserIds } from "./user-store.ts";
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
  const meant = filter === null || name !== null ? rows : await findByFilter(db, base, rows, filter);
  const shown = [];
  for (const row of meant.slice(asked.skip, asked.skip + asked.count)) {
    shown.push(await present(db, base, row, query.excludedAttributes));
    await setImmediate();
  }
  return listed(asked, meant.length, shown);
}

/** A group may have ten thousand members to compare: others get their turn after each. */
async function findByFilter(db: TenantQueries, base: string, rows: readonly store.GroupRow[], filter: Filter) {
  const found: store.GroupRow[] = [];
  for (const row of rows) {
    if (matches(filter, await present(db, base, row))) found.push(row);
    await setImmediate();
  }
  return found;
}

/** One group. Throws `scim_not_found`. */
export async function getGroup(db: TenantQueries, base: string, id: string, excluded?: string) {
  const row = await store.findGroup(db, id);
  if (!row) throw missing(id);
  return present(db, base, row, excluded);
}

async function require(db: TenantQueries, id: string): Promise<store.GroupRow> {
  const row = await store.findGroup(db, id);
  if (!row) throw missing(id);
  return row;
}

/** Makes a group. Throws `scim_invalid`, `scim_conflict`, `scim_refused`, `too_many_requests`. */
export async function createGroup(needs: Needs, caller: Caller, base: string, body: unknown) {
  requireRoom(needs, caller.by);
  const input = readGroup(body);
  const id = needs.ids.next("dgr");
  const steps = await planMembers(caller.db, id, input.members);
  await changeMembers(needs, caller, id, steps, async (at) => {
    await requireFree(at, input, null);
    if ((await store.countGroups(at.own)) >= GROUPS_MAX)
      throw fail("scim_refused", { detail: `A workspace has ${GROUPS_MAX} groups of a directory at most.` });
    await store.insertGroup(at.own, id, input, needs.clock.now());
  });
  return getGroup(caller.db, base, id);
}

async function requireFree({ own }: Change, { display_name }: GroupInput, id: string | null): Promise<void> {
  const other = await store.findGroupByName(own, display_name);
  if (other && other.id !== id)
    throw fail("scim_conflict", { detail: `There is a group ${display_name} already.`, scim_type: "uniqueness" });
}

/**
 * Makes a group what the directory says. Throws `scim_not_found`, `scim_invalid`, `scim_conflict`, and `too_many_requests` where somebody
 * comes in.
 */
export async function putGroup(needs: Needs, caller: Caller, base: string, id: string, body: unknown) {
  await require(caller.db, id);
  await update(needs, caller, id, readGroup(body));
  return getGroup(caller.db, base, id);
}

/** As `putGroup`, for a part of what the directory says. */
export async function patchGroup(needs: Needs, caller: Caller, base: string, id: string, body: unknown) {
  const row = await require(caller.db, id);
  await update(needs, caller, id, readGroup(patched({ ...(await present(caller.db, base, row)) }, body)));
  return getGroup(caller.db, base, id);
}

async function update(needs: Needs, caller: Caller, id: string, input: GroupInput): Promise<void> {
  const steps = await planMembers(caller.db, id, input.members);
  if (steps.some(({ isIn }) => isIn)) requireRoom(needs, caller.by);
  await changeMembers(needs, caller, id, steps, async (at) => {
    await require(at.own, id);
    await requireFree(at, input, id);
    await store.updateGroup(at.own, id, input, needs.clock.now());
  });
}

/** Somebody who is to be in a group, or in it no longer. */
interface Step {
  id: string;
  isIn: boolean;
}

const unknownUser = (id: string) => invalid(`There is no user ${id.slice(0, 64)} in this workspace.`);

/**
 * What has to be done until those are in a group who are wanted there. Found out before the first change, whose transaction would keep
 * everybody else from writing for it: what a directory asks for next waits until this is done, and who is no member any more by then is
 * an unknown user. Throws `scim_invalid` for an unknown user, `scim_refused`.
 */
async function planMembers(db: TenantQueries, groupId: string, wanted: readonly string[]): Promise<Step[]> {
  const before = new Set(await store.listMemberIds(db, groupId, USERS_MAX));
  const after = new Set(wanted);
  if (after.size > before.size) {
    const others = (await store.countMemberships(db)) - before.size;
    if (others + after.size > MEMBERSHIPS_MAX)
      throw fail("scim_refused", {
        detail: `The groups of a workspace have ${MEMBERSHIPS_MAX} members in all at most.`,
      });
  }
  const added = [...after].filter((id) => !before.has(id));
  const known = await findUserIds(db, added);
  const stranger = added.find((id) => !known.has(id));
  if (stranger !== undefined) throw unknownUser(stranger);
  const removed = [...before].filter((id) => !after.has(id));
  return [...removed.map((id) => ({ id, isIn: false })), ...added.map((id) => ({ id, isIn: true }))];
}

/** Brings who is in a group in line with what is planned, and with that what they are here; `first` and `end` belong to the first and last part. */
function changeMembers(
  needs: Needs,
  caller: Caller,
  groupId: string,
  steps: readonly Step[],
  first: (at: Change) => Promise<void>,
  end?: (at: Change) => Promise<void>,
): Promise<void> {
  return inParts(needs, (run) => change(needs, caller, run), {
    steps,
    first,
    each: (at, step) => takeStep(needs, at, groupId, step),
    ...(end ? { end } : {}),
  });
}

async function takeStep(needs: Needs, at: Change, groupId: string, { id, isIn }: Step): Promise<void> {
  if (isIn) {
    const user = await findUser(at.own, id);
    if (!user) throw unknownUser(id);
    if (user.state === null) await adopt(needs, at, user);
    await store.addToGroup(at.own, groupId, id);
  } else await store.takeFromGroup(at.own, groupId, id);
  await settleRole(needs, at, id);
}

/** Forgets a group. Throws `scim_not_found`. */
export async function deleteGroup(needs: Needs, caller: Caller, id: string): Promise<void> {
  await require(caller.db, id);
  const steps = await planMembers(caller.db, id, []);
  await changeMembers(
    needs,
    caller,
    id,
    steps,
    async (at) => void (await require(at.own, id)),
    (at) => store.deleteGroup(at.own, id),
  );
}
