import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { NameSource } from "../../base.ts";
import {
  fail,
  type NodeState,
  PICKED_MAX,
  type Rollout,
  type RolloutDetail,
  type RolloutList,
  type StageView,
} from "./contract.ts";
import { includesRollouts, REQUIRED_PLAN } from "./included.ts";
import type { Needs } from "./needs.ts";
import { stageTargets } from "./selection.ts";
import { findRollout, listNodes, listRollouts, listTimeline, type NamedRolloutRow, type NodeRow } from "./store.ts";
import { type Plan, planOfRow, progressOfRow } from "./stored.ts";
import { countNodes, listStageStarts, type StageCount, type StageStart } from "./tally-store.ts";

type Deps = Pick<Needs, "live" | "tenants" | "lists">;
type Counts = StageView["counts"];

const DEFAULT_LIMIT = 50;
const TIMELINE_MAX = 500;
const UNTOUCHED: readonly NodeState[] = ["pending", "skipped_offline", "cancelled"];
const WAITED_FOR: readonly NodeState[] = ["pending", "dispatched"];

/** Where the names of members stand. */
const membersOf = ({ lists }: Pick<Deps, "lists">): readonly NameSource[] =>
  lists.names.all().filter(({ kind }) => kind === "member");

const noCounts = (): Counts => ({
  ...{ pending: 0, dispatched: 0, done: 0, failed: 0, timed_out: 0, skipped_offline: 0 },
  ...{ reverting: 0, reverted: 0, revert_failed: 0, cancelled: 0 },
});

const sum = (counts: Counts, states: (state: NodeState) => boolean): number =>
  Object.entries(counts).reduce((all, [state, one]) => all + (isState(state) && states(state) ? one : 0), 0);

function isState(name: string): name is NodeState {
  return Object.hasOwn(noCounts(), name);
}

/** What the page calls a stage. */
function viewState(row: NamedRolloutRow, stage: number, counts: Counts): StageView["state"] {
  if (row.state === "rolling_back" || row.state === "rolled_back")
    return stage <= row.stage ? "rolled_back" : "waiting";
  if (stage < row.stage || row.state === "completed") return "done";
  if (stage > row.stage) return stage === row.stage + 1 ? "next" : "waiting";
  if (row.state === "paused") return "paused";
  if (row.state === "awaiting_promotion") return "awaiting_promotion";
  return sum(counts, (state) => WAITED_FOR.includes(state)) > 0 ? "active" : "soaking";
}

/** What is counted of one rollout. */
interface Figures {
  counts: readonly StageCount[];
  starts: readonly StageStart[];
}

/** The figures of the rollouts between two ids, by rollout. */
async function readFigures({ db }: Actor, fromId: string, toId: string): Promise<(id: string) => Figures> {
  const counts = Map.groupBy(await countNodes(db, fromId, toId), ({ rollout_id }) => rollout_id);
  const starts = Map.groupBy(await listStageStarts(db, fromId, toId), ({ rollout_id }) => rollout_id);
  return (id) => ({ counts: counts.get(id) ?? [], starts: starts.get(id) ?? [] });
}

function stageViews(row: NamedRolloutRow, stages: readonly number[], figures: Figures): StageView[] {
  const targets = stageTargets(stages, row.nodes);
  return stages.map((percent, stage) => {
    const counts = noCounts();
    for (const one of figures.counts) if (one.stage === stage) counts[one.state] += one.count;
    const nodes = (targets[stage] ?? 0) - (targets[stage - 1] ?? 0);
    const settled = sum(counts, (state) => !WAITED_FOR.includes(state));
    const started = figures.starts.find((one) => one.stage === stage)?.at;
    return {
      ...{ stage: stage + 1, percent, target_nodes: targets[stage] ?? 0, nodes, counts },
      done_pct: nodes === 0 ? (stage <= row.stage ? 100 : 0) : Math.round((settled / nodes) * 1_000) / 10,
      state: viewState(row, stage, counts),
      started_at: started === undefined ? null : toIso(started),
    };
  });
}

