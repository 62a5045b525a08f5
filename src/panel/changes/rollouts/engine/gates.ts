import { minutes } from "../../../../lib/duration.ts";
import type { Facts, GateName, GateValue, GateVerdict, NodeFact, Rollout, RolloutNode } from "./model.ts";

/** A node that was not heard for so long counts as lost. */
export const SILENT_MS = minutes(2);
/** Fewer measurements of a node than this say nothing. */
const SAMPLES_MIN = 3;
/** More of the nodes than this without measurements, and the gate is blind. */
const BLIND_SHARE = 0.2;
const EVIDENCE_MAX = 10;

/** A node with what is known of it. */
interface Known {
  node: RolloutNode;
  fact: NodeFact;
}

/** Whether a node is away, or silent while somebody listened for long enough. */
export function isLost(
  rollout: Rollout,
  { is_online, last_seen }: NodeFact,
  { now, listened_ms }: Pick<Facts, "now" | "listened_ms">,
): boolean {
  if (Math.min(listened_ms, rollout.watched_ms - rollout.watch_since_ms) < SILENT_MS) return false;
  // Heard in what is now the future: the clock was set back, and it has not been heard since.
  return !is_online || last_seen > now || now - last_seen >= SILENT_MS;
}

/** All gates over every touched node, with what was measured since the window began. */
export function readGates(rollout: Rollout, facts: Facts): GateValue[] {
  const done: Known[] = [];
  for (const node of rollout.nodes) {
    const fact = node.state === "done" ? facts.node(node.id) : null;
    if (fact) done.push({ node, fact });
  }
  const live = done.filter(({ fact }) => !isLost(rollout, fact, facts));
  return [errorRate(rollout, live), cpuP95(rollout, live), failedBoots(rollout), heartbeatLoss(rollout, done, facts)];
}

/** What was measured of a node with the new version, since the window began; what lies ahead was so before a clock was set back. */
function fresh<One extends { t: number }>(
  { window_at, looked_at }: Rollout,
  { done_at }: RolloutNode,
  samples: readonly One[],
): One[] {
  const from = Math.max(window_at, done_at ?? window_at);
  return samples.filter(({ t }) => t >= from && t <= (looked_at ?? t));
}

function errorRate(rollout: Rollout, live: readonly Known[]): GateValue {
  const limit = rollout.gates.max_error_rate;
  const told = live.map(({ node, fact }) => ({ node, samples: fresh(rollout, node, fact.error_rate) }));
  const means = told.flatMap(({ node, samples }) => {
    if (samples.length === 0) return [];
    const requests = samples.reduce((sum, one) => sum + one.requests, 0);
    const weighed = samples.reduce((sum, one) => sum + one.value * (requests > 0 ? one.requests : 1), 0);
    return [{ id: node.id, requests, value: weighed / (requests > 0 ? requests : samples.length) }];
  });
  const requests = means.reduce((sum, one) => sum + one.requests, 0);
  const isWeighed = means.every((one) => one.requests > 0);
  const sum = means.reduce((total, one) => total + one.value * (isWeighed ? one.requests : 1), 0);
  const value = means.length === 0 ? null : sum / (isWeighed ? requests : means.length);
  const worst = means.filter((one) => one.value >= limit).map(({ id }) => id);
  return onFigures("error_rate", limit, value, told, rollout.nodes.some(hasErrorRate), hasErrorRate, worst);
}

const hasErrorRate = ({ has_error_rate }: RolloutNode): boolean => has_error_rate;
const hasCpu = ({ has_cpu }: RolloutNode): boolean => has_cpu;

function cpuP95(rollout: Rollout, live: readonly Known[]): GateValue {
  const limit = rollout.gates.max_cpu_p95;
  const told = live.map(({ node, fact }) => ({ node, samples: fresh(rollout, node, fact.cpu) }));
  const values = told.flatMap(({ samples }) => samples.map(({ value }) => value)).sort((a, b) => a - b);
  const value = values[Math.ceil(values.length * 0.95) - 1] ?? null;
  const worst = told.filter(({ samples }) => samples.some((one) => one.value >= limit)).map(({ node }) => node.id);
  return onFigures("cpu_p95", limit, value, told, rollout.nodes.some(hasCpu), hasCpu, worst);
}

function onFigures(
  gate: GateName,
  limit: number,
  value: number | null,
  told: readonly { node: RolloutNode; samples: readonly unknown[] }[],
  isMeasured: boolean,
  measures: (node: RolloutNode) => boolean,
  evidence: readonly string[],
): GateValue {
  const able = told.filter(({ node }) => measures(node));
  const blind = able.filter(({ samples }) => samples.length < SAMPLES_MIN).length;
  const enough = told.filter(({ samples }) => samples.length >= SAMPLES_MIN).length;
  const samples = told.reduce((sum, one) => sum + one.samples.length, 0);
  let verdict: GateVerdict = "ok";
  if (value !== null && enough > 0 && value >= limit) verdict = "breach";
  else if (!isMeasured && value === null) verdict = "not_applicable";
  else if (able.length === 0 && told.length > 0 && value === null) verdict = "not_applicable";
  else if (value === null || blind > able.length * BLIND_SHARE) verdict = "no_data";
  const shown = verdict === "breach" ? evidence.slice(0, EVIDENCE_MAX) : [];
  return { gate, value, limit, verdict, nodes: enough, samples, evidence: shown };
}

const counted = (gate: GateName, limit: number, ids: readonly string[], nodes: number): GateValue => ({
  gate,
  value: ids.length,
  limit,
  verdict: ids.length > limit ? "breach" : "ok",
  nodes,
  samples: 0,
  evidence: ids.slice(0, EVIDENCE_MAX),
});

/** Nodes whose change failed, or that did not come back with it in time. */
function failedBoots({ nodes, gates }: Rollout): GateValue {
  const failed = nodes.filter(({ state, is_excused }) => (state === "failed" || state === "timed_out") && !is_excused);
  const touched = nodes.filter(({ state }) => state === "done" || state === "failed" || state === "timed_out").length;
  return counted(
    "failed_boots",
    gates.max_failed_boots,
    failed.map(({ id }) => id),
    touched,
  );
}

function heartbeatLoss(rollout: Rollout, done: readonly Known[], facts: Facts): GateValue {
  const lost = done
    .filter(({ node, fact }) => !node.is_excused && isLost(rollout, fact, facts))
    .map(({ node }) => node.id);
  return counted("heartbeat_loss", rollout.gates.max_heartbeat_loss, lost, done.length);
}

const NAMES: Record<GateName, string> = {
  error_rate: "Error rate",
  cpu_p95: "Processor p95",
  failed_boots: "Failed boots",
  heartbeat_loss: "Heartbeat loss",
};

/** What a breach says: "Failed boots 2, limit 0". */
export function describeBreach({ gate, value, limit }: GateValue): string {
  const isShare = gate === "error_rate" || gate === "cpu_p95";
  const shown = (one: number) => `${Math.round(one * 100) / 100}${isShare ? "%" : ""}`;
  return `${NAMES[gate]} ${shown(value ?? 0)}, limit ${shown(limit)}`;
}
