import { days } from "../../src/lib/duration.ts";
import { insertEvent } from "../../src/node/platform/timeline/store.ts";
import { createTestNode } from "../kit/node-app.ts";
import type { Measure } from "./bench.ts";
import { median } from "./table.ts";

const ENTRIES = 100_000;
const ROUNDS = 7;

/** A search that finds nothing reads the whole of a full timeline: against the database alone doing so, in turns. */
export const timeline: Measure = {
  name: "timeline",
  async run() {
    const node = createTestNode({ session_rate: "1000000" });
    const { db } = node.ctx;
    const from = node.clock.now() - days(364);
    db.tx(() => {
      for (let index = 0; index < ENTRIES; index++) {
        insertEvent(db, {
          id: `evt_${index}`,
          at: from + index,
          count: 1,
          category: "app",
          type: "app.started",
          severity: "info",
          title: `Photos ${index} started`,
          subject_kind: "app",
          subject_id: "app_1",
          link: null,
          least_rank: 0,
          user_id: null,
          is_inbox: 0,
          fold: null,
        });
      }
    });
    await node.tokenOf("admin");
    const scan = db.raw.query("SELECT count(*) FROM timeline_events WHERE lower(title) LIKE '%nothing like it%'");
    const [searches, scans]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const begun = performance.now();
      scan.get();
      const between = performance.now();
      const { status } = await node.call("GET /api/timeline/stats?q=nothing+like+it", { as: "admin" });
      if (status !== 200) throw new Error(`the timeline answered ${status}`);
      // The compiler of the runtime has seen enough after the first round.
      if (round === 0) continue;
      scans.push(between - begun);
      searches.push(performance.now() - between);
    }
    node.close();
    return [
      {
        measure: `a search through ${ENTRIES} entries of the timeline`,
        value: median(searches.map((ms, index) => ms / (scans[index] ?? Number.NaN))),
        unit: "times a bare scan",
        limit: { kind: "most", value: 6 },
        baseline: 1,
        note: `${median(searches).toFixed(0)} ms against ${median(scans).toFixed(0)} ms, median of ${ROUNDS} turns`,
      },
    ];
  },
};
