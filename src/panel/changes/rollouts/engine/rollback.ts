import { days, minutes } from "../../../../lib/duration.ts";
import type { Draft } from "./draft.ts";
import { type Facts, type NodeFact, type Rollout, type RolloutNode, TOUCHED } from "./model.ts";
import { count } from "./words.ts";

/** So many of the touched nodes go back at a time. */
const IN_FLIGHT_SHARE = 0.2;
/** A node that is there and has not gone back by then does not. */
const REVERT_DEADLINE_MS = minutes(30);
/** One that is away has this long to come back. */
export const REVERT_WAIT_MS = days(30);

/** Takes everything back: nobody who was not reached is any more, and all others go back. */
export function beginRollback(draft: Draft, text: string | null, fromAnyVersion: boolean): void {
  draft.set({ state: "rolling_back", soaked_ms: null, blind_since_ms: null, from_any_version: fromAnyVersion });
  let reached = 0;
  for (const node of draft.now.nodes) {
    if (node.state === "pending") draft.move(node, "cancelled", { detail: "The rollout was rolled back first." });
    if (!TOUCHED.has(node.state)) continue;
    reached += 1;
    if (node.state === "dispatched") draft.do({ kind: "withdraw", node_id: node.id });
  }
  draft.note("rollback_started", `Rolling back ${count(reached, "node")}${text === null ? "" : `: ${text}`}`);
}

/** Takes in who has gone back, and sends the next ones. */
export function goOnRollingBack(draft: Draft, facts: Facts): void {
  const { state } = draft.now;
  if (state !== "rolling_back" && state !== "rolled_back") return;
  for (const node of draft.now.nodes) if (node.state === "reverting") look(draft, node, facts);
  if (state !== "rolling_back") return;
  sendBack(draft, facts);
  const left = draft.now.nodes.filter((node) => TOUCHED.has(node.state) || node.state === "reverting");
  if (left.some((node) => !isWaitedForElsewhere(draft.now, node, facts.node(node.id)))) return;
  draft.set({ state: "rolled_back" });
  const failed = draft.now.nodes.filter((node) => node.state === "revert_failed").length;
  const parts = [
    ...(failed > 0 ? [`${count(failed, "node")} did not go back`] : []),
    ...(left.length > 0 ? [`${count(left.length, "node")} will when they come back`] : []),
  ];
  draft.note("rolled_back", parts.length === 0 ? "Rolled back" : `Rolled back, but ${parts.join(" and ")}`);
}

/** A node that was told to go back and has been away for so long that the rollout does not wait for it. */
function isWaitedForElsewhere({ watched_ms }: Rollout, node: RolloutNode, fact: NodeFact | null): boolean {
  return node.state === "reverting" && fact?.is_online === false && watched_ms - node.since_ms >= REVERT_DEADLINE_MS;
}

function look(draft: Draft, node: RolloutNode, facts: Facts): void {
  const fact = facts.node(node.id);
  if (!fact) {
    draft.move(node, "cancelled", { detail: "It left the fleet." });
    return;
  }
  const { kind, watched_ms } = draft.now;
  const waited = watched_ms - node.since_ms;
  if (fact.revert === "succeeded" && (kind !== "os_version" || fact.version === node.from_version)) {
    draft.move(node, "reverted", { detail: null });
    return;
  }
  if (fact.revert === "failed") {
    fail(draft, node, fact.revert_error ?? "It did not say why.");
    return;
  }
  if (!fact.is_online && !node.is_away) {
    draft.change(node, { is_away: true });
    return;
  }
  // Its time begins when it is back.
  if (fact.is_online && node.is_away) {
    draft.move(node, "reverting", { is_away: false });
    return;
  }
  if (waited >= REVERT_WAIT_MS || (fact.is_online && waited >= REVERT_DEADLINE_MS))
    fail(draft, node, "It did not come back with the former state in time.");
}

function fail(draft: Draft, node: RolloutNode, detail: string): void {
  draft.move(node, "revert_failed", { detail });
  draft.note("revert_failed", `${node.id} did not go back: ${detail}`);
}

/**
 * Whether a node still runs what the rollout found or brought. Whoever may begin a rollout may not have nodes go back from any other
 * release by it: one that was installed since is not the rollout's to take back.
 */
function isAsLeft(
  { kind, target_version, from_any_version }: Rollout,
  node: RolloutNode,
  { version }: NodeFact,
): boolean {
  return kind !== "os_version" || from_any_version || version === target_version || version === node.from_version;
}

/** The last ones first. Those that are away are told at once: they take nobody's place until they are back. */
function sendBack(draft: Draft, facts: Facts): void {
  const { nodes } = draft.now;
  const reached = nodes.filter(({ state }) => TOUCHED.has(state) || state.startsWith("revert")).length;
  const isOnline = ({ id }: RolloutNode) => facts.node(id)?.is_online === true;
  let free = Math.max(1, Math.ceil(reached * IN_FLIGHT_SHARE));
  free -= nodes.filter((node) => node.state === "reverting" && isOnline(node)).length;
  const others: string[] = [];
  for (const node of nodes.toReversed()) {
    if (!TOUCHED.has(node.state)) continue;
    const fact = facts.node(node.id);
    if (fact === null) {
      draft.move(node, "cancelled", { detail: "It left the fleet." });
      continue;
    }
    if (!isAsLeft(draft.now, node, fact)) {
      draft.move(node, "cancelled", {
        detail: `Left alone: it runs ${fact.version} by now, which is not this rollout's.`,
      });
      others.push(node.id);
      continue;
    }
    if (isOnline(node)) {
      if (free <= 0) continue;
      free -= 1;
    }
    draft.move(node, "reverting", { detail: null, is_away: !isOnline(node) });
    draft.do({ kind: "revert", node_id: node.id });
  }
  if (others.length > 0) {
    const names = others.slice(0, 3).join(", ");
    draft.note("node_skipped", `${count(others.length, "node")} left alone, on another version by now: ${names}`);
  }
}
