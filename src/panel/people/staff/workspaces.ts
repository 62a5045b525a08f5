import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byOperator } from "../../event-meaning.ts";
import type { Plan } from "../../plans.ts";
import { fail, type ListQuery, type StaffList, type StaffWorkspace } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

const OWNERS_SHOWN = 3;

const nodesOf = ({ lists }: Needs) => lists.holdings.all().find(({ name }) => name === "nodes");

async function present(
  db: Parameters<typeof store.listOwners>[0],
  { permit_ends_at, created_at, ...row }: store.WorkspaceRow,
): Promise<StaffWorkspace> {
  return {
    ...row,
    created_at: toIso(created_at),
    owners: await store.listOwners(db, row.id, OWNERS_SHOWN),
    permit_ends_at: permit_ends_at === null ? null : toIso(permit_ends_at),
  };
}

/** The workspaces of the panel by name. */
export async function listAll(needs: Needs, { q = "", status, limit, offset }: ListQuery): Promise<StaffList> {
  const wanted = { text: q.trim(), status: status ?? null };
  const rows = await store.listWorkspaces(needs.system, nodesOf(needs), wanted, limit, offset);
  const total = await store.countWorkspaces(needs.system, wanted);
  return { items: await Promise.all(rows.map((row) => present(needs.system, row))), total };
}

/** One of them within a change. Throws `staff_workspace_not_found`. */
export async function requireWorkspace(needs: Needs, tx: SystemTx, id: string): Promise<store.WorkspaceRow> {
  const row = await store.findWorkspace(tx, nodesOf(needs), id);
  if (!row) throw fail("staff_workspace_not_found", { id });
  return row;
}

/** What the workspace's log calls whoever did it. */
export async function nameOf(needs: Needs, tx: SystemTx, { account_id }: Actor): Promise<string> {
  return (await needs.tenants.findAccountById(account_id, tx))?.display_name ?? "";
}

/** Runs one change of a workspace, and tells what it is then. */
function change(
  needs: Needs,
  actor: Actor,
  id: string,
  run: (tx: SystemTx, row: store.WorkspaceRow, staff: string) => Promise<void>,
): Promise<StaffWorkspace> {
  return needs.system.by(actor).tx(async (tx) => {
    await needs.tenants.lockMembers(tx, id);
    await run(tx, await requireWorkspace(needs, tx, id), await nameOf(needs, tx, actor));
    return present(tx, await requireWorkspace(needs, tx, id));
  });
}

function requireOther({ name }: store.WorkspaceRow, now: string, wanted: string): void {
  if (now === wanted) throw fail("staff_workspace_same", { name, status: wanted });
}

/**
 * Shuts a workspace: its members get no further than other workspaces of theirs. Throws `staff_workspace_not_found`,
 * `staff_workspace_same`.
 */
export function suspend(needs: Needs, actor: Actor, id: string, reason: string): Promise<StaffWorkspace> {
  return change(needs, actor, id, async (tx, row, staff) => {
    requireOther(row, row.status, "suspended");
    await store.updateStatus(tx, id, "suspended");
    needs.accessEnds.ended(tx, id);
    await needs.bus.emit(tx, "workspace.suspend", { by: byOperator(id), reason, staff });
  });
}

/** Opens it again. Throws `staff_workspace_not_found`, `staff_workspace_same`. */
export function resume(needs: Needs, actor: Actor, id: string): Promise<StaffWorkspace> {
  return change(needs, actor, id, async (tx, row, staff) => {
    requireOther(row, row.status, "active");
    await store.updateStatus(tx, id, "active");
    await needs.bus.emit(tx, "workspace.resume", { by: byOperator(id), staff });
  });
}

/** Puts it on another plan. Throws `staff_workspace_not_found`, `staff_workspace_same`. */
export function setPlan(needs: Needs, actor: Actor, id: string, plan: Plan): Promise<StaffWorkspace> {
  return change(needs, actor, id, async (tx, row, staff) => {
    requireOther(row, row.plan, plan);
    await store.updatePlan(tx, id, plan);
    await needs.bus.emit(tx, "workspace.plan_by_staff", { by: byOperator(id), plan, previous: row.plan, staff });
  });
}
