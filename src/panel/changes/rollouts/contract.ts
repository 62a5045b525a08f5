import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { LineText, Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { NodeId } from "../../fleet/fleet/contract.ts";
import { TAGS_MAX, Tag } from "../../fleet/fleet-groups/contract.ts";
import { Id, Name } from "../../schemas.ts";
import type { Reason as PauseReason } from "./engine/model.ts";

/** Nodes of one rollout. */
export const NODES_MAX = 10_000;
/** Rollouts of a workspace that are not over. */
export const OPEN_MAX = 20;
const STAGES_MAX = 20;
/** Groups and regions of a filter, and nodes of one that are told. */
export const PICKED_MAX = 100;
const Count = t.Integer();

export const Kind = t.Union([t.Literal("os_version"), t.Literal("app"), t.Literal("config")]);
export type Kind = Static<typeof Kind>;

export const State = t.Union([
  t.Literal("running"),
  t.Literal("awaiting_promotion"),
  t.Literal("paused"),
  t.Literal("completed"),
  t.Literal("rolling_back"),
  t.Literal("rolled_back"),
]);
export type State = Static<typeof State>;

const NODE_STATES = [
  "pending",
  "dispatched",
  "done",
  "failed",
  "timed_out",
  "skipped_offline",
  "reverting",
  "reverted",
  "revert_failed",
  "cancelled",
] as const;
export const NodeState = t.UnionEnum([...NODE_STATES]);
export type NodeState = (typeof NODE_STATES)[number];

const Share = t.Number({ minimum: 0, maximum: 100 });
const Limit = t.Integer({ minimum: 0, maximum: NODES_MAX });

/** Shares in percent hold while below, counts while not above. */
export const Gates = t.Object({
  max_error_rate: Share,
  max_cpu_p95: Share,
  max_failed_boots: Limit,
  max_heartbeat_loss: Limit,
});
export type Gates = Static<typeof Gates>;

/** Several values of a kind mean any of them, of tags all. Nothing picked means every node that is online. */
export const Filter = t.Object({
  group_ids: t.Array(Id, { maxItems: PICKED_MAX }),
  regions: t.Array(t.String({ minLength: 1, maxLength: 256 }), { maxItems: PICKED_MAX }),
  tags: t.Array(Tag, { maxItems: TAGS_MAX }),
  /** Ours: these and no others. */
  instance_ids: t.Array(NodeId, { maxItems: NODES_MAX }),
});
export type Filter = Static<typeof Filter>;
const FilterInput = t.Partial(Filter);
/** Of nodes that were named the first 100, and how many they were. */
const ToldFilter = t.Composite([Filter, t.Object({ instance_count: Count })]);
export type FilterInput = Static<typeof FilterInput>;

const Payload = t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 20 });
const Verb = t.String({ minLength: 1, maxLength: 64 });

/** What nodes are told to do, and what takes it back. */
export const Action = t.Object({
  command_type: Verb,
  payload: t.Optional(Payload),
  rollback_command_type: Verb,
  rollback_payload: t.Optional(Payload),
});
export type Action = Static<typeof Action>;

const Version = t.String({
  minLength: 1,
  maxLength: 64,
  pattern: "^[0-9A-Za-z][0-9A-Za-z.+_-]*$",
  description: "must be a version such as 1.4.2",
});

export const RolloutInput = t.Object({
  name: Name,
  kind: Kind,
  target_version: Version,
  stages: t.Optional(t.Array(t.Integer({ minimum: 1, maximum: 100 }), { minItems: 1, maxItems: STAGES_MAX })),
  soak_sec: t.Optional(t.Integer({ minimum: 0, maximum: 604_800 })),
  gates: t.Optional(t.Partial(Gates)),
  filter: t.Optional(FilterInput),
  auto_promote: t.Optional(t.Boolean()),
  action: t.Optional(Action),
  /** Ours: another text puts nodes into another order, so that not always the same ones go first. */
  seed: t.Optional(
    t.String({ maxLength: 64, pattern: "^[0-9A-Za-z._-]*$", description: "must be letters and digits" }),
  ),
});
export type RolloutInput = Static<typeof RolloutInput>;

