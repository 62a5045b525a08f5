import { minutes, seconds } from "../../../../lib/duration.ts";
import { createDraft, type Draft } from "./draft.ts";
import { describeBreach, isLost, readGates } from "./gates.ts";
import { type Action, type Facts, type Refusal, type Rollout, SETTLED, type Step } from "./model.ts";
import { beginRollback, goOnRollingBack } from "./rollback.ts";
import { count } from "./words.ts";

/** A node that has not come back with the change by then counts as a failed boot. */
export const NODE_DEADLINE_MS = minutes(30);
/** Two looks further apart than this: nobody watched in between, or a clock was set. */
export const WATCH_GAP_MS = seconds(30);
/** Nodes that one look sends the change to. */
export const DISPATCH_MAX = 500;
/** How long a soak waits for figures at least, and in multiples of itself. */
const BLIND_MIN_MS = minutes(10);
const BLIND_SOAKS = 2;
/** Whoever was heard so lately is there. */
const HEARD_MS = minutes(1);

/**
 * What an action, or the passing of time, makes of a rollout. Pure: the same rollout, action and facts give the same step, and
 * looking twice at the same facts changes nothing the second time.
 */
export function step(rollout: Rollout, action: Action, facts: Facts): Step | Refusal {
  const refused = refuse(rollout, action, {
    is_included: facts.is_included,
    is_under_way: rollout.nodes.some(({ state }) => !SETTLED.has(state)),
  });
  if (refused) return refused;
  const draft = createDraft(rollout);
  watch(draft, facts);
  if (action.kind === "pause") {
    const text = action.text ?? "No reason given";
    pause(draft, { cause: "manual", gate: null, value: null, threshold: null, text }, "Paused by hand");
  } else if (action.kind === "rollback") beginRollback(draft, action.text, action.from_any_version);
  else if (action.kind === "resume") resume(draft, facts);
  else if (action.kind === "promote") promote(draft, facts);
  settle(draft, facts);
  if (draft.now.state === "running") run(draft, facts);
  else if (draft.now.state === "awaiting_promotion" || draft.now.state === "paused")
    draft.set({ gate_values: readGates(draft.now, facts) });
  goOnRollingBack(draft, facts);
  return draft.finish();
}

/**
 * Why an action is not possible; null where it is. Needs none of the nodes: whether some are under way is counted as they change, and asked
 * for the last stage alone.
 */
export function refuse(
  { state, is_legacy, is_started, stage, stages }: Omit<Rollout, "nodes">,
  { kind }: Action,
  { is_included, is_under_way }: { is_included: boolean; is_under_way: boolean },
): Refusal | null {
  const allowed: Record<Action["kind"], readonly Rollout["state"][]> = {
    look: ["running", "awaiting_promotion", "paused", "completed", "rolling_back", "rolled_back"],
    promote: ["awaiting_promotion", "paused"],
    pause: ["running"],
    resume: ["paused"],
    rollback: ["running", "awaiting_promotion", "paused"],
  };
  if (is_legacy && (kind === "pause" || kind === "resume")) return { refused: "legacy" };
  if (!allowed[kind].includes(state)) return { refused: "state" };
  const begins = kind === "resume" || kind === "promote";
  if (begins && !is_started && !is_included) return { refused: "plan" };
  return kind === "promote" && stage + 1 >= stages.length && is_under_way ? { refused: "last_stage" } : null;
}

/** Lets the rollout's own time pass. */
function watch(draft: Draft, { now }: Facts): void {
  const { looked_at, watched_ms } = draft.now;
  const passed = looked_at === null ? 0 : now - looked_at;
  if (passed >= 0 && passed <= WATCH_GAP_MS) draft.set({ watched_ms: watched_ms + passed, looked_at: now });
  else draft.set({ looked_at: now, watch_since_ms: watched_ms });
}