/** Old rollouts have all nodes that were named. */
const toldFilter = ({ instance_ids, instance_count, ...picked }: Plan["filter"]): Rollout["filter"] => ({
  ...picked,
  instance_ids: instance_ids.slice(0, PICKED_MAX),
  instance_count: instance_count ?? instance_ids.length,
});

function present(row: NamedRolloutRow, figures: Figures): Rollout {
  const { stages, soak_sec, gates, filter, auto_promote, action, seed } = planOfRow(row);
  const views = stageViews(row, stages, figures);
  const inAll = (states: (state: NodeState) => boolean) =>
    views.reduce((all, { counts }) => all + sum(counts, states), 0);
  return {
    ...{ id: row.id, name: row.name, kind: row.kind, target_version: row.target_version },
    ...{ stages, soak_sec, gates, filter: toldFilter(filter), auto_promote, ...(action ? { action } : {}), seed },
    ...{ state: row.state, legacy: row.is_legacy === 1, reason: progressOfRow(row).reason },
    ...{ current_stage: row.stage + 1, total_nodes: row.nodes },
    done_nodes: inAll((state) => state === "done"),
    touched_nodes: inAll((state) => !UNTOUCHED.includes(state)),
    stage_views: views,
    ...{ created_by: row.created_by, created_by_name: row.created_by_name, created_at: toIso(row.created_at) },
    finished_at: row.finished_at === null ? null : toIso(row.finished_at),
  };
}

/** Rollouts of the workspace, the newest first, with how far each is. */
export async function listAll(
  deps: Deps,
  actor: Actor,
  { legacy, limit, before }: { legacy?: "true" | "false"; limit?: number; before?: string },
): Promise<RolloutList> {
  const asked = { before: before ?? null, withLegacy: legacy !== "false", limit: limit ?? DEFAULT_LIMIT };
  const rows = await listRollouts(actor.db, membersOf(deps), asked);
  const plan = await deps.tenants.findPlan(actor.tenant_id);
  const gated = includesRollouts(plan) ? {} : { gated: true, required_plan: REQUIRED_PLAN };
  const [last, first] = [rows.at(-1), rows[0]];
  if (!first || !last) return { rollouts: [], ...gated };
  const figuresOf = await readFigures(actor, last.id, first.id);
  return { rollouts: rows.map((row) => present(row, figuresOf(row.id))), ...gated };
}

/** One rollout with its gates and its timeline, and with its nodes when asked. Throws `rollout_not_found`. */
export async function getRollout(deps: Deps, actor: Actor, id: string, withNodes: boolean): Promise<RolloutDetail> {
  const row = await findRollout(actor.db, membersOf(deps), id);
  if (!row) throw fail("rollout_not_found", { id });
  const figures = (await readFigures(actor, id, id))(id);
  const { gate_values, soaked_ms } = progressOfRow(row);
  const fleet = deps.live.fleetOf(actor);
  const timeline = await listTimeline(actor.db, membersOf(deps), id, TIMELINE_MAX);
  const nodes = withNodes
    ? (await listNodes(actor.db, id)).map((node) => presentNode(node, fleet.get(node.node_id)?.version))
    : null;
  const failed = figures.counts.some(({ state }) => state === "revert_failed" || state === "reverting");
  return {
    ...present(row, figures),
    gate_values: gate_values.map(({ evidence, ...value }) => ({
      ...value,
      evidence: evidence.map((node) => ({ instance_id: node, hostname: fleet.get(node)?.hostname ?? node })),
    })),
    soaked_sec: soaked_ms === null || row.state !== "running" ? null : Math.floor(soaked_ms / 1_000),
    rolled_back_with_failures: row.state === "rolled_back" && failed,
    timeline: timeline.map((line) => ({
      ...{ at: toIso(line.at), kind: line.kind, stage: line.stage + 1, text: line.text },
      ...{ from: line.from_state, to: line.to_state, by: line.by_name, comment: line.comment },
    })),
    ...(nodes ? { nodes } : {}),
  };
}

const presentNode = (node: NodeRow, version: string | undefined) => ({
  ...{ instance_id: node.node_id, hostname: node.hostname, stage: node.stage + 1, from_version: node.from_version },
  ...{ version: version ?? null, state: node.state, detail: node.detail },
  ...{ command_id: node.command_id, rollback_command_id: node.revert_id },
});
