import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import {
  type BulkItem,
  type BulkJob,
  type BulkJobDetail,
  type BulkJobsQuery,
  fail,
  type ItemStatus,
} from "./contract.ts";
import type { Needs } from "./needs.ts";
import { type FollowedItemRow, findJob, listItems, listJobs, type NamedJobRow } from "./store.ts";

type Deps = Pick<Needs, "lists" | "live">;

const DEFAULT_LIMIT = 50;

const optional = (at: number | null): string | null => (at === null ? null : toIso(at));
const membersOf = ({ lists }: Pick<Deps, "lists">) => lists.names.all().filter(({ kind }) => kind === "member");

function presentJob(row: NamedJobRow): BulkJob {
  const { id, kind, total, next_no, succeeded, failed, cancelled, status } = row;
  const done = succeeded + failed + cancelled;
  return {
    ...{ id, kind, target: JSON.parse(row.target), params: JSON.parse(row.params) },
    ...{ total, done, succeeded, failed, cancelled, running: Math.max(0, next_no - done), status },
    progress: Math.floor((done / total) * 100),
    ...{ created_by: row.created_by, created_by_name: row.created_by_name, created_by_email: row.created_by_email },
    ...{ created_at: toIso(row.created_at), updated_at: toIso(row.updated_at), ends_at: toIso(row.ends_at) },
    finished_at: optional(row.finished_at),
  };
}

/** What its node says while a command is under way. */
function statusOf({ status, command_status }: FollowedItemRow): ItemStatus {
  if (status !== "sent") return status;
  return command_status === "running" || command_status === "sent" ? command_status : "queued";
}

function presentItem(fleet: TenantFleet, row: FollowedItemRow): BulkItem {
  const { node_id, hostname, command_id, output, error, started_at, finished_at } = row;
  const facts = fleet.get(node_id);
  return {
    ...{ instance_id: node_id, hostname, status: statusOf(row) },
    online: facts ? fleet.verdict(facts.no).health !== "offline" : null,
    ...{ command_id, output, error, started_at: optional(started_at), finished_at: optional(finished_at) },
  };
}

/** Jobs of the workspace, the newest first. */
export async function listAll(deps: Deps, actor: Actor, query: BulkJobsQuery): Promise<{ jobs: BulkJob[] }> {
  const { kind = null, status = null, limit = DEFAULT_LIMIT, offset = 0 } = query;
  const rows = await listJobs(actor.db, membersOf(deps), { kind, status, limit, offset });
  return { jobs: rows.map(presentJob) };
}

/** One job. Throws `bulk_job_not_found`. */
export async function getJob(deps: Deps, actor: Actor, id: string): Promise<BulkJob> {
  const row = await findJob(actor.db, membersOf(deps), id);
  if (!row) throw fail("bulk_job_not_found", { id });
  return presentJob(row);
}

/** One job with every node of it. Throws `bulk_job_not_found`. */
export async function getDetail(deps: Deps, actor: Actor, id: string): Promise<BulkJobDetail> {
  const job = await getJob(deps, actor, id);
  const fleet = deps.live.fleetOf(actor);
  return { job, items: (await listItems(actor.db, id)).map((row) => presentItem(fleet, row)) };
}