/** Takes in what became of nodes that were sent the change. */
function settle(draft: Draft, facts: Facts): void {
  const { target_version, kind, watched_ms } = draft.now;
  for (const node of draft.now.nodes) {
    if (node.state !== "dispatched" && node.state !== "pending") continue;
    const fact = facts.node(node.id);
    if (!fact) {
      draft.move(node, "cancelled", { detail: "It left the fleet." });
      if (node.state === "dispatched") draft.note("node_left", `${node.id} left the fleet`);
    } else if (node.state === "pending") continue;
    else if (fact.forward === "failed") {
      const detail = fact.forward_error ?? "It did not say why.";
      draft.move(node, "failed", { detail });
      draft.note("node_failed", `${node.id} failed: ${detail}`);
    } else if (fact.forward === "succeeded" && (kind !== "os_version" || fact.version === target_version))
      draft.move(node, "done", { done_at: facts.now, detail: null });
    else if (watched_ms - node.since_ms >= NODE_DEADLINE_MS) {
      draft.move(node, "timed_out", { detail: "It did not come back with the change within half an hour." });
      draft.do({ kind: "withdraw", node_id: node.id });
      draft.note("node_failed", `${node.id} did not come back with the change within half an hour`);
    }
  }
  endExcuses(draft, facts);
}

/** Who was silent and spoke again has no excuse the next time. */
function endExcuses(draft: Draft, facts: Facts): void {
  for (const node of draft.now.nodes) {
    if (!node.is_excused || node.state !== "done") continue;
    const fact = facts.node(node.id);
    const isBack = fact?.is_online === true && fact.last_seen <= facts.now && facts.now - fact.last_seen < HEARD_MS;
    if (isBack) draft.change(node, { is_excused: false });
  }
}

/** Whoever lets a paused rollout go on knows what failed and which nodes are silent: neither stops it again. */
function excuse(draft: Draft, facts: Facts): void {
  const known = draft.now.nodes.filter((node) => {
    if (node.is_excused) return false;
    if (node.state === "failed" || node.state === "timed_out") return true;
    const fact = node.state === "done" ? facts.node(node.id) : null;
    return fact !== null && isLost(draft.now, fact, facts);
  });
  for (const node of known) draft.change(node, { is_excused: true });
  if (known.length > 0)
    draft.note("excused", `${count(known.length, "node")} that failed or went silent no longer counts`);
}

/** What was measured before says nothing any more. */
function beginWindow(draft: Draft, facts: Facts): void {
  draft.set({ window_at: facts.now, soaked_ms: null, blind_since_ms: null });
}

function resume(draft: Draft, facts: Facts): void {
  draft.set({ state: "running", reason: null });
  draft.note("resumed", "Resumed: the soak begins again");
  settle(draft, facts);
  excuse(draft, facts);
  beginWindow(draft, facts);
  for (const node of draft.now.nodes)
    if (node.stage === draft.now.stage && node.state === "skipped_offline")
      draft.move(node, "pending", { detail: null });
}

function promote(draft: Draft, facts: Facts): void {
  const { stage, stages, state } = draft.now;
  draft.set({ state: "running", reason: null });
  draft.note("promoted", state === "paused" ? "Promoted in spite of the pause" : "Promoted");
  settle(draft, facts);
  if (state === "paused") excuse(draft, facts);
  if (stage + 1 >= stages.length) complete(draft);
  else beginStage(draft, stage + 1, facts);
}

function beginStage(draft: Draft, stage: number, facts: Facts): void {
  draft.set({ stage, is_stage_begun: true });
  beginWindow(draft, facts);
  const fresh = draft.now.nodes.filter((node) => node.stage === stage).length;
  if (fresh === 0) draft.note("stage_empty", `Stage ${stage + 1} has no nodes of its own`);
  else draft.note("stage_started", `Stage ${stage + 1} started: ${count(fresh, "new node")}`);
}

function complete(draft: Draft): void {
  const { nodes } = draft.now;
  const done = nodes.filter(({ state }) => state === "done").length;
  draft.set({ state: "completed", reason: null });
  draft.note("completed", `Completed: ${count(done, "node")} of ${nodes.length} changed`);
}

function pause(draft: Draft, reason: NonNullable<Rollout["reason"]>, text: string): void {
  draft.set({ state: "paused", reason });
  draft.note("paused", text);
}

const because = (cause: "no_nodes" | "no_success" | "insufficient_data" | "plan" | "suspended", text: string) => ({
  ...{ cause, text },
  ...{ gate: null, value: null, threshold: null },
});

/** A running rollout: gates first, then nodes, then the soak. */
function run(draft: Draft, facts: Facts): void {
  if (facts.is_suspended) {
    const text = "The workspace is suspended";
    pause(draft, because("suspended", text), text);
    return;
  }
  if (!draft.now.is_started && !facts.is_included) {
    const text = "The plan of this workspace no longer includes staged rollouts";
    pause(draft, because("plan", text), text);
    return;
  }
  if (!draft.now.is_stage_begun) beginStage(draft, draft.now.stage, facts);
  if (isBroken(draft, facts)) return;
  dispatch(draft, facts);
  soak(draft, facts);
}

