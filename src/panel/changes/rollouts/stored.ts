import type { Action, Filter, Gates } from "./contract.ts";
import type { Rollout, RolloutNode } from "./engine/model.ts";
import type { FollowedRow, NodeRow, RolloutRow } from "./store.ts";

/** What a rollout is to do, as it was asked for; it never changes. */
export interface Plan {
  stages: number[];
  soak_sec: number;
  gates: Gates;
  /** `instance_count`: how many nodes were named, where not all of them are kept. */
  filter: Filter & { instance_count?: number };
  auto_promote: boolean;
  action: Action | null;
  seed: string;
}

/** What the engine keeps besides the columns. */
type Progress = Pick<
  Rollout,
  | "is_stage_begun"
  | "reason"
  | "watched_ms"
  | "looked_at"
  | "watch_since_ms"
  | "window_at"
  | "soaked_ms"
  | "blind_since_ms"
  | "gate_values"
  | "from_any_version"
>;

export const BEGINNING: Progress = {
  is_stage_begun: false,
  reason: null,
  watched_ms: 0,
  looked_at: null,
  watch_since_ms: 0,
  window_at: 0,
  soaked_ms: null,
  blind_since_ms: null,
  gate_values: [],
  from_any_version: false,
};

export function planOfRow({ plan }: Pick<RolloutRow, "plan">): Plan {
  return JSON.parse(plan);
}

export function progressOfRow({ progress }: Pick<RolloutRow, "progress">): Progress {
  // Older ones do not tell all of it.
  return { ...BEGINNING, ...JSON.parse(progress) };
}

/** What of a rollout goes into `progress`. */
export function progressOf({ ...all }: Rollout): Progress {
  const { is_stage_begun, reason, watched_ms, looked_at, watch_since_ms } = all;
  const { window_at, soaked_ms, blind_since_ms, gate_values, from_any_version } = all;
  return {
    ...{ is_stage_begun, reason, watched_ms, looked_at, watch_since_ms },
    ...{ window_at, soaked_ms, blind_since_ms, gate_values, from_any_version },
  };
}

const nodeOf = (row: NodeRow): RolloutNode => ({
  id: row.node_id,
  rank: row.rank,
  stage: row.stage,
  from_version: row.from_version,
  has_cpu: row.has_cpu === 1,
  has_error_rate: row.has_error_rate === 1,
  state: row.state,
  since_ms: row.since_ms,
  done_at: row.done_at,
  is_excused: row.is_excused === 1,
  is_away: row.is_away === 1,
  detail: row.detail,
});

/** A stored rollout as the engine takes it, but for its nodes. */
export function headOf(row: RolloutRow): Omit<Rollout, "nodes"> {
  const { stages, soak_sec, gates, auto_promote } = planOfRow(row);
  return {
    ...progressOfRow(row),
    kind: row.kind,
    target_version: row.target_version,
    stages,
    soak_ms: soak_sec * 1_000,
    gates,
    auto_promote,
    is_legacy: row.is_legacy === 1,
    state: row.state,
    stage: row.stage,
    is_started: row.is_started === 1,
  };
}

/** A stored rollout as the engine takes it. */
export const rolloutOf = (row: RolloutRow, nodes: readonly FollowedRow[]): Rollout => ({
  ...headOf(row),
  nodes: nodes.map(nodeOf),
});

/** A node's row after a step. */
export const nodeRowOf = (
  before: NodeRow,
  node: RolloutNode,
  sent: Pick<NodeRow, "command_id" | "revert_id">,
): NodeRow => ({
  rank: before.rank,
  node_id: before.node_id,
  stage: before.stage,
  hostname: before.hostname,
  from_version: before.from_version,
  app_id: before.app_id,
  has_cpu: before.has_cpu,
  has_error_rate: before.has_error_rate,
  state: node.state,
  since_ms: node.since_ms,
  done_at: node.done_at,
  is_excused: node.is_excused ? 1 : 0,
  is_away: node.is_away ? 1 : 0,
  detail: node.detail,
  ...sent,
});
