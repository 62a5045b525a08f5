import { setImmediate } from "node:timers/promises";
import { toIso } from "../../../lib/clock.ts";
import { narrow, type SystemTx, type TenantQueries } from "../../data/tenant-db.ts";
import { domainOf } from "../sso/index.ts";
import { type AccountRow, endOffers, isRemoved, markOf, NO_PASSWORD } from "../tenants/index.ts";
import { type Caller, type Change, change, type FindAccount, requireReach, requireRoom } from "./change.ts";
import { EVER_MAX, fail, invalid, type ListQuery, USERS_MAX } from "./contract.ts";
import { USER } from "./discovery.ts";
import { equals, matches } from "./filter.ts";
import { listGroupsOf, listGroupsOfAll, takeFromGroups } from "./group-store.ts";
import type { Needs, Own } from "./needs.ts";
import { listed, readAsked } from "./page.ts";
import { patched } from "./patch.ts";
import { readUser, type UserInput } from "./read-resource.ts";
import { conflict, requireFree, requireNobodyElses, requireSameId } from "./require-free.ts";
import { DEFAULT_ROLE } from "./roles.ts";
import * as store from "./user-store.ts";

/** Members that are compared with a filter in one go: everybody else waits meanwhile. */
const IN_ONE_GO = 250;
/** How many workspaces one account may be in. */
const WORKSPACES_MAX = 100;

const missing = (id: string) => fail("scim_not_found", { detail: `There is no user ${id} in this workspace.` });
const refused = (detail: string) => fail("scim_refused", { detail });

/** Members as RFC 7643 §4.1 words them. */
async function presentAll(db: TenantQueries, base: string, rows: readonly store.UserRow[]) {
  const ids = rows.map(({ id }) => id);
  const groups = await listGroupsOfAll(db, ids);
  return rows.map((row) => presentWith(base, row, groups.get(row.id) ?? []));
}

async function present(db: TenantQueries, base: string, row: store.UserRow) {
  return presentWith(base, row, await listGroupsOf(db, row.id));
}

function presentWith(base: string, row: store.UserRow, groups: readonly { id: string; display_name: string }[]) {
  return {
    ...presentPlain(base, row),
    groups: groups.map(({ id, display_name }) => ({ value: id, display: display_name })),
  };
}

function presentPlain(base: string, row: store.UserRow) {
  const name = {
    ...(row.given_name === null ? {} : { givenName: row.given_name }),
    ...(row.family_name === null ? {} : { familyName: row.family_name }),
    formatted: row.display_name ?? row.account_name,
  };
  return {
    schemas: [USER],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name ?? row.account_email,
    displayName: row.display_name ?? row.account_name,
    name,
    emails: [{ value: row.email ?? row.account_email, type: "work", primary: true }],
    active: row.status === "active",
    meta: {
      resourceType: "User",
      created: toIso(row.joined_at),
      lastModified: toIso(row.updated_at ?? row.joined_at),
      location: `${base}/Users/${row.id}`,
    },
  };
}

/** The members of a workspace that a directory asks for. Throws `scim_invalid`. */
export async function listUsers(db: TenantQueries, base: string, query: ListQuery) {
  const asked = readAsked(query);
  if (asked.filter === null) {
    const rows = await store.listUsers(db, asked.count, asked.skip);
    return listed(asked, await store.countUsers(db), await presentAll(db, base, rows));
  }
  const found = await findByFilter(db, base, asked.filter);
  const page = found.slice(asked.skip, asked.skip + asked.count);
  return listed(asked, found.length, await presentAll(db, base, page));
}

/** What directories ask all the time is looked up; anything else is compared with each member. */
async function findByFilter(
  db: TenantQueries,
  base: string,
  filter: NonNullable<ReturnType<typeof readAsked>["filter"]>,
) {
  const name = equals(filter, "userName");
  if (name !== null) return [await store.findUserByName(db, name)].filter((row) => row !== null);
  const id = equals(filter, "id");
  if (id !== null) return [await store.findUser(db, id)].filter((row) => row !== null);
  const externalId = equals(filter, "externalId");
  if (externalId !== null) return store.listUsersByExternalId(db, externalId, USERS_MAX);
  const all = await store.listUsers(db, USERS_MAX, 0);
  const found: store.UserRow[] = [];
  for (const [index, row] of all.entries()) {
    if (matches(filter, presentPlain(base, row))) found.push(row);
    if (index % IN_ONE_GO === 0) await setImmediate();
  }
  return found;
}

/** One member. Throws `scim_not_found`. */
export async function getUser(db: TenantQueries, base: string, id: string) {
  const row = await store.findUser(db, id);
  if (!row) throw missing(id);
  return present(db, base, row);
}

