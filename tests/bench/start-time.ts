import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Measure, ownerHeaders } from "./bench.ts";
import { dockerAttached, startBare, startNode } from "./programs.ts";
import { median } from "./table.ts";

const RUNS = 11;

/** From the start of the process to a whole `GET /api/apps`, with Docker attached soon after. */
export const startTime: Measure = {
  name: "start",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const tiny = join(bench.folder.path, "tiny.json");
    writeFileSync(tiny, "[]");
    const [node, bare, cpu]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round <= RUNS; round++) {
      const baseline = await startBare(tiny);
      await baseline.stop();
      const running = await startNode(bench.folder.path, { probe: "/api/apps", headers });
      await dockerAttached(running);
      await running.stop();
      // The first round reads the files from disk; the others find them in memory, as the baseline does.
      if (round === 0) continue;
      node.push(running.firstAnswerMs);
      cpu.push(running.firstAnswerCpuMs);
      bare.push(baseline.firstAnswerMs);
    }
    return [
      {
        measure: `start to first answer, ${bench.folder.apps} apps`,
        value: median(node),
        unit: "ms",
        limit: { kind: "most", value: 150 },
        baseline: median(bare),
        note: `median of ${RUNS}, process start to GET /api/apps; ${Math.min(...node).toFixed(0)} to ${Math.max(...node).toFixed(0)} ms, ${median(cpu).toFixed(0)} ms of processor`,
      },
    ];
  },
};
