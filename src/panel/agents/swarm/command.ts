import { type Command, type CommandOptions, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import { nextSignal } from "../../../kernel/service/shutdown.ts";
import { VERSION } from "../../../kernel/version.ts";
import { systemClock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { systemRandom } from "../../../lib/random.ts";
import { type AgentEndpoint, fetchPinnedRoot, parseAgentUrl } from "../../../shared/agent-client/index.ts";
import { enrolNodes } from "./enrol.ts";
import { loadSwarm, type SavedSwarm, saveSwarm } from "./saved-nodes.ts";
import { parseShares, SCENARIOS } from "./scenarios.ts";
import { runSwarm, type SwarmSummary } from "./swarm.ts";

const CONNECT_MS = seconds(10);
const AT_ONCE = 64;
const MAX_NODES = 100_000;
const SAVE_EVERY = 100;

function number(options: CommandOptions, name: string, fallback: number, max: number): number {
  const text = options.text(name);
  const value = text === undefined ? fallback : Number(text);
  if (!(value > 0 && value <= max)) throw new UsageError(`--${name} must be a number above 0, at most ${max}`);
  return value;
}

function endpointOf(options: CommandOptions): AgentEndpoint {
  const endpoint = parseAgentUrl(options.text("panel") ?? "");
  if (!endpoint) throw new UsageError("--panel must name the agent port, like https://panel.example.org:8443");
  return endpoint;
}

/** Enrols what is missing; what was enrolled before is used again. */
async function complete(
  options: CommandOptions,
  endpoint: AgentEndpoint,
  wanted: number,
  say: (line: string) => void,
): Promise<SavedSwarm> {
  const path = options.text("state");
  const saved = path === undefined ? null : loadSwarm(path);
  const missing = wanted - (saved?.nodes.length ?? 0);
  if (saved && missing <= 0) return { ...saved, nodes: saved.nodes.slice(0, wanted) };
  const [token, pin] = [options.text("token"), options.text("pin")];
  if (token === undefined) throw new UsageError(`--token is needed to enrol ${missing} nodes`);
  if (!saved && pin === undefined) throw new UsageError("--pin is needed: the panel prints it with the token");
  const ca = saved?.ca ?? (await fetchPinnedRoot(systemClock, endpoint, pin ?? "", CONNECT_MS));
  const swarm: SavedSwarm = { ca, nodes: [...(saved?.nodes ?? [])] };
  const keep = () => path !== undefined && saveSwarm(path, swarm);
  const prefix = options.text("prefix") ?? "swarm";
  const ids = Array.from({ length: missing }, (_, index) => `${prefix}-${swarm.nodes.length + index + 1}`);
  let lastFailure = "";
  await enrolNodes({ clock: systemClock, endpoint, ca, version: VERSION, token }, ids, {
    enrolled(node) {
      swarm.nodes.push(node);
      if (swarm.nodes.length % SAVE_EVERY === 0) keep();
    },
    failed(_, error) {
      lastFailure = error instanceof Error ? error.message : String(error);
    },
  });
  keep();
  say(`${swarm.nodes.length} of ${wanted} nodes are enrolled${lastFailure && `; the last refusal: ${lastFailure}`}`);
  if (swarm.nodes.length === 0) throw new Error("no node could be enrolled");
  return swarm;
}

function describe(summary: SwarmSummary): string[] {
  const { nodes, connected, connect_ms, answered, per_second, p50_ms, p99_ms, longest_ms, scripted, overdue } = summary;
  const { reconnect_ms } = summary;
  const failures = Object.entries(summary.failures).map(([reason, count]) => `${count} ${reason}`);
  const scenarios = Object.entries(summary.scenarios).map(([name, count]) => `${count} ${name}`);
  return [
    `nodes       ${nodes} (${scenarios.join(", ")}), ${connected} connected in ${(connect_ms / 1_000).toFixed(1)} s`,
    `heartbeats  ${answered} answered, ${per_second}/s; ${scripted} left unsaid or hung up on by a scenario`,
    `answers     p50 ${p50_ms} ms, p99 ${p99_ms} ms, longest ${longest_ms} ms; ${overdue} turns came too early`,
    ...(reconnect_ms === null ? [] : [`reconnect   all were back after ${(reconnect_ms / 1_000).toFixed(1)} s`]),
    `failures    ${failures.length > 0 ? failures.join(", ") : "none"}`,
  ];
}

/** `swarm`. It has no data and no panel of its own: it plays the nodes, so the time it takes is real. */
export const swarmCommand: Command = {
  name: "swarm",
  summary: "Try a panel with simulated nodes: they enrol, speak and fail as real ones do",
  options: {
    panel: { type: "string", value: "URL", doc: "The panel's agent port, like https://panel.example.org:8443" },
    token: {
      type: "string",
      value: "TOKEN",
      doc: "A registration token that may be used as often as nodes are missing",
    },
    pin: { type: "string", value: "PIN", doc: "The pin that the panel prints with a token" },
    nodes: { type: "string", value: "N", doc: "How many nodes; 100 unless told" },
    rate: { type: "string", value: "N", doc: "Heartbeats a second of all together; left out, as the panel asks" },
    "at-once": { type: "string", value: "N", doc: "Connections that are made at a time; 64 unless told" },
    duration: { type: "string", value: "SECONDS", doc: "How long, unless Ctrl+C ends it; 60 unless told" },
    fail: {
      type: "string",
      value: "SCENARIO",
      doc: `Scripted failures with their percent of the nodes, like offline:10,slow:5; of ${SCENARIOS.join(", ")}`,
    },
    state: { type: "string", value: "FILE", doc: "Where the nodes' keys are kept, to go on with the same ones later" },
    prefix: { type: "string", value: "NAME", doc: "What the nodes' ids begin with; swarm unless told" },
    json: { type: "boolean", doc: "Print the summary as one line of JSON, and nothing else" },
  },
  async run(options, print) {
    const endpoint = endpointOf(options);
    const wanted = Math.round(number(options, "nodes", 100, MAX_NODES));
    const rate = options.text("rate") === undefined ? null : number(options, "rate", 1, 100_000);
    const atOnce = Math.round(number(options, "at-once", AT_ONCE, MAX_NODES));
    const durationS = number(options, "duration", 60, 86_400);
    const shares = options.text("fail") === undefined ? new Map() : parseShares(options.text("fail") ?? "");
    if (!shares) throw new UsageError(`--fail takes ${SCENARIOS.join(", ")}, each with :PERCENT, at most 100 together`);
    const say = options.flag("json") ? () => {} : print;
    const { ca, nodes } = await complete(options, endpoint, wanted, say);
    const stop = new AbortController();
    void nextSignal().then(() => stop.abort());
    const deps = { clock: systemClock, random: systemRandom, say, signal: stop.signal };
    const summary = await runSwarm({ endpoint, ca, version: VERSION, nodes, rate, atOnce, durationS, shares }, deps);
    if (options.flag("json")) print(JSON.stringify(summary));
    else for (const line of describe(summary)) print(line);
    return Object.keys(summary.failures).length === 0 ? EXIT.ok : EXIT.failed;
  },
};
