import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createGate } from "../../../lib/gate.ts";
import { AgentCallError, type AgentEndpoint } from "../../../shared/agent-client/index.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import { behaviourOf, type Scenario, type Shares, scenarioOf } from "./scenarios.ts";
import { createSimNode, type SavedNode, type SimNode } from "./sim-node.ts";

export interface SwarmOptions {
  endpoint: AgentEndpoint;
  /** The roots to trust, PEM. */
  ca: string;
  /** What nodes say their version is. */
  version: string;
  nodes: readonly SavedNode[];
  /** Heartbeats a second of all nodes together; null lets each keep the pace that the panel asks of it. */
  rate: number | null;
  /** Connections that are made at a time. */
  atOnce: number;
  /** How long to go on once all are connected, seconds. */
  durationS: number;
  shares: Shares;
}

export interface SwarmDeps {
  clock: Clock;
  random: () => number;
  /** Told what is going on, once in a while. */
  say(line: string): void;
  /** Ends it before its time, with a summary of what there was. */
  signal?: AbortSignal;
}

/** What came of it. Times are milliseconds. */
export interface SwarmSummary {
  nodes: number;
  /** Nodes that were heard at least once while they connected, and how long that took. */
  connected: number;
  connect_ms: number;
  /** Heartbeats that were answered, and how many that makes a second. */
  answered: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  longest_ms: number;
  /** Heartbeats that a scenario left unsaid, or hung up on. */
  scripted: number;
  /** Turns that came while the node was still waiting for its last answer, or for the time of its next try. */
  overdue: number;
  /**
   * The longest time for which not all nodes were connected, though all had been and none had hung up by itself; null when
   * there was none, or it did not end.
   */
  reconnect_ms: number | null;
  failures: Record<string, number>;
  /** Commands that were carried out, and how often one came again that had been. */
  commands: { done: number; repeated: number };
  scenarios: Partial<Record<Scenario | "well", number>>;
}

const SLICE_MS = 10;
const SAY_EVERY_MS = seconds(5);

interface Tally {
  answered: Histogram;
  scripted: number;
  overdue: number;
  failures: Map<string, number>;
}

const newTally = (): Tally => ({ answered: createHistogram(), scripted: 0, overdue: 0, failures: new Map() });

async function turn(node: SimNode, since: number, tally: Tally): Promise<boolean> {
  try {
    const ms = await node.beat(since);
    if (ms === null) tally.scripted += 1;
    else tally.answered.add(ms);
    return ms !== null;
  } catch (error) {
    const reason = error instanceof AgentCallError ? (error.refusal?.code ?? error.kind) : String(error);
    tally.failures.set(reason, (tally.failures.get(reason) ?? 0) + 1);
    return false;
  }
}

/** Lets every node speak once; gives how many were answered. */
async function connectAll({ clock }: SwarmDeps, nodes: readonly SimNode[], tally: Tally): Promise<number> {
  const answered = await Promise.all(nodes.map((node) => turn(node, clock.monotonic(), tally)));
  return answered.filter(Boolean).length;
}

/** Heartbeats at an even rate, one node after the other; what comes late counts from when it was due. */
async function atRate(
  { clock, signal }: SwarmDeps,
  nodes: readonly SimNode[],
  rate: number,
  endAt: number,
  tally: Tally,
) {
  const begin = clock.monotonic();
  const open = new Set<Promise<unknown>>();
  for (let sent = 0; ; ) {
    const now = clock.monotonic();
    if (now >= endAt || signal?.aborted) break;
    for (; begin + (sent / rate) * 1_000 <= now; sent++) {
      const node = nodes[sent % nodes.length];
      if (!node || node.isBusy()) {
        tally.overdue += 1;
        continue;
      }
      const work = turn(node, begin + (sent / rate) * 1_000, tally).finally(() => open.delete(work));
      open.add(work);
    }
    await clock.sleep(SLICE_MS, signal);
  }
  await Promise.all(open);
}

