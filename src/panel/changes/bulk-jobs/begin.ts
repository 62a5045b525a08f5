import { sha256Hex } from "../../../lib/digest.ts";
import { hours } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { findGroup } from "../../agents/nodes/index.ts";
import type { TenantTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { assertFilterSize } from "../../filter-size.ts";
import { groupFail } from "../../fleet/fleet-groups/index.ts";
import { lockWorkspace } from "../../people/tenants/index.ts";
import { requireMaySend } from "../commands/index.ts";
import { type BulkFilter, type BulkInput, type BulkPreview, fail, NODES_MAX, OPEN_MAX } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { type Plan, readPlan } from "./plan.ts";
import { countOpen, findByKey, type ItemWriter, insertJob, type JobRow } from "./store.ts";

type Deps = Pick<Needs, "clock" | "ids" | "version" | "live" | "bus" | "fleet" | "commands">;

/** Nodes that are away get it when they come back within a day. */
const LIFETIME_MS = hours(24);
/** Ids that an audit entry names, and names that a preview does. */
const AUDITED_IDS = 50;
const NAMED = 10;

const list = (value: string | string[] | undefined): string[] | undefined =>
  typeof value === "string" ? [value] : value;

/** A filter as the list of nodes has it. */
function queryOf({ status, region, q, group, version, tenant }: BulkFilter) {
  const marks = { status, region, group, version, tenant };
  const given = Object.entries(marks).flatMap(([name, value]) => (value === undefined ? [] : [[name, list(value)]]));
  return { ...Object.fromEntries(given), ...(q !== undefined && { q }) };
}

interface Chosen {
  ids: string[];
  /** Ids that the workspace does not have. */
  unknown: number;
}

/** The nodes that are meant, each once. Throws `bulk_target_missing`, `bulk_too_many`, `bulk_no_nodes`, `invalid_request`. */
async function choose({ live, fleet }: Deps, actor: Actor, { instance_ids, filter }: BulkInput): Promise<Chosen> {
  if ((instance_ids === undefined) === (filter === undefined)) throw fail("bulk_target_missing");
  if (filter !== undefined) assertFilterSize("filter", filter);
  const own = live.fleetOf(actor);
  const named = [...new Set(instance_ids)];
  const ids = filter === undefined ? named.filter((id) => own.get(id)) : await fleet.idsOf(actor, queryOf(filter));
  if (ids.length > NODES_MAX) throw fail("bulk_too_many", { nodes: ids.length, limit: NODES_MAX });
  if (ids.length === 0) throw fail("bulk_no_nodes");
  return { ids, unknown: filter === undefined ? named.length - ids.length : 0 };
}

/** What is to be done. Throws what `readPlan` and `requireMaySend` throw. */
function planOf({ version }: Deps, actor: Actor, input: BulkInput): Plan {
  const plan = readPlan(input, version);
  if (plan.does === "command") requireMaySend(actor, plan.payload);
  return plan;
}

/** What a job would do now. Throws what `beginJob` throws of what is asked for. */
export async function previewJob(deps: Deps, actor: Actor, input: BulkInput): Promise<BulkPreview> {
  const plan = planOf(deps, actor, input);
  const { ids, unknown } = await choose(deps, actor, input);
  await assertGroup(actor.db, plan);
  const fleet = deps.live.fleetOf(actor);
  const nodes = ids.flatMap((id) => fleet.get(id) ?? []);
  const away = nodes.filter(({ no }) => fleet.verdict(no).health === "offline").length;
  const app = plan.does === "command" ? plan.app : null;
  const without = app === null ? [] : nodes.filter(({ apps }) => !apps.some(({ name }) => name === app));
  return {
    ...{ total: ids.length, online: ids.length - away, offline: away, without_app: without.length, unknown },
    first: nodes.slice(0, NAMED).map(({ hostname }) => hostname),
  };
}

async function assertGroup(db: Parameters<typeof findGroup>[0], plan: Plan): Promise<void> {
  if (plan.does !== "group" || plan.group_id === null) return;
  if (!(await findGroup(db, plan.group_id))) throw groupFail("group_not_found", { id: plan.group_id });
}

/**
 * Begins a job on the nodes that are there now; gives its id. With a key that was used before it is the job of that time. Throws
 * `bulk_target_missing`, `bulk_no_nodes`, `bulk_too_many`, `too_many_bulk_jobs`, `too_many_requests`, `idempotency_mismatch`,
 * `group_not_found`, and what the command itself is refused with.
 */
export async function beginJob(
  deps: Deps & { writer: ItemWriter },
  actor: Actor,
  ip: string,
  input: BulkInput,
  key: string | null,
): Promise<string> {
  const plan = planOf(deps, actor, input);
  const digest = sha256Hex(JSON.stringify([input.action, input.instance_ids, input.filter, input.params]));
  const known = key === null ? null : await actor.db.tx((tx) => findSame(tx, key, digest));
  if (known !== null) return known;
  const { ids } = await choose(deps, actor, input);
  const fleet = deps.live.fleetOf(actor);
  const items = ids.map((id, no) => ({ no, node_id: id, hostname: fleet.get(id)?.hostname ?? id }));
  const now = deps.clock.now();
  const row: Omit<JobRow, "tenant_id"> = {
    ...{ id: deps.ids.next("bulk"), kind: input.action, status: "running", plan: JSON.stringify(plan) },
    target: JSON.stringify(input.filter ? { filter: input.filter } : { instance_ids: ids.length }),
    params: JSON.stringify(input.params ?? {}),
    ...{ total: ids.length, next_no: 0, succeeded: 0, failed: 0, cancelled: 0, created_by: actor.member_id },
    ...{ created_at: now, updated_at: now, ends_at: now + LIFETIME_MS, finished_at: null },
    ...{ idempotency_key: key, asked_digest: digest },
  };
  return actor.db.tx(async (tx) => {
    // Of two that come at once with one key the second finds the first, and both count among those that are open.
    await lockWorkspace(tx);
    const same = key === null ? null : await findSame(tx, key, digest);
    if (same !== null) return same;
    await assertGroup(tx, plan);
    if ((await countOpen(tx)) >= OPEN_MAX) throw fail("too_many_bulk_jobs", { limit: OPEN_MAX });
    deps.commands.rate.take(actor, fleet.nodes().length, ids.length);
    await insertJob(tx, row);
    await deps.writer.insert(tx, row.id, items);
    await deps.bus.emit(tx, "fleet.bulk.begin", {
      by: byMember(actor, ip),
      ...{ job_id: row.id, action: input.action, params: input.params ?? {}, instances: ids.length },
      instance_ids: ids.slice(0, AUDITED_IDS),
    });
    return row.id;
  });
}

/** The job that was begun with a key; null when none was. Throws `idempotency_mismatch`. */
async function findSame(tx: TenantTx, key: string, digest: string): Promise<string | null> {
  const known = await findByKey(tx, key);
  if (known && known.asked_digest !== digest) throw fail("idempotency_mismatch");
  return known?.id ?? null;
}
