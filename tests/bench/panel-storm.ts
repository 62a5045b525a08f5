import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minutes, seconds } from "../../src/lib/duration.ts";
import type { SwarmSummary } from "../../src/panel/agents/swarm/index.ts";
import { seedFleet } from "../kit/seed-fleet.ts";
import { until } from "../kit/until.ts";
import type { Bench, Measure } from "./bench.ts";
import { addOwner, ask, signIn } from "./fleet-owner.ts";
import { countConnections } from "./process-facts.ts";
import { buildPanel, PANEL, type Running, startPanel } from "./programs.ts";
import type { Figure } from "./table.ts";

const NODES = 10_000;
const KILLS = 50;
/** Of a hundred nodes so many lose three replies of ten. */
const LOSSY_PERCENT = 50;
/** Most that a panel lives before it is killed. */
const LIFE_MS = seconds(8);
/** How long the fleet stays once it is there; the job has to be over by then. */
const FLEET_SECONDS = 780;

interface Job {
  job: { id: string; status: string; total: number; succeeded: number; failed: number };
}

const portOf = (panel: Running): number => Number(panel.log().find(({ msg }) => msg === "listening")?.["agent_port"]);

/** One job on the whole fleet, whose panel is killed all the while. */
async function storm(bench: Bench, folder: string, file: string): Promise<{ job: Job["job"]; swarm: SwarmSummary }> {
  const rate = { CP_SESSION_RATE: "1000000" };
  let panel = await startPanel(folder, rate);
  const port = portOf(panel);
  const target = ["--panel", `https://127.0.0.1:${port}`, "--state", file, "--nodes", String(NODES)];
  const how = ["--json", "--duration", String(FLEET_SECONDS), "--fail", `lost-replies:${LOSSY_PERCENT}`];
  const child = Bun.spawn([PANEL, "swarm", ...target, ...how], { stdout: "pipe", stderr: "inherit" });
  const output = new Response(child.stdout).text();
  try {
    const most = { timeoutMs: minutes(5), everyMs: 250, what: "most of the fleet" };
    await until(() => countConnections(port) >= NODES * 0.6, most);
    const ids = Array.from({ length: NODES }, (_, index) => `swarm-${index + 1}`);
    const wanted = { action: "run_command", params: { type: "inventory.refresh" }, instance_ids: ids };
    const { id } = await ask<{ id: string }>(panel, "/api/fleet/bulk", await signIn(panel), wanted);
    for (let kill = 1; kill <= KILLS; kill++) {
      await Bun.sleep(Math.random() * LIFE_MS);
      await panel.kill();
      panel = await startPanel(folder, { ...rate, CP_AGENT_LISTEN: `127.0.0.1:${port}` });
      if (kill % 10 === 0) bench.say(`  ${kill} kills`);
    }
    const read = async () => (await ask<Job>(panel, `/api/fleet/bulk-jobs/${id}`, await signIn(panel))).job;
    bench.say(`  ${(await read()).succeeded} of ${NODES} are done after the last kill`);
    const swarm: SwarmSummary = JSON.parse(await output);
    return { job: await read(), swarm };
  } finally {
    child.kill("SIGKILL");
    await panel.stop();
  }
}

/** A job on ten thousand nodes, half of which lose replies, while the panel is killed fifty times: each does it once. */
export const panelStorm: Measure = {
  name: "storm",
  async run(bench): Promise<Figure[]> {
    await buildPanel();
    const folder = mkdtempSync(join(tmpdir(), "bench-storm-"));
    try {
      const file = join(folder, "swarm.json");
      await seedFleet(folder, NODES, { swarmFile: file });
      await addOwner(folder);
      const { job, swarm } = await storm(bench, folder, file);
      const none = { kind: "most", value: 0 } as const;
      const base = { unit: "", limit: none, baseline: null };
      return [
        {
          ...base,
          measure: `nodes of ${NODES} that did a job not at all, or more than once`,
          value: Math.abs(swarm.commands.done - NODES),
          note: `${KILLS} kills; ${swarm.commands.repeated} repeats were answered without doing it again; ${swarm.scripted} replies lost`,
        },
        {
          ...base,
          measure: "nodes whose success the panel does not know",
          value: NODES - job.succeeded,
          note: `the job is ${job.status}`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
