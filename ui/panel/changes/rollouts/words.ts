import type {
  GateValue,
  Kind,
  NodeState,
  Rollout,
  StageView,
  State,
} from "../../../../src/panel/changes/rollouts/contract.ts";
import { count } from "../../../client/format.ts";
import type { State as Look } from "../../../kit/status.tsx";

/** Shape and word of a rollout's state. */
export const stateLook: Record<State, { state: Look; word: string }> = {
  running: { state: "busy", word: "Running" },
  awaiting_promotion: { state: "info", word: "Waits for promotion" },
  paused: { state: "warn", word: "Paused" },
  completed: { state: "ok", word: "Completed" },
  rolling_back: { state: "busy", word: "Rolling back" },
  rolled_back: { state: "off", word: "Rolled back" },
};

export const kindWords: Record<Kind, string> = {
  os_version: "System version",
  app: "App",
  config: "Configuration",
};

/** Shape and word of a stage. */
export const stageLook: Record<StageView["state"], { state: Look; word: string }> = {
  done: { state: "ok", word: "Done" },
  active: { state: "busy", word: "Updating" },
  soaking: { state: "busy", word: "Soaking" },
  awaiting_promotion: { state: "info", word: "Passed" },
  paused: { state: "warn", word: "Paused" },
  next: { state: "off", word: "Next" },
  waiting: { state: "off", word: "Waiting" },
  rolled_back: { state: "off", word: "Taken back" },
};

export const nodeWords: Record<NodeState, string> = {
  pending: "waiting",
  dispatched: "updating",
  done: "updated",
  failed: "failed",
  timed_out: "did not come back",
  skipped_offline: "skipped, offline",
  reverting: "going back",
  reverted: "back",
  revert_failed: "did not go back",
  cancelled: "cancelled",
};

const gateWords: Record<GateValue["gate"], { name: string; unit: string }> = {
  error_rate: { name: "Error rate", unit: "%" },
  cpu_p95: { name: "Processor, p95", unit: "%" },
  failed_boots: { name: "Failed boots", unit: "" },
  heartbeat_loss: { name: "Heartbeat loss", unit: "" },
};

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** A gate in words: its name, its value with the limit, and what it was read from. */
export function gateText({ gate, value, limit, verdict, nodes, samples, evidence }: GateValue): {
  name: string;
  value: string;
  limit: string;
  from: string;
} {
  const { name, unit } = gateWords[gate];
  const from = {
    ok:
      nodes === 0
        ? "No node has reported back yet"
        : samples > 0
          ? `${count(samples, "sample")} of ${count(nodes, "node")}`
          : `over ${count(nodes, "node")}`,
    breach: evidence.length > 0 ? evidence.map(({ hostname }) => hostname).join(", ") : "over its limit",
    no_data: "Too few figures yet: nothing goes on without them",
    not_applicable: "No node measures this",
  };
  return {
    name,
    value: verdict === "not_applicable" ? "not measured" : value === null ? "no data" : `${rounded(value)}${unit}`,
    limit: `${rounded(limit)}${unit}`,
    from: from[verdict],
  };
}

/** How much of the dial is filled, and where its limit stands, in percent. */
export function dialOf({ value, limit }: Pick<GateValue, "value" | "limit">): { value: number; limit: number } {
  const full = Math.max(limit * 1.25, value ?? 0, 1);
  return { value: ((value ?? 0) / full) * 100, limit: (limit / full) * 100 };
}

/** How all gates are, in a few words. */
export function gatesVerdict(values: readonly GateValue[]): { state: Look; word: string } {
  const used = values.filter(({ verdict }) => verdict !== "not_applicable");
  if (used.some(({ verdict }) => verdict === "breach")) return { state: "crit", word: "A gate does not hold" };
  if (used.some(({ verdict }) => verdict === "no_data")) return { state: "unknown", word: "Too few figures yet" };
  return used.length === 0 ? { state: "off", word: "Not read yet" } : { state: "ok", word: "All gates hold" };
}

/** What a stage is about to do, or has done. */
export function stageText(stage: StageView, rollout: Pick<Rollout, "soak_sec" | "auto_promote" | "state">): string {
  const { counts, nodes } = stage;
  if (nodes === 0) return "No nodes of its own";
  const bad = counts.failed + counts.timed_out + counts.revert_failed;
  const soak = Math.round(rollout.soak_sec / 60);
  if (stage.state === "active") return `${counts.done} of ${count(nodes, "new node")} updated, then ${soak} min soak`;
  if (stage.state === "soaking") return `All reported back, ${soak} min soak`;
  if (stage.state === "awaiting_promotion") return "The gates hold";
  if (stage.state === "next")
    return rollout.auto_promote ? "Starts by itself when the gates hold" : "Starts when somebody promotes it";
  if (stage.state === "waiting")
    return rollout.state === "rolled_back" ? "Never started" : `${count(nodes, "new node")}`;
  if (stage.state === "rolled_back") return `${counts.reverted} of ${count(nodes, "node")} back`;
  return bad > 0 ? `${counts.done} updated, ${bad} failed` : `${counts.done} of ${nodes} updated`;
}

/** The one thing to decide now; null when there is none. */
export function decisionOf(rollout: Pick<Rollout, "state" | "reason" | "stage_views" | "current_stage">): {
  title: string;
  text: string;
} | null {
  const next = rollout.stage_views[rollout.current_stage];
  if (rollout.state === "awaiting_promotion")
    return {
      title: `Stage ${rollout.current_stage} has passed`,
      text: `The gates hold. Promote it to reach ${count(next?.nodes ?? 0, "more node")}.`,
    };
  if (rollout.state !== "paused") return null;
  const texts: Record<NonNullable<Rollout["reason"]>["cause"], string> = {
    gate: "Look at the nodes that are named. Resume to watch the stage anew, promote in spite of it, or roll back.",
    manual: `“${rollout.reason?.text ?? ""}” Nothing new is sent. Resume when it may go on.`,
    no_nodes: "Resume when some of its nodes are back online.",
    no_success: "Look at why the nodes failed before anything goes on.",
    insufficient_data: "Nothing is promoted without figures. See that the nodes tell them, then resume.",
    plan: "Upgrade the workspace, then resume.",
    suspended: "Look at what has changed meanwhile, then resume or roll back.",
  };
  const cause = rollout.reason?.cause ?? "manual";
  const title = cause === "manual" ? "Paused by hand" : (rollout.reason?.text ?? "Paused");
  return { title, text: texts[cause] };
}

/** "1, 10, 50, 100" as shares; null when they do not rise to 100. */
export function readStages(text: string): number[] | null {
  const stages = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
  const rises = stages.every((share, index) => Number.isInteger(share) && share > (stages[index - 1] ?? 0));
  return rises && stages.at(-1) === 100 ? stages : null;
}