/** Makes somebody a member, or takes them back. Throws `scim_invalid`, `scim_refused`, `scim_conflict`, `too_many_requests`. */
export async function createUser(needs: Own, caller: Caller, base: string, body: unknown) {
  requireRoom(needs, caller.by);
  const input = readUser(body);
  const isClosed = (await needs.registration.mode()) === "closed";
  const findAccount: FindAccount = (tx) => findOurs(needs, tx, caller.by.tenant_id, input.email);
  const add = async (at: Change) => {
    await requireFree(at, input, null);
    if (!(await needs.members.take(at.by.tenant_id, () => store.countUsers(at.own))))
      throw refused(`A workspace has ${USERS_MAX} members at most.`);
    const id = await admit(needs, at, input, isClosed);
    await store.putUser(at.own, id, input, needs.clock.now());
    await store.keepOn(at.own, id);
    await endOffers(needs.lists, at.own, at.by, id);
    await needs.bus.emit(at.tx, "scim.user_add", {
      ...{ by: at.by, member_id: id, email: input.email, role: (await require(at, id)).role },
    });
    if (!input.active) await turnOff(needs, at, await require(at, id), "off");
    return present(at.own, base, await require(at, id));
  };
  return change(needs, caller, add, findAccount);
}

/**
 * The account with an address, where the workspace may make it a member or it is one; null for any other. No workspace holds accounts that
 * are not its own while it waits for its row.
 */
async function findOurs(needs: Needs, tx: SystemTx, tenantId: string, email: string): Promise<string | null> {
  const known = await needs.tenants.findAccount(email, tx);
  if (known === null) return null;
  const isMember = (await store.findFormer(narrow(tx, tenantId), known.id)) !== null;
  return isMember || (await needs.sso.ownsDomain(tx, tenantId, domainOf(email))) ? known.id : null;
}

/** A member within a change. Throws `scim_not_found`. */
async function require({ own }: Change, id: string): Promise<store.UserRow> {
  const row = await store.findUser(own, id);
  if (!row) throw missing(id);
  return row;
}

/** Throws `scim_refused` for an address at a domain that nobody has proven to be of the workspace. */
async function requireOwnDomain(needs: Needs, { tx, by }: Change, email: string): Promise<void> {
  const host = domainOf(email);
  if (await needs.sso.ownsDomain(tx, by.tenant_id, host)) return;
  throw refused(
    `The domain ${host} is not proven to be of this workspace. Add it under Single sign-on in its settings.`,
  );
}

/**
 * The account that is let in; null for none. Anybody may register with any address, and would be let in here in the place of whoever
 * it belongs to: who never proved it gives it up. Throws `scim_refused` for staff.
 */
async function findProven(needs: Needs, { tx }: Change, known: AccountRow | null): Promise<string | null> {
  if (known === null || !(await store.isUnproven(tx, known.id, NO_PASSWORD))) return known?.id ?? null;
  if (await needs.tenants.releaseAddress(tx, known)) return null;
  throw refused(`${known.email} has to prove under Profile that the address is theirs first.`);
}

/** The membership that somebody gets. Throws `scim_refused`, `scim_conflict`. */
async function admit(needs: Own, at: Change, input: UserInput, isClosed: boolean): Promise<string> {
  const { tx, by } = at;
  const { email } = input;
  const known = await needs.tenants.findAccount(email, tx);
  if ((known?.id ?? null) !== at.account_id) {
    await requireOwnDomain(needs, at, email);
    throw conflict(`Somebody else took the address ${email} just now.`);
  }
  const former = known === null ? null : await store.findFormer(at.own, known.id);
  if (former?.status === "active") throw conflict(`There is a user with the address ${email} already.`);
  await requireOwnDomain(needs, at, email);
  if (former === null) await requireNobodyElses(needs, at, input, input.external_id, null);
  const isOurs = former === null || former.state === "gone" || former.state === "off";
  const suspect = { account_id: known?.id ?? null, member_id: former?.id ?? null, marks: store.marksOf(input) };
  if (!isOurs || (await isRemoved(at.own, suspect)))
    throw refused(`Somebody in the workspace ended the access of ${email}. It has to be given back there first.`);
  if (former) {
    requireSameId(former, input);
    requireReach(at, former.role);
    await needs.sessions.endMemberSessions(at.own, former.id, needs.clock.now());
    await store.enableMember(at.own, former.id);
    return former.id;
  }
  if (!(await needs.everybody.take(by.tenant_id, () => store.countEver(at.own))))
    throw refused(
      `The directory brought ${EVER_MAX} people here already, and those it removed are remembered. It can bring back these, and nobody new.`,
    );
  const account_id = (await findProven(needs, at, known)) ?? (await makeAccount(needs, at, input, isClosed));
  if ((await needs.tenants.listMemberships(account_id, tx)).length >= WORKSPACES_MAX)
    throw refused(`This account is in ${WORKSPACES_MAX} workspaces already.`);
  const id = needs.ids.next("mem");
  const created_at = needs.clock.now();
  await needs.tenants.insertMember(tx, { tenant_id: by.tenant_id, id, account_id, role: DEFAULT_ROLE, created_at });
  return id;
}

