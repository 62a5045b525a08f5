import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { NodeId } from "../../fleet/fleet/contract.ts";
import { Id } from "../../schemas.ts";

export { TAGS_MAX } from "../../fleet/fleet-groups/contract.ts";

/** Nodes of one job, and jobs of a workspace that are under way. */
export const NODES_MAX = 10_000;
export const OPEN_MAX = 20;
const Count = t.Integer();

export const Kind = t.Union([
  t.Literal("restart"),
  t.Literal("update"),
  t.Literal("tag"),
  t.Literal("untag"),
  t.Literal("move_group"),
  t.Literal("remove"),
  t.Literal("run_command"),
]);
export type Kind = Static<typeof Kind>;

/** `cancelled` keeps counting what was sent before. */
export const JobStatus = t.Union([
  t.Literal("running"),
  t.Literal("succeeded"),
  t.Literal("partial"),
  t.Literal("failed"),
  t.Literal("cancelled"),
]);
export type JobStatus = Static<typeof JobStatus>;

/** `queued` waits here or for the node, `sent` was taken by it, `running` is what it says itself. */
export const ItemStatus = t.Union([
  t.Literal("queued"),
  t.Literal("sent"),
  t.Literal("running"),
  t.Literal("succeeded"),
  t.Literal("failed"),
  t.Literal("cancelled"),
]);
export type ItemStatus = Static<typeof ItemStatus>;

const Texts = t.Union([NameText(256), t.Array(NameText(256), { minItems: 1, maxItems: 50 })]);

/** As the list of nodes filters; several values of one mean any of them. */
export const BulkFilter = t.Object(
  {
    status: t.Optional(Texts),
    region: t.Optional(Texts),
    q: t.Optional(NameText(256)),
    group: t.Optional(Texts),
    version: t.Optional(Texts),
    tenant: t.Optional(Texts),
  },
  { additionalProperties: false },
);
export type BulkFilter = Static<typeof BulkFilter>;

export const BulkInput = t.Object({
  action: Kind,
  /** These nodes, or those of the filter; those of other workspaces do not count. */
  instance_ids: t.Optional(t.Array(NodeId, { minItems: 1, maxItems: NODES_MAX })),
  filter: t.Optional(BulkFilter),
  params: t.Optional(t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 20 })),
});
export type BulkInput = Static<typeof BulkInput>;

export const BulkJob = t.Object({
  id: t.String(),
  kind: Kind,
  /** What was asked for: a filter, or how many nodes by id. */
  target: t.Object({ filter: t.Optional(BulkFilter), instance_ids: t.Optional(Count) }),
  params: t.Record(t.String(), t.Unknown()),
  total: Count,
  /** Those that are over: succeeded, failed and cancelled together. */
  done: Count,
  succeeded: Count,
  failed: Count,
  cancelled: Count,
  /** Begun, and not over. */
  running: Count,
  /** Percent of `total` that is over. */
  progress: Count,
  status: JobStatus,
  created_by: t.String(),
  /** Null for a member who is gone. */
  created_by_name: NullableText,
  created_by_email: NullableText,
  created_at: t.String(),
  updated_at: t.String(),
  /** Ours: nodes that did not answer by then have failed. */
  ends_at: t.String(),
  finished_at: NullableText,
});
export type BulkJob = Static<typeof BulkJob>;

export const BulkItem = t.Object({
  instance_id: t.String(),
  hostname: t.String(),
  status: ItemStatus,
  /** Ours: whether the node is online now; null for one that left the fleet. */
  online: Nullable(t.Boolean()),
  command_id: NullableText,
  /** The beginning of what the node said, for the first 200 nodes that said something; null for the others. */
  output: NullableText,
  /** Ours: there is more than `output` tells. The command has the whole of it. */
  output_truncated: t.Boolean(),
  /** At most 200 characters of it. */
  error: NullableText,
  started_at: NullableText,
  finished_at: NullableText,
});
export type BulkItem = Static<typeof BulkItem>;

/** Failed ones first, then those under way, then the others; at most 10,000. */
export const BulkJobDetail = t.Object({ job: BulkJob, items: t.Array(BulkItem) });
export type BulkJobDetail = Static<typeof BulkJobDetail>;

export const BulkJobsQuery = t.Object({
  kind: t.Optional(Kind),
  status: t.Optional(JobStatus),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  offset: t.Optional(t.Integer({ minimum: 0, maximum: 100_000 })),
});
export type BulkJobsQuery = Static<typeof BulkJobsQuery>;
const BulkJobs = t.Object({ jobs: t.Array(BulkJob) });

/** What a job would do, were it begun now. */
export const BulkPreview = t.Object({
  total: Count,
  online: Count,
  /** They get it when they come back within a day. */
  offline: Count,
  /** Nodes without the app that is meant; they fail at once. */
  without_app: Count,
  /** Ids that this workspace does not have. */
  unknown: Count,
  /** Names of the first ones. */
  first: t.Array(t.String()),
});
export type BulkPreview = Static<typeof BulkPreview>;

export type BulkEvents = {
  "fleet.bulk.begin": PanelEvent & {
    job_id: string;
    action: Kind;
    params: Record<string, unknown>;
    instances: number;
    instance_ids: string[];
  };
  "fleet.bulk.cancel": PanelEvent & { job_id: string; action: Kind; taken_back: number };
};

export const fail = defineErrors({
  bulk_job_not_found: [404, "There is no job {id} in this workspace. Jobs are kept for 30 days after they are over."],
  bulk_no_nodes: [422, "No node of this workspace is meant. Pick others, or another filter."],
  bulk_too_many: [422, "{nodes} nodes are meant, and a job has room for {limit}. Pick fewer."],
  bulk_target_missing: [400, "Say which nodes are meant: instance_ids or filter, one of both."],
  bulk_job_over: [409, "This job is {status}: there is nothing left to take back."],
  too_many_bulk_jobs: [409, "{limit} jobs are under way already. Wait until one is over, or cancel it."],
  idempotency_mismatch: [
    409,
    "Another job was begun with this Idempotency-Key. Use a key of its own for each thing that is to be done.",
  ],
});

const access = can("fleet:write");
const JobParams = t.Object({ id: Id });

export const bulkRoutes = defineRoutes({
  "POST /api/fleet/bulk": { access, body: BulkInput, out: { 202: BulkJob } },
  "POST /api/fleet/bulk/preview": { access, body: BulkInput, out: BulkPreview },
  "GET /api/fleet/bulk-jobs": { access: can("fleet:read"), query: BulkJobsQuery, out: BulkJobs },
  "GET /api/fleet/bulk-jobs/{id}": { access: can("fleet:read"), params: JobParams, out: BulkJobDetail },
  "POST /api/fleet/bulk-jobs/{id}/cancel": { access, params: JobParams, out: BulkJob },
});
export type BulkApi = ApiOf<typeof bulkRoutes>;
