import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedFleet } from "../kit/seed-fleet.ts";
import { until } from "../kit/until.ts";
import type { Measure } from "./bench.ts";
import { addOwner, ask, signIn } from "./fleet-owner.ts";
import { countConnections } from "./process-facts.ts";
import { buildPanel, PANEL, type Running, startPanel } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

const NODES = 10_000;
const ROUNDS = 10;
const READS = 20;
const IDS = Array.from({ length: NODES }, (_, index) => `swarm-${index + 1}`);
const JOB = { action: "run_command", params: { type: "inventory.refresh" }, instance_ids: IDS };
const ROLLOUT = { name: "Next", kind: "os_version", target_version: "9.9.9", stages: [1, 100], soak_sec: 3_600 };

interface Item {
  online: boolean | null;
  status: string;
}

/** How long each of several times took, milliseconds. */
async function timed(rounds: number, act: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await act();
    times.push(performance.now() - begun);
  }
  return times;
}

/** Rows as those of a job, put on the disk by nothing but SQLite, milliseconds. */
async function writeBare(folder: string): Promise<number> {
  const db = new Database(join(folder, "bare.db"));
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("CREATE TABLE items (job INTEGER, no INTEGER, node TEXT, PRIMARY KEY (job, no)) WITHOUT ROWID");
  const insert = db.prepare("INSERT INTO items VALUES (?, ?, ?)");
  const write = db.transaction((job: number) => {
    for (const [no, id] of IDS.entries()) insert.run(job, no, id);
  });
  let job = 0;
  const times = await timed(ROUNDS, () => write(job++));
  db.close();
  return median(times);
}

/** Jobs on the whole fleet: how long until one is taken, and how soon the nodes that are online have it. */
async function measureJobs(panel: Running, folder: string, token: string): Promise<Figure[]> {
  const begin = () => ask<{ id: string }>(panel, "/api/fleet/bulk", token, JOB);
  const { id } = await begin();
  const begun = performance.now();
  const held = async (): Promise<number> => {
    const { items } = await ask<{ items: Item[] }>(panel, `/api/fleet/bulk-jobs/${id}`, token);
    const online = items.filter((item) => item.online);
    return online.filter(({ status }) => status !== "queued").length / Math.max(1, online.length);
  };
  await until(async () => (await held()) >= 0.99, { timeoutMs: 120_000, everyMs: 500, what: "99 of 100 nodes" });
  const heldAfter = (performance.now() - begun) / 1_000;
  let last = "";
  const taken = await timed(ROUNDS, async () => {
    last = (await begin()).id;
  });
  const stopped = performance.now();
  const { cancelled } = await ask<{ cancelled: number }>(panel, `/api/fleet/bulk-jobs/${last}/cancel`, token, {});
  const stoppedMs = performance.now() - stopped;
  return [
    {
      measure: `a job on ${NODES} nodes is taken, median`,
      value: median(taken),
      unit: "ms",
      limit: { kind: "most", value: 150 },
      baseline: await writeBare(folder),
      note: `${ROUNDS} jobs one after the other, the slowest ${Math.max(...taken).toFixed(0)} ms, with those before under way; baseline: SQLite alone writes as many rows`,
    },
    {
      measure: "99 of 100 nodes that are online hold the command",
      value: heldAfter,
      unit: "s",
      limit: { kind: "most", value: 5 },
      baseline: null,
      note: `the fleet of ${NODES} is connected; asked twice a second`,
    },
    {
      measure: `what was not sent of a job on ${NODES} nodes is taken back`,
      value: stoppedMs,
      unit: "ms",
      limit: { kind: "most", value: 1_000 },
      baseline: null,
      note: `${cancelled} were taken back, right after the job was begun behind ${ROUNDS - 1} others`,
    },
  ];
}

/** What a page asks of a rollout over the whole fleet. */
async function measureRollouts(panel: Running, token: string): Promise<Figure[]> {
  const begun = performance.now();
  const { id } = await ask<{ id: string }>(panel, "/api/fleet/rollouts", token, ROLLOUT);
  const begin = performance.now() - begun;
  const figures: Figure[] = [
    {
      measure: `a rollout on ${NODES} nodes is begun`,
      value: begin,
      unit: "ms",
      limit: null,
      baseline: null,
      note: "once",
    },
  ];
  const limit = { kind: "most", value: 50 } as const;
  for (const [what, path, bound] of [
    ["list of rollouts", "/api/fleet/rollouts", limit],
    ["one rollout", `/api/fleet/rollouts/${id}`, limit],
    ["one rollout with every node", `/api/fleet/rollouts/${id}?nodes=true`, null],
  ] as const) {
    const times = await timed(READS, () => ask(panel, path, token));
    figures.push({
      measure: `${what} of ${NODES} nodes, p95`,
      value: percentile(times, 95),
      unit: "ms",
      limit: bound,
      baseline: null,
      note: `${READS} requests, median ${median(times).toFixed(1)} ms`,
    });
  }
  return figures;
}

/** Jobs and rollouts of ten thousand nodes that are connected: what is waited for when one begins, and when one looks. */
export const panelJobs: Measure = {
  name: "jobs",
  async run(bench) {
    await buildPanel();
    const folder = mkdtempSync(join(tmpdir(), "bench-jobs-"));
    try {
      const file = join(folder, "swarm.json");
      await seedFleet(folder, NODES, { swarmFile: file });
      await addOwner(folder);
      const panel = await startPanel(folder, { CP_SESSION_RATE: "1000000" });
      const port = Number(panel.log().find(({ msg }) => msg === "listening")?.["agent_port"]);
      const target = ["--panel", `https://127.0.0.1:${port}`, "--state", file, "--nodes", String(NODES)];
      const swarm = Bun.spawn([PANEL, "swarm", ...target, "--json", "--duration", "900"], {
        stdout: "ignore",
        stderr: "inherit",
      });
      try {
        const all = { timeoutMs: 300_000, everyMs: 250, what: "the whole fleet" };
        await until(() => countConnections(port) >= NODES, all);
        bench.say("  the fleet is connected");
        await Bun.sleep(15_000);
        const token = await signIn(panel);
        // Jobs of the whole fleet are work for minutes; what is only looked at comes first.
        const rollouts = await measureRollouts(panel, token);
        return [...rollouts, ...(await measureJobs(panel, folder, token))];
      } finally {
        swarm.kill();
        await swarm.exited;
        await panel.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
