import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { Ousted } from "../../base.ts";
import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import { type By, byMember, byOperator, byPanel } from "../../event-meaning.ts";
import { isRemoved, markOf } from "../tenants/index.ts";
import { fail, PAST_MAX, type Permit, type PermitInput, type Permits } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";
import { nameOf, requireWorkspace } from "./workspaces.ts";

const VISITS_MAX = 200;
/** Permits of a workspace that are remembered; more than anybody is shown. */
const KEPT = 200;
/** How many permits end in one run. */
const ENDED_AT_ONCE = 100;

/** Who lets staff in, and who came. */
export async function listPermits(actor: Actor): Promise<Permits> {
  const visits = await store.listVisits(actor.db, VISITS_MAX);
  const permits = (await store.listPermits(actor.db, PAST_MAX)).map((row) => ({
    ...{ id: row.id, note: row.note, given_by: row.giver, given_at: toIso(row.given_at), ends_at: toIso(row.ends_at) },
    ended_at: row.ended_at === null ? null : toIso(row.ended_at),
    visitors: visits
      .filter(({ permit_id }) => permit_id === row.id)
      .map(({ name, entered_at }) => ({ name, entered_at: toIso(entered_at) })),
  })) satisfies Permit[];
  return {
    open: permits.find(({ ended_at }) => ended_at === null) ?? null,
    past: permits.filter(({ ended_at }) => ended_at !== null),
  };
}

/** Lets staff in for some hours. Throws `staff_permit_open`. */
export async function openPermit(needs: Needs, actor: Actor, ip: string, input: PermitInput): Promise<Permits> {
  const { tenant_id } = actor;
  await needs.system.by(actor).tx(async (tx) => {
    await needs.tenants.lockMembers(tx, tenant_id);
    const given_at = needs.clock.now();
    const open = await store.findOpenPermit(tx, tenant_id, given_at);
    if (open?.holds === 1) throw fail("staff_permit_open", { ends_at: toIso(open.ends_at) });
    if (open) await end(needs, tx, open, byPanel(tenant_id));
    const id = needs.ids.next("spm");
    const ends_at = given_at + hours(input.hours);
    const { note } = input;
    await store.deleteOldPermits(tx, tenant_id, KEPT);
    await store.insertPermit(tx, {
      ...{ tenant_id, id, note, given_by: actor.member_id },
      ...{ given_at, ends_at, ended_at: null },
    });
    const by = byMember(actor, ip);
    await needs.bus.emit(tx, "workspace.support_open", { by, permit_id: id, note, hours: input.hours });
  });
  return listPermits(actor);
}

/** Ends it now: whoever came in by it is out with all their sessions. Throws `staff_permit_none`. */
export async function closePermit(needs: Needs, actor: Actor, ip: string): Promise<Permits> {
  await needs.system.by(actor).tx(async (tx) => {
    await needs.tenants.lockMembers(tx, actor.tenant_id);
    const open = await store.findOpenPermit(tx, actor.tenant_id, needs.clock.now());
    if (!open) throw fail("staff_permit_none");
    await end(needs, tx, open, byMember(actor, ip));
  });
  return listPermits(actor);
}

/** Ends the membership of a visitor with every session of it. */
async function showOut(
  needs: Needs,
  tx: SystemTx,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<void> {
  await needs.tenants.disableMember(tx, tenant_id, member_id);
  await needs.sessions.endMemberSessions(narrow(tx, tenant_id), member_id, needs.clock.now());
}

async function end(needs: Needs, tx: SystemTx, permit: store.PermitRow, by: By): Promise<void> {
  const now = needs.clock.now();
  for (const visitor of await store.listVisitors(tx, permit))
    await showOut(needs, tx, { ...visitor, tenant_id: permit.tenant_id });
  await store.endPermit(tx, permit, now);
  const is_early = now < permit.ends_at;
  await needs.bus.emit(tx, "workspace.support_close", { by, permit_id: permit.id, is_early });
}

/** Ends the permits of all workspaces, with whoever came in by them. */
export async function endAllPermits(needs: Needs, tx: SystemTx): Promise<void> {
  for (const permit of await store.listOpenPermits(tx)) await end(needs, tx, permit, byOperator(permit.tenant_id));
}

/** Ends the permit of a workspace whose owner did not give it, with whoever came in by it; gives how many that were. */
export async function endForOwner(needs: Needs, tx: SystemTx, { tenant_id, by }: Ousted): Promise<number> {
  const open = await store.findOpenPermit(tx, tenant_id, needs.clock.now());
  if (open) await end(needs, tx, open, by);
  return open ? 1 : 0;
}

/** Ends what is over or was given by somebody who may give it no longer, and shows out whoever is of the staff no longer. */
export async function endDue(needs: Needs): Promise<void> {
  for (const visitor of await store.listFormerStaff(needs.system, ENDED_AT_ONCE))
    await needs.system.tx(async (tx) => {
      await needs.tenants.lockMembers(tx, visitor.tenant_id);
      await showOut(needs, tx, visitor);
    });
  for (const { tenant_id } of await store.listDue(needs.system, needs.clock.now(), ENDED_AT_ONCE))
    await needs.system.tx(async (tx) => {
      await needs.tenants.lockMembers(tx, tenant_id);
      const open = await store.findOpenPermit(tx, tenant_id, needs.clock.now());
      if (open?.holds === 0) await end(needs, tx, open, byPanel(tenant_id));
    });
}

/**
 * Makes somebody of the staff a member for as long as the workspace lets them in; who is one already stays as they are. Throws
 * `staff_workspace_not_found`, `staff_not_let_in`.
 */
export function enter(needs: Needs, actor: Actor, ip: string, tenantId: string): Promise<void> {
  const { tenants } = needs;
  return needs.system.by(actor).tx(async (tx) => {
    await tenants.lockMembers(tx, tenantId);
    const { name } = await requireWorkspace(needs, tx, tenantId);
    const memberships = await tenants.listMemberships(actor.account_id, tx);
    const former = memberships.find(({ tenant_id }) => tenant_id === tenantId);
    const now = needs.clock.now();
    const permit = await store.findOpenPermit(tx, tenantId, now);
    const isMember = former?.member_status === "active";
    if (isMember) return;
    if (permit?.holds !== 1) throw fail("staff_not_let_in", { name });
    // Whom the workspace removed as one of its own people does not come back by being staff.
    const account = await tenants.findAccountById(actor.account_id, tx);
    const isStranger = former === undefined || (await store.hasVisited(tx, tenantId, former.member_id));
    const marks = account ? [markOf(account.email)] : [];
    const suspect = { account_id: actor.account_id, member_id: former?.member_id ?? null, marks };
    if (!isStranger || (await isRemoved(narrow(tx, tenantId), suspect))) throw fail("staff_not_let_in", { name });
    const member_id = former?.member_id ?? needs.ids.next("mem");
    if (former) await store.enableMember(tx, tenantId, member_id);
    else
      await tenants.insertMember(tx, {
        ...{ tenant_id: tenantId, id: member_id, account_id: actor.account_id },
        ...{ role: "org_viewer", created_at: now },
      });
    const staff = await nameOf(needs, tx, actor);
    await store.insertVisit(tx, tenantId, { permit_id: permit.id, member_id, name: staff, entered_at: now });
    const by = byMember({ tenant_id: tenantId, member_id, account_id: actor.account_id }, ip);
    await needs.bus.emit(tx, "workspace.support_enter", { by, permit_id: permit.id, staff });
  });
}
