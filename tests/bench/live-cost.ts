import { systemClock } from "../../src/lib/clock.ts";
import { createHost } from "../../src/node/machine/index.ts";
import { createLiveSampler } from "../../src/node/monitoring/system/live.ts";
import { type Bench, type Measure, ownerHeaders } from "./bench.ts";
import { meterCpu } from "./process-facts.ts";
import { dockerAttached, type Running, startNode } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

const ROUNDS = 5;
const REQUESTS = 20;
/** Samples are shared for 500 ms, so that a faster client would get the same one twice. */
const EVERY_MS = 520;
const WARM_UP = 500;
const SAMPLES = 2_000;
const POLLS = 40;

/** Milliseconds of processor time for each of the requests, and apart from it what compiling their code took. */
async function costOf({ pid, url }: Running, path: string, headers: Record<string, string>) {
  const meter = meterCpu(pid);
  for (let request = 0; request < REQUESTS; request++) {
    await (await fetch(url + path, { headers })).arrayBuffer();
    await Bun.sleep(EVERY_MS);
  }
  const all = meter.read();
  const compiling = meter.readCompiling();
  meter.stop();
  return { run: (all - compiling) / REQUESTS, compiling: compiling / REQUESTS };
}

/**
 * The sampler alone, in this process: first one sample after the other, then at the pace of a dashboard, when the machine has
 * done other things in between. Each call is a fresh sample, because its clock is 520 ms further. It never waits, so that the
 * time it takes is at least its processor time.
 */
async function inProcess(): Promise<Figure[]> {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => now };
  const stopping = new AbortController();
  const sampler = createLiveSampler(systemClock, createHost(clock, "/", stopping.signal));
  sampler.prime();
  const take = async (): Promise<number> => {
    now += EVERY_MS;
    const begun = performance.now();
    await sampler.sample();
    return performance.now() - begun;
  };
  for (let count = 0; count < WARM_UP; count++) await take();
  const times: number[] = [];
  for (let count = 0; count < SAMPLES; count++) times.push(await take());
  const paced: number[] = [];
  for (let count = 0; count < POLLS; count++) {
    await Bun.sleep(EVERY_MS);
    paced.push(await take());
  }
  stopping.abort();
  return [
    {
      measure: "live sample in process, p95",
      value: percentile(times, 95),
      unit: "ms",
      limit: { kind: "most", value: 0.2 },
      baseline: null,
      note: `p50 ${median(times).toFixed(3)} ms, ${SAMPLES} fresh samples after ${WARM_UP}`,
    },
    {
      measure: "live sample at a dashboard's pace",
      value: median(paced),
      unit: "ms",
      limit: { kind: "most", value: 0.3 },
      baseline: null,
      note: `median of ${POLLS}, one every ${EVERY_MS} ms, p95 ${percentile(paced, 95).toFixed(2)} ms`,
    },
  ];
}

/** Fresh samples at the pace of a dashboard, signed in, as a client sees them. */
async function overHttp({ url }: Running, headers: Record<string, string>): Promise<Figure> {
  const times: number[] = [];
  for (let count = 0; count <= POLLS; count++) {
    await Bun.sleep(EVERY_MS);
    const begun = performance.now();
    await (await fetch(`${url}/api/system/metrics/live`, { headers })).arrayBuffer();
    if (count > 0) times.push(performance.now() - begun);
  }
  return {
    measure: "live sample over HTTP, p95",
    value: percentile(times, 95),
    unit: "ms",
    limit: { kind: "most", value: 3 },
    baseline: null,
    note: `p50 ${median(times).toFixed(2)} ms, ${POLLS} fresh samples, one every ${EVERY_MS} ms`,
  };
}

/** A fresh live sample against a signed-in route that does next to nothing, at the same pace and in turns. */
async function processorOf(running: Running, headers: Record<string, string>): Promise<Figure> {
  const [live, trivial, compiling]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const plain = await costOf(running, "/api/auth/me", headers);
    const sampled = await costOf(running, "/api/system/metrics/live", headers);
    if (round === 0) continue;
    trivial.push(plain.run);
    live.push(sampled.run);
    compiling.push(sampled.compiling - plain.compiling);
  }
  return {
    measure: "request for a live sample",
    value: median(live.map((cost, index) => cost - (trivial[index] ?? Number.NaN))),
    unit: "ms of processor",
    limit: null,
    baseline: median(trivial),
    note: `${median(live).toFixed(2)} ms a request less ${median(trivial).toFixed(2)} of GET /api/auth/me, ${ROUNDS} turns of ${REQUESTS}; compiling its code, which ends, took ${median(compiling).toFixed(2)} ms more`,
  };
}

/** What one look at the live figures costs: the sampler alone, and through the whole node at a dashboard's pace. */
export const liveCost: Measure = {
  name: "live",
  async run(bench: Bench) {
    const headers = await ownerHeaders(bench);
    const figures = await inProcess();
    const running = await startNode(bench.folder.path, { probe: "/api/apps", headers });
    await dockerAttached(running);
    figures.push(await processorOf(running, headers), await overHttp(running, headers));
    await running.stop();
    return figures;
  },
};