/** An account without a password, whose owner signs in by the company's sign-in or gives it one by mail. */
async function makeAccount(needs: Needs, { tx }: Change, input: UserInput, isClosed: boolean): Promise<string> {
  if (isClosed) throw refused("This panel takes no new accounts. Ask whoever runs it.");
  const { email, display_name } = input;
  const id = needs.ids.next("acc");
  const row = {
    ...{ id, email, display_name, password_hash: NO_PASSWORD, referred_by: null },
    ...{ browser_language: null, created_at: needs.clock.now() },
  };
  if (!(await needs.tenants.insertAccount(tx, row)))
    throw conflict(`There is a user with the address ${email} already.`);
  return id;
}

/**
 * Makes a member what the directory says. Throws `scim_not_found`, `scim_invalid`, `scim_refused`, `scim_conflict`, and `too_many_requests`
 * unless it turns them off, or says again that they are off.
 */
export function putUser(needs: Needs, caller: Caller, base: string, id: string, body: unknown) {
  return changeOne(needs, caller, base, id, () => readUser(body));
}

/** As `putUser`, for a part of what the directory says. */
export function patchUser(needs: Needs, caller: Caller, base: string, id: string, body: unknown) {
  return changeOne(needs, caller, base, id, (row) => readUser(patched(presentPlain(base, row), body)));
}

function changeOne(needs: Needs, caller: Caller, base: string, id: string, read: (row: store.UserRow) => UserInput) {
  const findAccount: FindAccount = async (tx) =>
    (await store.findUser(narrow(tx, caller.by.tenant_id), id))?.account_id ?? null;
  const make = async (at: Change) => {
    const row = await require(at, id);
    await update(needs, at, row, read(row));
    return present(at.own, base, await require(at, id));
  };
  return change(needs, caller, make, findAccount);
}

async function update(needs: Needs, at: Change, row: store.UserRow, input: UserInput): Promise<void> {
  const isActive = row.status === "active";
  const changed = (["user_name", "external_id", "email", "display_name"] as const).filter(
    (key) => row[key] !== input[key],
  );
  if (input.active || (!isActive && changed.length > 0)) requireRoom(needs, at.by);
  // Nobody becomes whom somebody here removed.
  const told: store.Known = Object.fromEntries(changed.map((key) => [key, input[key]]));
  const hasId = input.external_id !== null;
  const suspect = { account_id: null, member_id: row.id, marks: store.marksOf(told), hasId };
  if (input.active && (await isRemoved(at.own, suspect)))
    throw refused(`Somebody in the workspace ended the access of ${input.email}. It has to be given back there first.`);
  // Nor anybody else who is here. Whoever comes back is looked at as a whole: turning off goes through whatever it says.
  if (input.active) await requireNobodyElses(needs, at, isActive ? told : input, input.external_id, row.id);
  // Nor, by an id that comes later, whose access the directory ended. Whom somebody here took back is whom they mean.
  if (input.active && isActive && row.state === "on" && row.external_id === null) requireSameId(row, input);
  await requireFree(at, input, row.id);
  await store.putUser(at.own, row.id, input, needs.clock.now());
  await updateAccount(needs, at, row, input);
  const isElsewhere = changed.some((key) => key === "user_name" || key === "email");
  if (input.active && (!isActive || isElsewhere)) await endOffers(needs.lists, at.own, at.by, row.id);
  if (changed.length > 0)
    await needs.bus.emit(at.tx, "scim.user_change", {
      ...{ by: at.by, member_id: row.id, email: row.account_email },
      change: Object.fromEntries(changed.map((key) => [key, input[key]])),
    });
  if (isActive && !input.active) await turnOff(needs, at, row, "off");
  if (!isActive && input.active) await turnOn(needs, at, row, input);
}

/**
 * The address and name of an account follow the directory where the workspace made it and it is nowhere else; one that its owner made is
 * its owner's. Throws `scim_refused`, `scim_conflict`.
 */
