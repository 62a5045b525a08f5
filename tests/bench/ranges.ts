import { closeDatabase } from "../../src/kernel/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openData } from "../../src/node/open-data.ts";
import type { Measure } from "./bench.ts";
import { type Running, startNode } from "./programs.ts";
import { seedFolder } from "./seed.ts";
import { seedYear } from "./seed-series.ts";
import { type Figure, median, percentile } from "./table.ts";

const APPS = 20;
const WARM_UP = 10;
const CALLS = 60;
const RANGES = ["1h", "6h", "24h", "7d", "30d"];

const paths = (appId: string): string[] => [
  ...RANGES.flatMap((range) =>
    ["cpu", "ram", "disk", "network"].map((metric) => `/api/system/metrics?range=${range}&metric=${metric}`),
  ),
  ...RANGES.map((range) => `/api/system/apps/metrics?range=${range}&app_id=${appId}`),
  ...["5m", "15m", "1h", "6h", "24h"].map((range) => `/api/network/history?interface=eth0&range=${range}`),
];

/** Milliseconds of each answer. */
async function timesOf({ url }: Running, path: string, headers: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const begun = performance.now();
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    if (call >= WARM_UP) times.push(performance.now() - begun);
  }
  return times;
}

/** The slowest of these, by its p95. */
async function slowest(
  measure: string,
  running: Running,
  among: readonly string[],
  headers: Record<string, string>,
): Promise<Figure> {
  const found: { path: string; times: number[] }[] = [];
  for (const path of among) found.push({ path, times: await timesOf(running, path, headers) });
  const sorted = found.toSorted((a, b) => percentile(b.times, 95) - percentile(a.times, 95));
  const { path = "", times = [] } = sorted[0] ?? {};
  return {
    measure,
    value: percentile(times, 95),
    unit: "ms",
    limit: { kind: "most", value: 10 },
    baseline: null,
    note: `p50 ${median(times).toFixed(2)} ms; ${path}, the slowest of ${among.length}, ${CALLS} calls each`,
  };
}

/** Every documented range over HTTP on tiers that are full. */
export const ranges: Measure = {
  name: "ranges",
  async run() {
    const folder = await seedFolder(APPS);
    try {
      const { mainDb, metricsDb } = openData(folder.path, systemClock);
      const ids = mainDb.query<{ id: string }, []>("SELECT id FROM apps").all();
      seedYear(
        metricsDb,
        ids.map(({ id }) => id),
        systemClock.now(),
      );
      closeDatabase(metricsDb);
      closeDatabase(mainDb);
      const headers = { authorization: `Bearer ${(await folder.signIn()).access}` };
      const running = await startNode(folder.path, { probe: "/api/apps", headers });
      try {
        const all = RANGES.map((range) => `/api/system/apps/metrics?range=${range}`);
        return [
          await slowest("ranges, p95", running, paths(ids[0]?.id ?? ""), headers),
          await slowest(`ranges of all ${APPS} apps, p95`, running, all, headers),
        ];
      } finally {
        await running.stop();
      }
    } finally {
      folder.remove();
    }
  },
};
