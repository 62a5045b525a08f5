import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAppsNode } from "../kit/apps.ts";
import { startOwnEngine } from "../kit/own-engine.ts";
import { seeded } from "../kit/seeded.ts";
import { until } from "../kit/until.ts";
import type { Measure } from "./bench.ts";

const ROUNDS = 30;
const APPS = ["test-web", "test-stack", "test-slow"] as const;
/** The one that somebody stopped: it has to stay so. */
const STOPPED = "test-layers";
const ENGINE_MB = 600;
const PATIENCE_MS = 60_000;

/** What is killed, and what comes back first. */
const WAYS = ["node", "engine", "both, engine first", "both, node first"] as const;

/**
 * Kills of the node, of Docker and of both at random moments, as a server does that loses its power: afterwards every app that ran
 * answers, the one that was stopped is stopped, and nobody has to do anything.
 */
export const reboots: Measure = {
  name: "reboots",
  async run({ say }) {
    const folder = mkdtempSync(join(tmpdir(), "orrery-reboots-"));
    const engine = await startOwnEngine(ENGINE_MB);
    const node = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket });
    const random = seeded(1);
    const times: number[] = [];
    let wrong = 0;
    try {
      const ids: string[] = [];
      for (const template of [...APPS, STOPPED]) {
        const { id, end } = await node.installed(template, node.freshName(template));
        if (end.event !== "done") throw new Error(`${template} was not installed: ${JSON.stringify(end.data)}`);
        ids.push(id);
      }
      const stopped = ids.pop() ?? "";
      await node.owner.ok(`POST /api/apps/${stopped}/stop`);
      await node.reaches(stopped, "stopped");
      /** Whether an app runs by its state and answers at its address. */
      const isUp = async (id: string): Promise<boolean> => {
        const { status, url } = await node.owner.ok(`GET /api/apps/${id}`);
        return status === "running" && (await fetch(url).catch(() => null))?.ok === true;
      };
      for (let round = 1; round <= ROUNDS; round++) {
        const way = WAYS[Math.floor(random() * WAYS.length)] ?? "node";
        // At any moment of a restart that is under way, in every other round.
        if (random() < 0.5) void node.owner.call(`POST /api/apps/${ids[0]}/restart`).catch(() => "killed meanwhile");
        await Bun.sleep(random() * 1_500);
        const hitsNode = way !== "node" ? way !== "engine" : true;
        const hitsEngine = way !== "node";
        if (hitsNode) await node.node.kill();
        if (hitsEngine) await engine.stop("SIGKILL");
        const began = performance.now();
        if (hitsEngine && way !== "both, node first") await engine.start();
        if (hitsNode)
          await (way === "both, node first" ? Promise.all([node.comeBack(), engine.start()]) : node.comeBack());
        const isRight = await until(async () => (await Promise.all(ids.map(isUp))).every(Boolean), {
          timeoutMs: PATIENCE_MS,
          what: "every app to answer",
        }).catch(() => false);
        const took = Math.round(performance.now() - began);
        const { status } = await node.owner.ok(`GET /api/apps/${stopped}`);
        const isOk = isRight !== false && status === "stopped";
        wrong += isOk ? 0 : 1;
        times.push(took);
        say(`  ${round}: ${way} killed, all right after ${took} ms${isOk ? "" : `, WRONG (${status})`}`);
      }
    } finally {
      await node.node.dispose();
      await engine.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
    const note = `${ROUNDS} random kills of node, Docker and both with ${APPS.length + 1} apps`;
    return [
      {
        measure: "reboots after which something was wrong",
        value: wrong,
        unit: "",
        limit: { kind: "most", value: 0 },
        baseline: null,
        note,
      },
      {
        measure: "longest until every app answers",
        value: Math.max(...times) / 1000,
        unit: "s",
        limit: { kind: "most", value: 30 },
        baseline: null,
        note,
      },
    ];
  },
};
