import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedFleet } from "../kit/seed-fleet.ts";
import { until } from "../kit/until.ts";
import type { Measure } from "./bench.ts";
import { addOwner, ask, signIn } from "./fleet-owner.ts";
import { countConnections } from "./process-facts.ts";
import { buildPanel, PANEL, startPanel } from "./programs.ts";

const NODES = 1_000;
/** Of a hundred nodes so many do not start the release. */
const BAD_PERCENT = 3;

interface Told {
  id: string;
  state: string;
  touched_nodes: number;
  current_stage: number;
  stage_views: { target_nodes: number; counts: { failed: number; reverted: number } }[];
}

/** A release that three nodes of a hundred do not start: how many it reaches, how soon it stops, how soon all are back. */
export const panelRollouts: Measure = {
  name: "rollouts",
  async run(bench) {
    await buildPanel();
    const folder = mkdtempSync(join(tmpdir(), "bench-rollouts-"));
    try {
      const file = join(folder, "swarm.json");
      await seedFleet(folder, NODES, { swarmFile: file });
      await addOwner(folder);
      const first = await startPanel(folder);
      const port = Number(first.log().find(({ msg }) => msg === "listening")?.["agent_port"]);
      const target = ["--panel", `https://127.0.0.1:${port}`, "--state", file, "--nodes", String(NODES)];
      const swarm = Bun.spawn(
        [PANEL, "swarm", ...target, "--json", "--duration", "900", "--fail", `bad-update:${BAD_PERCENT}`],
        { stdout: "ignore", stderr: "inherit" },
      );
      let panel = first;
      try {
        await until(() => countConnections(port) >= NODES, {
          timeoutMs: 240_000,
          everyMs: 250,
          what: "the whole fleet",
        });
        await Bun.sleep(15_000);
        const token = await signIn(panel);
        const begun = await ask<Told>(panel, "/api/fleet/rollouts", token, {
          ...{ name: "Bad release", kind: "os_version", target_version: "9.9.9", stages: [20, 50, 100] },
          ...{ soak_sec: 600, auto_promote: true },
        });
        bench.say("  begun; the panel is killed and starts anew");
        await panel.kill();
        panel = await startPanel(folder, { CP_AGENT_LISTEN: `127.0.0.1:${port}` });
        let fresh = await signIn(panel);
        const look = () => ask<Told>(panel, `/api/fleet/rollouts/${begun.id}`, fresh);
        const failedOf = ({ stage_views }: Told) => stage_views.reduce((sum, { counts }) => sum + counts.failed, 0);
        const startedAt = performance.now();
        let paused = await look();
        while (paused.state === "running" && performance.now() - startedAt < 300_000) {
          await Bun.sleep(500);
          paused = await look();
        }
        const pausedAfter = (performance.now() - startedAt) / 1_000;
        bench.say(`  ${paused.state} with ${paused.touched_nodes} touched and ${failedOf(paused)} failed`);
        const backFrom = performance.now();
        await ask(panel, `/api/fleet/rollouts/${begun.id}/rollback`, fresh, {});
        await Bun.sleep(2_000);
        bench.say("  going back; the panel is killed again");
        await panel.kill();
        panel = await startPanel(folder, { CP_AGENT_LISTEN: `127.0.0.1:${port}` });
        fresh = await signIn(panel);
        let back = await look();
        while (back.state !== "rolled_back" && performance.now() - backFrom < 600_000) {
          await Bun.sleep(1_000);
          back = await look();
        }
        const backAfter = (performance.now() - backFrom) / 1_000;
        const reverted = back.stage_views.reduce((sum, { counts }) => sum + counts.reverted, 0);
        return [
          {
            measure: "nodes that a bad release reached beyond its first stage",
            value: paused.touched_nodes - (paused.stage_views[0]?.target_nodes ?? 0),
            unit: "",
            limit: { kind: "most", value: 0 },
            baseline: null,
            note: `${paused.touched_nodes} of ${NODES} touched, ${failedOf(paused)} failed; the panel was killed meanwhile`,
          },
          {
            measure: "from the kill of the panel to the pause",
            value: pausedAfter,
            unit: "s",
            limit: { kind: "most", value: 90 },
            baseline: null,
            note: "with the nodes' own waits until they connect anew",
          },
          {
            measure: "rollback of every touched node",
            value: backAfter,
            unit: "s",
            limit: { kind: "most", value: 600 },
            baseline: null,
            note: `${reverted} are back; the panel was killed meanwhile`,
          },
        ];
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
