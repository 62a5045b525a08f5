import { createClient, signIn } from "../kit/client.ts";
import type { Measure } from "./bench.ts";
import { memoryMb } from "./process-facts.ts";
import { dockerAttached, startNode } from "./programs.ts";

/** What the pages of the dashboard ask for, one after the other. */
const PAGES = [
  "auth/me",
  "apps",
  "operations",
  "system/runtime",
  "system/overview",
  "system/metrics?range=24h",
  "system/metrics/current",
  "system/apps/metrics?range=24h",
  "system/disks",
  "system/info",
  "templates",
  "templates/categories",
  "alerting/rules",
  "alerting/events",
  "auth/sessions",
  "settings",
  "audit/logs",
  "inbox",
];
/** A page every six seconds for an hour, by three people. */
const ROUNDS = 120;
const SIGN_INS = 30;
/** What it keeps ten minutes later it keeps after one: nothing but the runtime's own timers works in between. */
const SETTLE_MS = Number(process.env["ORRERY_BENCH_SETTLE_S"] ?? 60) * 1000;

/** Memory of a node after an hour's work of three people, done in a minute. */
export const busyMemory: Measure = {
  name: "busy",
  async run(bench) {
    const running = await startNode(bench.folder.path, { probe: "/api/openapi.json" });
    await dockerAttached(running);
    const people = [];
    for (let time = 0; time < SIGN_INS; time++)
      people.push(createClient(running.url, (await signIn(running.url)).token));
    const three = people.slice(0, 3);
    for (let round = 0; round < ROUNDS; round++)
      for (const path of PAGES) await Promise.all(three.map((person) => person.ok(`GET /api/${path}`)));
    const most = memoryMb(running.pid);
    for (let left = SETTLE_MS; left > 0; left -= 10_000) {
      await Bun.sleep(10_000);
      const now = memoryMb(running.pid);
      bench.say(`  ${now.rss.toFixed(1)} MB, ${now.anonymous.toFixed(1)} MB of it not file-backed`);
    }
    const after = memoryMb(running.pid);
    await running.stop();
    return [
      {
        measure: "memory after a busy hour",
        value: after.rss,
        unit: "MB",
        limit: { kind: "most", value: 95 },
        baseline: null,
        note: `VmRSS ${SETTLE_MS / 1000} s after; ${after.anonymous.toFixed(0)} MB of it not file-backed; ${most.rss.toFixed(0)} MB at the end of the work`,
      },
    ];
  },
};
