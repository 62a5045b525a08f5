/** What the engine knows of a rollout and what it is told; it has no clock, no database and no network. */
export type RolloutKind = "os_version" | "app" | "config";

export type RolloutState = "running" | "awaiting_promotion" | "paused" | "completed" | "rolling_back" | "rolled_back";

export type NodeState =
  | "pending"
  | "dispatched"
  | "done"
  | "failed"
  | "timed_out"
  | "skipped_offline"
  | "reverting"
  | "reverted"
  | "revert_failed"
  | "cancelled";

/** Limits: shares in percent hold while below, counts while not above. */
export interface Gates {
  max_error_rate: number;
  max_cpu_p95: number;
  max_failed_boots: number;
  max_heartbeat_loss: number;
}
export type GateName = "error_rate" | "cpu_p95" | "failed_boots" | "heartbeat_loss";

/** `no_data` is neither: what should be measured is not. `not_applicable` was never measured by any of the nodes. */
export type GateVerdict = "ok" | "breach" | "no_data" | "not_applicable";

export interface GateValue {
  gate: GateName;
  /** Null without a measurement. */
  value: number | null;
  limit: number;
  verdict: GateVerdict;
  /** Nodes that it was read from. */
  nodes: number;
  /** Measurements, for the gates on figures. */
  samples: number;
  /** Nodes that make it what it is, the first ones. */
  evidence: readonly string[];
}

/** Why a rollout is paused. */
export type PauseCause = "gate" | "manual" | "no_nodes" | "no_success" | "insufficient_data" | "plan" | "suspended";

export interface Reason {
  cause: PauseCause;
  gate: GateName | null;
  value: number | null;
  threshold: number | null;
  text: string;
}

/** One node of a rollout. Replaced on change. Times are milliseconds of the rollout's own time, see `watched_ms`. */
export interface RolloutNode {
  readonly id: string;
  /** Place in the order, from 0. */
  readonly rank: number;
  /** Stage that it comes with, from 0. */
  readonly stage: number;
  readonly from_version: string;
  /** Whether it measured its processor, and errors, when it was selected. */
  readonly has_cpu: boolean;
  readonly has_error_rate: boolean;
  readonly state: NodeState;
  /** When its present state began. */
  readonly since_ms: number;
  /** When it was done, by the clock on the wall: what was measured before says nothing of the new version. */
  readonly done_at: number | null;
  /** Its failure or its silence was known to whoever let the rollout go on. */
  readonly is_excused: boolean;
  /** It was away when it was told to go back, or went since. */
  readonly is_away: boolean;
  /** Why it is what it is, for people. */
  readonly detail: string | null;
}

/** A rollout. Replaced on change. */
export interface Rollout {
  readonly kind: RolloutKind;
  readonly target_version: string;
  /** Cumulative shares in percent. */
  readonly stages: readonly number[];
  readonly soak_ms: number;
  readonly gates: Gates;
  readonly auto_promote: boolean;
  readonly is_legacy: boolean;
  readonly state: RolloutState;
  /** Stage that runs, from 0. */
  readonly stage: number;
  /** True once the present stage has begun. */
  readonly is_stage_begun: boolean;
  /** True once a node was sent anything. */
  readonly is_started: boolean;
  readonly reason: Reason | null;
  /**
   * The rollout's own time: how long somebody has watched it. It stands still while no panel runs and when a clock is set, so that
   * neither passes for soak or for a node that did not come back.
   */
  readonly watched_ms: number;
  /** The clock on the wall at the last look; null before the first. */
  readonly looked_at: number | null;
  /** Since when the watch was not interrupted, in the rollout's own time. */
  readonly watch_since_ms: number;
  /** Figures count from here, by the clock on the wall: the start of the stage, or the last resume. */
  readonly window_at: number;
  /** How long the stage has soaked with its gates holding; null while nodes of it are under way. */
  readonly soaked_ms: number | null;
  /** Since when the soak waits for figures, in the rollout's own time. */
  readonly blind_since_ms: number | null;
  readonly gate_values: readonly GateValue[];
  /** What is rolled back is so from whatever nodes run by now, not only from what the rollout brought. */
  readonly from_any_version: boolean;
  readonly nodes: readonly RolloutNode[];
}

/** What became of a command; `none` when there is none. */
export type Outcome = "none" | "open" | "succeeded" | "failed";

/** What is known of a node at this moment. */
export interface NodeFact {
  is_online: boolean;
  /** When it was last heard, by the clock on the wall. */
  last_seen: number;
  version: string;
  forward: Outcome;
  forward_error: string | null;
  revert: Outcome;
  revert_error: string | null;
  /** Moments by the clock on the wall. */
  cpu: readonly { t: number; value: number }[];
  /** Percent; `requests` is 0 where it is not known how many they were. */
  error_rate: readonly { t: number; value: number; requests: number }[];
}

/** The world as the engine is told of it. */
export interface Facts {
  /** By the clock on the wall. */
  now: number;
  /** For how long this panel has listened to nodes without a break: silence before that says nothing. */
  listened_ms: number;
  /** The plan of the workspace includes rollouts. */
  is_included: boolean;
  /** Nobody of the workspace is let in, so nobody could stop it. */
  is_suspended: boolean;
  /** Null for a node that left the fleet. */
  node(id: string): NodeFact | null;
}

/** What happens to a rollout: time passes, or somebody decides. */
export type Action =
  | { kind: "look" }
  | { kind: "promote" }
  | { kind: "pause"; text: string | null }
  | { kind: "resume" }
  | {
      kind: "rollback";
      text: string | null;
      /** Nodes that run something else than the rollout brought go back too: whoever says so may do everything to them. */
      from_any_version: boolean;
    };

export type TimelineKind =
  | "created"
  | "stage_started"
  | "stage_empty"
  | "dispatched"
  | "node_skipped"
  | "node_failed"
  | "node_left"
  | "soak_started"
  | "soak_passed"
  | "paused"
  | "resumed"
  | "promoted"
  | "awaiting_promotion"
  | "completed"
  | "rollback_started"
  | "rolled_back"
  | "revert_failed"
  | "excused";

/** A line of the timeline. */
export interface Note {
  kind: TimelineKind;
  /** From 0. */
  stage: number;
  text: string;
  from: RolloutState;
  to: RolloutState;
}

/** What is to be done, in the transaction that keeps the new state. */
export type Effect =
  | { kind: "dispatch"; node_id: string }
  /** What waits for a node, or is told to it again, is taken back. */
  | { kind: "withdraw"; node_id: string }
  | { kind: "revert"; node_id: string }
  | { kind: "note"; note: Note };

/** What a step comes to. */
export interface Step {
  rollout: Rollout;
  effects: readonly Effect[];
}

/** An action that the present state does not allow. */
export interface Refusal {
  refused: "state" | "legacy" | "plan" | "last_stage";
}

/** A node looked at, of which the stage need not wait any more. */
export const SETTLED: ReadonlySet<NodeState> = new Set([
  "done",
  "failed",
  "timed_out",
  "skipped_offline",
  "reverted",
  "revert_failed",
  "cancelled",
]);
/** Nodes that were sent the change. */
export const TOUCHED: ReadonlySet<NodeState> = new Set(["dispatched", "done", "failed", "timed_out"]);

/** Whether there is still something to follow. */
export const isOpen = ({ state, nodes }: Pick<Rollout, "state" | "nodes">): boolean =>
  (state !== "completed" && state !== "rolled_back") || nodes.some((node) => node.state === "reverting");