export const CanaryInput = t.Object({
  name: t.Optional(Name),
  target_version: Version,
  /** The share that goes first, percent. */
  canary_percent: t.Optional(t.Integer({ minimum: 1, maximum: 99 })),
  filter: t.Optional(FilterInput),
});
export type CanaryInput = Static<typeof CanaryInput>;

export const ReasonInput = t.Optional(t.Object({ reason: t.Optional(LineText(500)) }));

export const StageView = t.Object({
  /** From 1. */
  stage: Count,
  percent: t.Number(),
  /** Nodes that are reached once it is through. */
  target_nodes: Count,
  /** Nodes that come with it. */
  nodes: Count,
  counts: t.Object({
    ...{ pending: Count, dispatched: Count, done: Count, failed: Count, timed_out: Count, skipped_offline: Count },
    ...{ reverting: Count, reverted: Count, revert_failed: Count, cancelled: Count },
  }),
  done_pct: t.Number(),
  state: t.UnionEnum(["done", "active", "soaking", "awaiting_promotion", "paused", "next", "waiting", "rolled_back"]),
  started_at: NullableText,
});
export type StageView = Static<typeof StageView>;

export const GateValue = t.Object({
  gate: t.UnionEnum(["error_rate", "cpu_p95", "failed_boots", "heartbeat_loss"]),
  value: NullableNumber,
  limit: t.Number(),
  /** `no_data` is neither good nor bad: nothing is promoted on it. `not_applicable` was never measured by these nodes. */
  verdict: t.UnionEnum(["ok", "breach", "no_data", "not_applicable"]),
  nodes: Count,
  samples: Count,
  evidence: t.Array(t.Object({ instance_id: t.String(), hostname: t.String() })),
});
export type GateValue = Static<typeof GateValue>;

export const Reason = t.Object({
  cause: t.UnionEnum(["gate", "manual", "no_nodes", "no_success", "insufficient_data", "plan", "suspended"]),
  gate: NullableText,
  value: NullableNumber,
  threshold: NullableNumber,
  text: t.String(),
});

export const Rollout = t.Object({
  id: t.String(),
  name: t.String(),
  kind: Kind,
  target_version: t.String(),
  stages: t.Array(t.Number()),
  soak_sec: Count,
  gates: Gates,
  filter: ToldFilter,
  auto_promote: t.Boolean(),
  action: t.Optional(Action),
  seed: t.String(),
  state: State,
  legacy: t.Boolean(),
  reason: Nullable(Reason),
  /** From 1. */
  current_stage: Count,
  total_nodes: Count,
  /** Nodes that have the change, and those that were sent it. */
  done_nodes: Count,
  touched_nodes: Count,
  stage_views: t.Array(StageView),
  created_by: t.String(),
  created_by_name: NullableText,
  created_at: t.String(),
  finished_at: NullableText,
});
export type Rollout = Static<typeof Rollout>;

export const TimelineEntry = t.Object({
  at: t.String(),
  kind: t.String(),
  /** From 1. */
  stage: Count,
  text: t.String(),
  from: State,
  to: State,
  by: NullableText,
  comment: NullableText,
});
export type TimelineEntry = Static<typeof TimelineEntry>;

export const RolloutNode = t.Object({
  instance_id: t.String(),
  hostname: t.String(),
  /** From 1. */
  stage: Count,
  from_version: t.String(),
  /** As it tells now; null for one that left the fleet. */
  version: NullableText,
  state: NodeState,
  detail: NullableText,
  command_id: NullableText,
  rollback_command_id: NullableText,
});
export type RolloutNode = Static<typeof RolloutNode>;

export const RolloutDetail = t.Composite([
  Rollout,
  t.Object({
    gate_values: t.Array(GateValue),
    /** How long the stage has soaked; null while it does not. */
    soaked_sec: NullableNumber,
    /** Some nodes did not go back. */
    rolled_back_with_failures: t.Boolean(),
    /** The newest first. */
    timeline: t.Array(TimelineEntry),
    nodes: t.Optional(t.Array(RolloutNode)),
  }),
]);
export type RolloutDetail = Static<typeof RolloutDetail>;

