import { answerInParts, listParts } from "../../../kernel/http/answer-in-parts.ts";
import { toIso } from "../../../lib/clock.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import type { Actor } from "../../actor.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import { type BulkItem, type BulkJob, type BulkJobsQuery, fail, type ItemStatus } from "./contract.ts";
import type { Needs } from "./needs.ts";
import {
  type FollowedItemRow,
  findJob,
  listItems,
  listJobs,
  listSaid,
  type NamedJobRow,
  RANKS,
  type SaidRow,
} from "./store.ts";

type Deps = Pick<Needs, "lists" | "live" | "takeTurn">;

const DEFAULT_LIMIT = 50;
/** Nodes whose outputs a job tells: more than anybody reads there. */
const SAID_NODES = 200;
/** Nodes that are read at one go. */
const PAGE = 500;

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

function presentItem(fleet: TenantFleet, row: FollowedItemRow, said: SaidRow | null): BulkItem {
  const { node_id, hostname, command_id, error, started_at, finished_at } = row;
  const facts = fleet.get(node_id);
  return {
    ...{ instance_id: node_id, hostname, status: statusOf(row) },
    online: facts ? fleet.verdict(facts.no).health !== "offline" : null,
    ...{ command_id, output: said?.output ?? null },
    output_truncated: said === null ? row.has_output === 1 : said.is_output_cut === 1,
    ...{ error, started_at: optional(started_at), finished_at: optional(finished_at) },
  };
}

/** Jobs of the workspace, the newest first. */
export async function listAll(
  deps: Pick<Deps, "lists">,
  actor: Actor,
  query: BulkJobsQuery,
): Promise<{ jobs: BulkJob[] }> {
  const { kind = null, status = null, limit = DEFAULT_LIMIT, offset = 0 } = query;
  const rows = await listJobs(actor.db, membersOf(deps), { kind, status, limit, offset });
  return { jobs: rows.map(presentJob) };
}

/** One job. Throws `bulk_job_not_found`. */
export async function getJob(deps: Pick<Deps, "lists">, actor: Actor, id: string): Promise<BulkJob> {
  const row = await findJob(actor.db, membersOf(deps), id);
  if (!row) throw fail("bulk_job_not_found", { id });
  return presentJob(row);
}

/** Every node of a job, those that failed first. Each is there once, as it is when its page is read, whatever changes meanwhile. */
async function readItems(actor: Actor, id: string, othersFirst: () => Promise<void>): Promise<FollowedItemRow[]> {
  const ranked: FollowedItemRow[][] = Object.keys(RANKS).map(() => []);
  let last = -1;
  while (true) {
    await othersFirst();
    const page = await listItems(actor.db, id, last, PAGE);
    for (const row of page) ranked[RANKS[row.status]]?.push(row);
    last = page.at(-1)?.no ?? last;
    if (page.length < PAGE) return ranked.flat();
  }
}

/**
 * One job with every node of it, and the beginning of what the first ones said. Thousands of nodes are read and written as text part by
 * part, and before each others have their turn. Throws `bulk_job_not_found`.
 */
export async function streamDetail(deps: Deps, actor: Actor, id: string): Promise<Response> {
  const othersFirst = () => giveWay(deps.takeTurn, [actor.tenant_id, actor.account_id]);
  const job = await getJob(deps, actor, id);
  await othersFirst();
  const fleet = deps.live.fleetOf(actor);
  const said = new Map((await listSaid(actor.db, id, SAID_NODES)).map((row) => [row.no, row]));
  const rows = await readItems(actor, id, othersFirst);
  const around = { before: `{"job":${JSON.stringify(job)},"items":[`, after: "]}" };
  return answerInParts(
    listParts(rows, (row) => presentItem(fleet, row, said.get(row.no) ?? null), around),
    othersFirst,
  );
}
