import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Measure, ownerHeaders } from "./bench.ts";
import { dockerAttached, startBare, startNode } from "./programs.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const ROUNDS = 7;
const SECONDS = 3;

/** `GET /api/apps` against a bare server that answers the same body, in turns. */
export const listRate: Measure = {
  name: "list",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const running = await startNode(bench.folder.path, { probe: "/api/apps", headers });
    await dockerAttached(running);
    const list = await (await fetch(`${running.url}/api/apps`, { headers })).text();
    if (JSON.parse(list).length !== bench.folder.apps) throw new Error("the list has not all apps");
    const file = join(bench.folder.path, "list.json");
    writeFileSync(file, list);
    const baseline = await startBare(file);
    const [node, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const { perSecond: slow } = await load(`${baseline.url}/api/apps`, headers, SECONDS);
      const { perSecond: mine } = await load(`${running.url}/api/apps`, headers, SECONDS);
      // Both compilers of the runtime have seen enough after the first round.
      if (round === 0) continue;
      bare.push(slow);
      node.push(mine);
      bench.say(`  round ${round}: ${mine.toFixed(0)} of ${slow.toFixed(0)} requests/s`);
    }
    await running.stop();
    await baseline.stop();
    return [
      {
        measure: `GET /api/apps, ${bench.folder.apps} apps, signed in`,
        value: median(node.map((rate, index) => rate / (bare[index] ?? Number.NaN))),
        unit: "of bare",
        limit: { kind: "least", value: 0.35 },
        baseline: 1,
        note: `${median(node).toFixed(0)} of ${median(bare).toFixed(0)} requests/s, wrk -c16, median of ${ROUNDS} turns, ${list.length} bytes`,
      },
    ];
  },
};