/** Pauses at the first gate that does not hold. */
function isBroken(draft: Draft, facts: Facts): boolean {
  const values = readGates(draft.now, facts);
  draft.set({ gate_values: values });
  const breach = values.find(({ verdict }) => verdict === "breach");
  if (!breach) return false;
  const text = describeBreach(breach);
  const { gate, value, limit } = breach;
  pause(draft, { cause: "gate", gate, value, threshold: limit, text }, `Paused by a gate: ${text}`);
  return true;
}

/** Sends the change to nodes of the stage that wait for it. */
function dispatch(draft: Draft, facts: Facts): void {
  const { nodes, stage } = draft.now;
  let sent = 0;
  const skipped: string[] = [];
  for (const node of nodes) {
    // A stage that was promoted with nodes left catches up first: shares only grow.
    if (node.stage > stage || node.state !== "pending") continue;
    if (sent === DISPATCH_MAX) break;
    if (facts.node(node.id)?.is_online !== true) {
      draft.move(node, "skipped_offline", { detail: "It was offline when its turn came." });
      skipped.push(node.id);
      continue;
    }
    sent += 1;
    draft.move(node, "dispatched", { detail: null });
    draft.do({ kind: "dispatch", node_id: node.id });
  }
  if (sent > 0) {
    draft.set({ is_started: true });
    draft.note("dispatched", `Sent to ${count(sent, "node")}`);
  }
  if (skipped.length > 0)
    draft.note("node_skipped", `${count(skipped.length, "node")} skipped, offline: ${skipped.slice(0, 3).join(", ")}`);
}

/** Lets a stage soak whose nodes have all come back, and goes on when it has. */
function soak(draft: Draft, facts: Facts): void {
  const { nodes, stage, watched_ms, soak_ms } = draft.now;
  const own = nodes.filter((node) => node.stage === stage);
  if (nodes.some((node) => node.stage <= stage && !SETTLED.has(node.state))) return;
  if (own.length > 0 && !own.some(({ state }) => state === "done")) {
    const isAway = own.every(({ state }) => state === "skipped_offline" || state === "cancelled");
    const text = isAway
      ? "None of the nodes of this stage was online"
      : "Not one node of this stage came back with the change";
    pause(draft, because(isAway ? "no_nodes" : "no_success", text), text);
    return;
  }
  if (own.length === 0) {
    advance(draft, facts);
    return;
  }
  if (draft.now.soaked_ms === null) {
    draft.set({ soaked_ms: 0 });
    draft.note("soak_started", "All nodes of the stage reported back: it soaks");
  } else draft.set({ soaked_ms: draft.now.soaked_ms + draft.passed() });
  if (draft.now.gate_values.some(({ verdict }) => verdict === "no_data")) {
    const since = draft.now.blind_since_ms ?? watched_ms;
    draft.set({ blind_since_ms: since });
    if (watched_ms - since < Math.max(soak_ms * BLIND_SOAKS, BLIND_MIN_MS)) return;
    const text = "The nodes do not tell the figures that a gate needs";
    pause(draft, because("insufficient_data", text), text);
    return;
  }
  draft.set({ blind_since_ms: null });
  if ((draft.now.soaked_ms ?? 0) >= soak_ms) advance(draft, facts);
}

/** The stage has passed. */
function advance(draft: Draft, facts: Facts): void {
  const { stage, stages, nodes, auto_promote, soaked_ms } = draft.now;
  const isEmpty = !nodes.some((node) => node.stage === stage);
  if (!isEmpty && soaked_ms !== null) draft.note("soak_passed", `Stage ${stage + 1} passed its soak`);
  if (stage + 1 >= stages.length) {
    complete(draft);
    return;
  }
  // A stage without nodes proves nothing, and asks for nothing.
  if (auto_promote || isEmpty) {
    beginStage(draft, stage + 1, facts);
    dispatch(draft, facts);
    return;
  }
  draft.set({ state: "awaiting_promotion" });
  draft.note("awaiting_promotion", "The gates hold: waiting for somebody to promote it");
}
