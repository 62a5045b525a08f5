import { join } from "node:path";
import { type Measure, ownerHeaders } from "./bench.ts";
import { type Running, startNode } from "./programs.ts";
import { median } from "./table.ts";

const ROUNDS = 5;
const LOGINS = 200;
const PROBE = "/api/system/metrics/live";
/** Live samples are polled; this is one dashboard in a hurry. */
const EVERY_MS = 10;

type Headers = Record<string, string>;

/** Milliseconds that each request took, begun every 10 ms until `isOver`, late ones at once: waiting in line counts. */
async function probe({ url }: Running, headers: Headers, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let due = start; !isOver(); due += EVERY_MS) {
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    const begun = performance.now();
    const answer = async (): Promise<void> => {
      const response = await fetch(url + PROBE, { headers });
      await response.arrayBuffer();
      times.push(performance.now() - begun);
      if (response.status !== 200) throw new Error(`${PROBE} answered ${response.status}`);
    };
    pending.push(answer());
  }
  await Promise.all(pending);
  return times;
}

/** 200 right passwords at once, from another process; resolves with the milliseconds until the last answer. */
async function storm({ url }: Running): Promise<number> {
  const start = performance.now();
  const program = [process.execPath, join(import.meta.dir, "log-in.ts"), url, String(LOGINS)];
  const child = Bun.spawn(program, { stdout: "inherit", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error("not all could sign in");
  return performance.now() - start;
}

/** The time that 99 of 100 stay below. */
const p99 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

/** How much longer a live sample takes while 200 people sign in, against an idle node and in turns. */
export const loginStorm: Measure = {
  name: "logins",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const env = { ORRERY_TRUSTED_PROXIES: "127.0.0.1" };
    const running = await startNode(bench.folder.path, { probe: PROBE, headers, env });
    const [idle, busy, lasted]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round <= ROUNDS; round++) {
      let isOver = false;
      const [times, ms] = await Promise.all([
        probe(running, headers, () => isOver),
        storm(running).finally(() => {
          isOver = true;
        }),
      ]);
      const until = performance.now() + ms;
      const quiet = await probe(running, headers, () => performance.now() > until);
      if (round === 0) continue;
      bench.say(
        `  round ${round}: ${p99(times).toFixed(1)} ms against ${p99(quiet).toFixed(1)} idle, ${LOGINS} logins in ${ms.toFixed(0)} ms, ${times.length} and ${quiet.length} samples`,
      );
      busy.push(p99(times));
      idle.push(p99(quiet));
      lasted.push(ms);
    }
    await running.stop();
    return [
      {
        measure: `p99 of ${PROBE} during ${LOGINS} logins`,
        value: median(busy.map((ms, index) => ms / (idle[index] ?? Number.NaN))),
        unit: "of idle",
        limit: { kind: "most", value: 2 },
        baseline: 1,
        note: `${median(busy).toFixed(1)} against ${median(idle).toFixed(1)} ms, median of ${ROUNDS} turns, ${LOGINS} logins in ${(median(lasted) / 1000).toFixed(1)} s`,
      },
    ];
  },
};
