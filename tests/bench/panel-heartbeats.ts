import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SwarmSummary } from "../../src/panel/swarm/index.ts";
import { killOnce } from "../kit/kill-rounds.ts";
import { createPostgresDatabase } from "../kit/postgres.ts";
import { seedFleet } from "../kit/seed-fleet.ts";
import type { Bench, Measure } from "./bench.ts";
import { memoryMb, meterCpu } from "./process-facts.ts";
import { buildPanel, PANEL, type Running, startPanel } from "./programs.ts";
import type { Figure } from "./table.ts";

const NODES = 10_000;
const COLD_NODES = 100_000;
/** A little more than the budget, so that it can be met. */
const RATE = 5_300;
const SECONDS = 20;
const KILLS = 100;
const KILL_NODES = 2_000;

interface Swarm extends SwarmSummary {
  /** Processor time of the panel while the swarm spoke, for each heartbeat, milliseconds. */
  cpuMs: number;
  rssMb: number;
}

/** Runs the load generator in a process of its own. */
async function drive(panel: Running, file: string, options: readonly string[]): Promise<Swarm> {
  const listening = panel.log().find(({ msg }) => msg === "listening");
  const target = ["--panel", `https://127.0.0.1:${listening?.["agent_port"]}`, "--state", file];
  const meter = meterCpu(panel.pid);
  const child = Bun.spawn([PANEL, "swarm", ...target, "--nodes", String(NODES), "--json", ...options], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let rssMb = 0;
  const watch = setInterval(() => {
    rssMb = Math.max(rssMb, memoryMb(panel.pid).rss);
  }, 250);
  const summary: SwarmSummary = JSON.parse(await new Response(child.stdout).text());
  clearInterval(watch);
  const cpuMs = meter.read() / (summary.answered + summary.connected);
  meter.stop();
  return { ...summary, cpuMs, rssMb };
}

async function underLoad(bench: Bench, folder: string, databaseUrl = ""): Promise<Figure[]> {
  const file = join(folder, "swarm.json");
  const env = { CP_DATABASE_URL: databaseUrl };
  await seedFleet(folder, NODES, { swarmFile: file, databaseUrl });
  let panel = await startPanel(folder, env);
  bench.say(`  ${NODES} nodes connect and send ${RATE} heartbeats a second for ${SECONDS} s`);
  const busy = await drive(panel, file, ["--rate", String(RATE), "--duration", String(SECONDS)]);
  bench.say(`  ${JSON.stringify(busy)}`);
  await panel.stop();
  panel = await startPanel(folder, env);
  bench.say("  the panel has started anew, all come back at once and keep the pace it asks for");
  const back = await drive(panel, file, ["--duration", "25"]);
  bench.say(`  ${JSON.stringify(back)}`);
  await panel.stop();
  const failures = Object.values(busy.failures).reduce((sum, count) => sum + count, 0);
  const how = `${NODES} nodes over mTLS, ${busy.cpuMs.toFixed(2)} ms of processor time each, ${failures} failed, longest ${busy.longest_ms} ms`;
  return [
    {
      measure: "heartbeats with persistence",
      value: busy.per_second,
      unit: "/s",
      limit: { kind: "least", value: 5_000 },
      baseline: null,
      note: how,
    },
    {
      measure: "p99 of a heartbeat",
      value: busy.p99_ms,
      unit: "ms",
      limit: { kind: "most", value: 100 },
      baseline: null,
      note: `p50 ${busy.p50_ms} ms, counted from when it was due`,
    },
    {
      measure: `memory with ${NODES} connected nodes`,
      value: Math.max(busy.rssMb, back.rssMb),
      unit: "MB",
      limit: { kind: "most", value: 500 },
      baseline: null,
      note: `most RSS under load ${busy.rssMb.toFixed(0)} MB, at the panel's own pace ${back.rssMb.toFixed(0)} MB`,
    },
    {
      measure: `reconnect of ${NODES} nodes after a restart`,
      value: back.connect_ms / 1_000,
      unit: "s",
      limit: { kind: "most", value: 60 },
      baseline: null,
      note: `${back.connected} came back; the first time ${(busy.connect_ms / 1_000).toFixed(1)} s`,
    },
  ];
}

async function coldStart(bench: Bench, folder: string): Promise<Figure> {
  await seedFleet(folder, COLD_NODES, { wereSeen: true });
  bench.say(`  starting with ${COLD_NODES} nodes`);
  const panel = await startPanel(folder);
  const { firstAnswerMs, firstAnswerCpuMs, pid } = panel;
  const { rss } = memoryMb(pid);
  await panel.stop();
  return {
    measure: `cold start with ${COLD_NODES} nodes`,
    value: firstAnswerMs / 1_000,
    unit: "s",
    limit: { kind: "most", value: 5 },
    baseline: null,
    note: `to the first answer; ${firstAnswerCpuMs.toFixed(0)} ms of processor time, ${rss.toFixed(0)} MB`,
  };
}

async function kills(bench: Bench, folder: string): Promise<Figure[]> {
  await seedFleet(folder, KILL_NODES);
  const lost: string[] = [];
  let [beats, turns, commands, samplesLostMs] = [0, 0, 0, 0];
  for (let round = 1; round <= KILLS; round++) {
    const found = await killOnce(folder, "", round, Math.random() * 1_000);
    lost.push(...found.lost);
    beats += found.beats;
    turns += found.turns;
    commands += found.commands;
    samplesLostMs = Math.max(samplesLostMs, found.samplesLostMs);
    if (round % 10 === 0) bench.say(`  ${round} kills, ${beats} heartbeats, ${turns} changes, ${lost.length} lost`);
  }
  return [
    {
      measure: `acknowledged changes lost in ${KILLS} kills`,
      value: lost.length,
      unit: "",
      limit: { kind: "most", value: 0 },
      baseline: null,
      note: `of ${beats} heartbeats, ${turns} changes of status and ${commands} commands; false notices count too${lost[0] ? `; ${lost[0]}` : ""}`,
    },
    {
      measure: "age of the oldest sample lost",
      value: samplesLostMs / 1_000,
      unit: "s",
      limit: { kind: "most", value: 1 },
      baseline: null,
      note: "at the moment of the kill",
    },
  ];
}

/** A fleet of ten thousand on the agent port of the compiled panel, its restart with a hundred thousand, and kills. */
export const panelHeartbeats: Measure = {
  name: "heartbeats",
  async run(bench) {
    await buildPanel();
    const figures: Figure[] = [];
    figures.push(...(await onDisk((folder) => underLoad(bench, folder))));
    figures.push(await onDisk((folder) => coldStart(bench, folder)));
    figures.push(...(await onDisk((folder) => kills(bench, folder))));
    return figures;
  },
};

/** The same ten thousand on a panel with PostgreSQL, which has the two cores too. */
export const panelHeartbeatsPostgres: Measure = {
  name: "heartbeats-postgres",
  async run(bench) {
    await buildPanel();
    const databaseUrl = await createPostgresDatabase({ isDurable: true });
    const figures = await onDisk((folder) => underLoad(bench, folder, databaseUrl));
    return figures.map((figure) => ({ ...figure, measure: `PostgreSQL: ${figure.measure}` }));
  },
};

/** On a disk, unlike the folders of unit tests: what is written counts. */
async function onDisk<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-panel-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
