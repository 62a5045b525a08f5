import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, type Measure, ownerHeaders } from "./bench.ts";
import { meterCpu } from "./process-facts.ts";
import { dockerAttached, type Running, startBare, startNode } from "./programs.ts";

const MINUTE_MS = 60_000;
const SETTLE_MS = 10_000;

/** What an open home screen asks for and how often, as in `ui/node/monitoring/system/live.ts` and `ui/node/platform/dashboards`. */
const POLLS = [
  { path: "/api/system/metrics/live", everyMs: 1_000 },
  { path: "/api/system/overview", everyMs: 60_000 },
  { path: "/api/system/disks", everyMs: 60_000 },
];

/** One open tab: the polls and the event stream, until `signal` aborts. Resolves with the number of answers. */
async function openTab(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<number> {
  let answers = 0;
  const follow = async (): Promise<void> => {
    const response = await fetch(`${url}/api/events/stream`, { headers, signal });
    if (response.body === null) throw new Error("the event stream has no body");
    for await (const _ of response.body);
  };
  const poll = async ({ path, everyMs }: (typeof POLLS)[number]): Promise<void> => {
    while (!signal.aborted) {
      const response = await fetch(url + path, { headers, signal });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      answers += 1;
      await Bun.sleep(everyMs);
    }
  };
  const results = await Promise.allSettled([follow(), ...POLLS.map(poll)]);
  for (const result of results) if (result.status === "rejected" && !signal.aborted) throw result.reason;
  return answers;
}

/** Milliseconds of processor time that `running` takes in a minute. */
async function minuteOf(running: Running): Promise<number> {
  const meter = meterCpu(running.pid);
  await Bun.sleep(MINUTE_MS);
  const spent = meter.read();
  meter.stop();
  return spent;
}

const percent = (ms: number): number => (ms / MINUTE_MS) * 100;

async function startBoth(bench: Bench, headers: Record<string, string>): Promise<[Running, Running]> {
  const tiny = join(bench.folder.path, "tiny.json");
  writeFileSync(tiny, "[]");
  return [await startNode(bench.folder.path, { probe: "/api/apps", headers }), await startBare(tiny)];
}

/** Processor time with the dashboard open, beside that with nobody there. */
export const idleCpu: Measure = {
  name: "cpu",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const [running, baseline] = await startBoth(bench, headers);
    await dockerAttached(running);
    await Bun.sleep(SETTLE_MS);
    const [alone, bare] = await Promise.all([minuteOf(running), minuteOf(baseline)]);
    const closing = new AbortController();
    const tab = openTab(running.url, headers, closing.signal);
    await Bun.sleep(SETTLE_MS);
    const open = await minuteOf(running);
    closing.abort();
    const answers = await tab;
    await running.stop();
    await baseline.stop();
    return [
      {
        measure: "processor, dashboard open",
        value: percent(open),
        unit: "% of a core",
        limit: { kind: "most", value: 0.5 },
        baseline: percent(bare),
        note: `${open.toFixed(0)} ms in 60 s, ${answers} answers and one event stream`,
      },
      {
        measure: "processor, nobody there",
        value: percent(alone),
        unit: "% of a core",
        limit: null,
        baseline: percent(bare),
        note: `${alone.toFixed(0)} ms in 60 s`,
      },
    ];
  },
};