/** Each node at the pace that the panel asks of it. */
async function atOwnPace({ clock, random, signal }: SwarmDeps, nodes: readonly SimNode[], endAt: number, tally: Tally) {
  const wakeAll = () => {
    for (const node of nodes) node.wake();
  };
  signal?.addEventListener("abort", wakeAll);
  const live = async (node: SimNode) => {
    // They connected together; from here on they are apart.
    await node.rest(endAt - clock.monotonic(), random());
    while (clock.monotonic() < endAt && !signal?.aborted) {
      await turn(node, clock.monotonic(), tally);
      await node.rest(endAt - clock.monotonic());
    }
  };
  if (!signal?.aborted) await Promise.all(nodes.map(live));
  signal?.removeEventListener("abort", wakeAll);
}

/** Notes how long it takes until all nodes are back. */
function watchPresence({ clock }: SwarmDeps) {
  let [present, most, lostAt] = [0, 0, 0];
  let longest: number | null = null;
  return {
    changed(isConnected: boolean): void {
      if (!isConnected && present === most) lostAt = clock.monotonic();
      present += isConnected ? 1 : -1;
      if (isConnected && present === most) longest = Math.max(longest ?? 0, clock.monotonic() - lostAt);
      most = Math.max(most, present);
    },
    longest: () => (present === most ? longest : null),
  };
}

/** Connects simulated nodes to a panel and lets them speak until the time is over, or `signal` ends it. */
export async function runSwarm(options: SwarmOptions, deps: SwarmDeps): Promise<SwarmSummary> {
  const { clock, random, say } = deps;
  const counts = new Map<Scenario | "well", number>();
  const presence = watchPresence(deps);
  const commands = { done: 0, repeated: 0 };
  const onCommand = (isRepeated: boolean): void => {
    commands[isRepeated ? "repeated" : "done"] += 1;
  };
  const gate = createGate(options.atOnce);
  const nodes = options.nodes.map((saved, index) => {
    const scenario = scenarioOf(options.shares, index);
    counts.set(scenario ?? "well", (counts.get(scenario ?? "well") ?? 0) + 1);
    const onPresence = scenario === null ? { onPresence: presence.changed } : {};
    return createSimNode(
      { ...options, ...onPresence, onCommand, gate, clock, random },
      saved,
      index,
      behaviourOf(scenario, random),
    );
  });
  const first = newTally();
  const started = clock.monotonic();
  const connected = await connectAll(deps, nodes, first);
  const connectMs = clock.monotonic() - started;
  say(`${connected} of ${nodes.length} nodes connected in ${(connectMs / 1_000).toFixed(1)} s`);

  const tally = newTally();
  const begin = clock.monotonic();
  const endAt = begin + seconds(options.durationS);
  const stopSaying = clock.every(SAY_EVERY_MS, () => {
    const rate = tally.answered.count() / ((clock.monotonic() - begin) / 1_000);
    say(`${rate.toFixed(0)} heartbeats/s, p99 ${tally.answered.percentile(99).toFixed(1)} ms`);
  });
  if (options.rate === null) await atOwnPace(deps, nodes, endAt, tally);
  else await atRate(deps, nodes, options.rate, endAt, tally);
  stopSaying();
  const tookS = (clock.monotonic() - begin) / 1_000;
  const reconnectMs = presence.longest();
  for (const node of nodes) node.close();
  for (const [reason, count] of first.failures) tally.failures.set(reason, (tally.failures.get(reason) ?? 0) + count);
  return {
    nodes: nodes.length,
    connected,
    connect_ms: Math.round(connectMs),
    answered: tally.answered.count(),
    per_second: Math.round(tally.answered.count() / tookS),
    p50_ms: round(tally.answered.percentile(50)),
    p99_ms: round(tally.answered.percentile(99)),
    longest_ms: round(tally.answered.longest()),
    scripted: tally.scripted + first.scripted,
    overdue: tally.overdue,
    reconnect_ms: reconnectMs === null ? null : Math.round(reconnectMs),
    failures: Object.fromEntries(tally.failures),
    commands,
    scenarios: Object.fromEntries(counts),
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