async function updateAccount(needs: Needs, at: Change, row: store.UserRow, input: UserInput): Promise<void> {
  const { tx } = at;
  const isNamed = row.account_name !== input.display_name;
  const isMoved = row.account_email !== input.email;
  // What became another account's meanwhile is the next round's.
  if ((!isNamed && !isMoved) || row.account_id !== at.account_id) return;
  const account = await needs.tenants.findAccount(row.account_email, tx);
  const memberships = await needs.tenants.listMemberships(row.account_id, tx);
  const isNobodyElses = account?.password_hash === NO_PASSWORD && memberships.length === 1;
  // Whoever has the say over an owner or somebody of the staff would have theirs.
  const isStaff = memberships.some(({ global_role }) => global_role !== null);
  if (!isNobodyElses || isStaff || row.role === "org_owner") return;
  if (isNamed) await needs.tenants.updateDisplayName(tx, row.account_id, input.display_name);
  if (!isMoved) return;
  await requireOwnDomain(needs, at, input.email);
  if (!(await needs.tenants.updateEmail(tx, row.account_id, input.email)))
    throw conflict(`There is an account with the address ${input.email} already.`);
}

/** Ends the access of a member, all their sessions and what waits to let them in, as they were before the change. Throws `scim_refused` for whom the workspace cannot be without. */
async function turnOff(needs: Needs, at: Change, row: store.UserRow, state: "off" | "gone"): Promise<void> {
  const { tx, by, own } = at;
  if (row.role === "org_owner" && !at.reachesOwners)
    throw refused("This is an owner, whose access only a token can end that an owner made.");
  const member = await needs.tenants.findMembership(by.tenant_id, row.id, tx);
  if (row.role === "org_owner" && (await needs.tenants.countOwners(tx, by.tenant_id)) === 1)
    throw refused("This is the last owner of the workspace. Make somebody else an owner there first.");
  if (member?.is_exempt === 1)
    throw refused("This owner is the one who can come in without single sign-on. Name another one there first.");
  await needs.tenants.disableMember(tx, by.tenant_id, row.id);
  const now = needs.clock.now();
  await needs.sessions.endMemberSessions(own, row.id, now);
  await store.endUser(own, row.id, { state, id: row.external_id, at: now });
  await endOffers(needs.lists, own, by, row.id, store.marksOf(row));
  const email = row.account_email;
  await needs.bus.emit(tx, "scim.user_off", { by, member_id: row.id, email, is_gone: state === "gone" });
}

/** Gives back what the directory took. Throws `scim_invalid` for what somebody in the workspace took, and `scim_conflict`. */
async function turnOn(needs: Needs, at: Change, row: store.UserRow, input: UserInput): Promise<void> {
  const { tx, by, own } = at;
  const marks = [markOf(row.account_email), ...store.marksOf(row)];
  const suspect = { account_id: row.account_id, member_id: row.id, marks };
  if (row.state !== "off" || (await isRemoved(own, suspect)))
    throw invalid(
      `Somebody in the workspace ended the access of ${row.account_email}. It has to be given back there.`,
      "mutability",
    );
  requireSameId(row, input);
  requireReach(at, row.role);
  await needs.sessions.endMemberSessions(own, row.id, needs.clock.now());
  await store.enableMember(own, row.id);
  await store.keepOn(own, row.id);
  await needs.bus.emit(tx, "scim.user_on", { by, member_id: row.id, email: row.account_email });
}

/** Ends somebody's access for good, as far as the directory goes. Throws `scim_not_found`, `scim_refused`. */
export function deleteUser(needs: Needs, caller: Caller, id: string): Promise<void> {
  return change(needs, caller, async (at) => {
    const row = await require(at, id);
    if (row.state === null) await adopt(needs, at, row);
    if (row.status === "active") await turnOff(needs, at, row, "gone");
    // Whom somebody here removed stays removed: the directory cannot bring them back by forgetting them first.
    else if (row.state === "off") await store.forgetUser(at.own, id);
    else throw refused("Somebody in the workspace ended this access already.");
    await takeFromGroups(at.own, id);
  });
}

/** Makes a member whom nobody brought the directory's from then on. Throws `scim_conflict`. */
export async function adopt(needs: Needs, at: Change, row: store.UserRow): Promise<void> {
  const input: UserInput = {
    ...{ user_name: row.account_email, external_id: null, email: row.account_email, display_name: row.account_name },
    ...{ given_name: null, family_name: null, active: true },
  };
  await requireFree(at, input, row.id);
  await store.putUser(at.own, row.id, input, needs.clock.now());
}
