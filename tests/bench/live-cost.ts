import { type Measure, ownerHeaders } from "./bench.ts";
import { meterCpu } from "./process-facts.ts";
import { dockerAttached, type Running, startNode } from "./programs.ts";
import { median } from "./table.ts";

const ROUNDS = 5;
const REQUESTS = 20;
/** Samples are shared for 500 ms, so that a faster client would get the same one twice. */
const EVERY_MS = 520;

/** Milliseconds of processor time for each of the requests. */
async function costOf({ pid, url }: Running, path: string, headers: Record<string, string>): Promise<number> {
  const meter = meterCpu(pid);
  for (let request = 0; request < REQUESTS; request++) {
    await (await fetch(url + path, { headers })).arrayBuffer();
    await Bun.sleep(EVERY_MS);
  }
  const spent = meter.read();
  meter.stop();
  return spent / REQUESTS;
}

/** A fresh live sample against a signed-in route that does next to nothing, at the same pace and in turns. */
export const liveCost: Measure = {
  name: "live",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const running = await startNode(bench.folder.path, { probe: "/api/apps", headers });
    await dockerAttached(running);
    const [live, trivial]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const plain = await costOf(running, "/api/auth/me", headers);
      const sampled = await costOf(running, "/api/system/metrics/live", headers);
      if (round === 0) continue;
      trivial.push(plain);
      live.push(sampled);
    }
    await running.stop();
    return [
      {
        measure: "live sample",
        value: median(live.map((cost, index) => cost - (trivial[index] ?? Number.NaN))),
        unit: "ms of processor",
        limit: { kind: "most", value: 0.3 },
        baseline: median(trivial),
        note: `${median(live).toFixed(2)} ms a request less ${median(trivial).toFixed(2)} of GET /api/auth/me, ${ROUNDS} turns of ${REQUESTS}`,
      },
    ];
  },
};