const Flag = t.Union([t.Literal("true"), t.Literal("false")]);
export const RolloutsQuery = t.Object({
  legacy: t.Optional(Flag),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  /** Those older than this one. */
  before: t.Optional(Id),
});
export const RolloutList = t.Object({
  rollouts: t.Array(Rollout),
  gated: t.Optional(t.Boolean()),
  required_plan: t.Optional(t.String()),
});
export type RolloutList = Static<typeof RolloutList>;
export const RolloutParams = t.Object({ id: Id });
export const RolloutQuery = t.Object({ nodes: t.Optional(Flag) });

/** Who would take part, were it begun now. */
export const RolloutPreview = t.Object({
  nodes: Count,
  stages: t.Array(t.Object({ percent: t.Number(), target_nodes: Count, nodes: Count, first: t.Array(t.String()) })),
  /** Nodes that match and are left out. */
  left_out: t.Object({ offline: Count, on_target: Count, busy: Count, without_app: Count }),
});
export type RolloutPreview = Static<typeof RolloutPreview>;

/** Why a rollout paused, for those who say it in their own words. */
export type StopReason = Omit<PauseReason, "text">;

type RolloutEvent = PanelEvent & { rollout_id: string; name: string };
export type RolloutEvents = {
  "fleet.rollout.create": RolloutEvent & { kind: Kind; target_version: string; nodes: number };
  "fleet.rollout.promote": RolloutEvent & { reason: string | null };
  "fleet.rollout.pause": RolloutEvent & { reason: string | null };
  "fleet.rollout.resume": RolloutEvent & { reason: string | null };
  "fleet.rollout.rollback": RolloutEvent & { reason: string | null };
  /** It came into another state by itself. */
  "fleet.rollout.state": RolloutEvent & { state: State; text: string };
  /** It paused by itself, and waits for somebody. */
  "fleet.rollout.stop": RolloutEvent & { text: string; reason: StopReason };
  /** It was paused, and is not any more: somebody decided, or it is over. */
  "fleet.rollout.unstop": RolloutEvent;
};

export const fail = defineErrors({
  rollout_not_found: [404, "There is no rollout {id} in this workspace."],
  rollout_state: [409, "This rollout is {state}: {action} is not possible then. Load it anew to see what is."],
  rollout_under_way: [
    409,
    "Nodes of the last stage are still under way. Wait until they have reported back, resume it, or roll it back.",
  ],
  rollout_legacy: [409, "An older canary deployment can only be promoted or rolled back."],
  rollout_no_nodes: [
    422,
    "No node would take part: {offline} are offline, {on_target} are on {version} already, {busy} are in another rollout, {without_app} do not have the app. Pick others.",
  ],
  rollout_too_large: [422, "{nodes} nodes match, and a rollout has room for {limit}. Pick fewer."],
  rollout_stages_invalid: [400, "The shares must rise from stage to stage and end with 100."],
  rollout_action_missing: [
    400,
    "A rollout of the kind {kind} needs an action with the command that nodes are sent and the one that takes it back.",
  ],
  rollout_action_invalid: [
    400,
    "Nodes cannot be sent {command} in a rollout of the kind {kind}. Possible are: {known}.",
  ],
  too_many_rollouts: [409, "{limit} rollouts are under way already. Finish one first, or roll it back."],
});

const read = can("fleet:read");
const write = can("fleet:write");
const change = { access: write, params: RolloutParams, body: ReasonInput, out: RolloutDetail };

export const rolloutRoutes = defineRoutes({
  "GET /api/fleet/rollouts": { access: read, query: RolloutsQuery, out: RolloutList },
  "POST /api/fleet/rollouts": { access: write, body: RolloutInput, out: RolloutDetail },
  "POST /api/fleet/rollouts/preview": { access: write, body: RolloutInput, out: RolloutPreview },
  "GET /api/fleet/rollouts/{id}": { access: read, params: RolloutParams, query: RolloutQuery, out: RolloutDetail },
  "POST /api/fleet/rollouts/{id}/promote": change,
  "POST /api/fleet/rollouts/{id}/resume": change,
  "POST /api/fleet/rollouts/{id}/pause": change,
  "POST /api/fleet/rollouts/{id}/rollback": change,
  "POST /api/fleet/canary": { access: write, body: CanaryInput, out: RolloutDetail },
});
export type RolloutApi = ApiOf<typeof rolloutRoutes>;
