import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { join } from "node:path";
import { type Measure, ownerHeaders } from "./bench.ts";
import { stolenMs } from "./process-facts.ts";
import { type Running, startNode } from "./programs.ts";
import { median } from "./table.ts";

/** After so many turns the compiler has done its work; a node runs for months. */
const WARM_UPS = 3;
const ROUNDS = 15;
/** A machine that is never left alone is measured all the same. */
const MOST_ROUNDS = 2 * ROUNDS;
/** Part of the processors' time that the host may give to others: a few such pauses are all of what lies above p99. */
const MOST_STOLEN = 0.002;
/** How much longer than in the quickest turn the same hashes may take; beyond it the host has slowed the machine down. */
const MOST_SLOWED = 1.1;
const SETTLE_MS = 200;
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

/**
 * 200 right passwords at once, from another process. Resolves once it stands ready; what that gives starts it and resolves with the
 * milliseconds until the last answer. Those who sign in do it from machines of their own, so all that their side computes comes last.
 */
async function prepareStorm({ url }: Running): Promise<() => Promise<number>> {
  // Added to the niceness of this process, which may be the least there is.
  const program = ["nice", "-n", "39", process.execPath, join(import.meta.dir, "log-in.ts"), url, String(LOGINS)];
  const child = Bun.spawn(program, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return async () => {
    const start = performance.now();
    void child.stdin.write("go\n");
    await child.stdin.flush();
    if ((await child.exited) !== 0) throw new Error("not all could sign in");
    return performance.now() - start;
  };
}

/**
 * Sets the priority of those threads of this process that ask and listen. A dashboard has a machine of its own: how long it waits for
 * a processor must not be in the figure. Without root nothing changes, and the figure is too large.
 */
function giveClientPriority(nice: number): void {
  if (process.getuid?.() !== 0) return;
  for (const thread of readdirSync("/proc/self/task")) {
    const isClient = readFileSync(`/proc/self/task/${thread}/comm`, "utf8").startsWith("HTTP Client");
    if (isClient || Number(thread) === process.pid) setPriority(Number(thread), nice);
  }
}

interface Round {
  busy: number[];
  quiet: number[];
  /** Until the last login was answered, and as long again without any. */
  ms: number;
  /** Part of the processors' time that the host gave to others. */
  stolen: number;
}

async function measureRound(running: Running, headers: Headers): Promise<Round> {
  const storm = await prepareStorm(running);
  await Bun.sleep(SETTLE_MS);
  const before = stolenMs();
  let isOver = false;
  const [busy, ms] = await Promise.all([
    probe(running, headers, () => isOver),
    storm().finally(() => {
      isOver = true;
    }),
  ]);
  const until = performance.now() + ms;
  const quiet = await probe(running, headers, () => performance.now() > until);
  return { busy, quiet, ms, stolen: (stolenMs() - before) / (2 * ms * availableParallelism()) };
}

/** The turns in which the host left this machine alone; all of them when it never did. */
function leftAlone(rounds: Round[]): Round[] {
  const quickest = Math.min(...rounds.map(({ ms }) => ms));
  const counted = rounds.filter(({ ms, stolen }) => stolen <= MOST_STOLEN && ms <= quickest * MOST_SLOWED);
  return counted.length === 0 ? rounds : counted;
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
    const rounds: Round[] = [];
    giveClientPriority(-20);
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await measureRound(running, headers);
    while (leftAlone(rounds).length < ROUNDS && rounds.length < MOST_ROUNDS) {
      const round = await measureRound(running, headers);
      const { busy, quiet, ms, stolen } = round;
      bench.say(
        `  ${p99(busy).toFixed(1)} ms against ${p99(quiet).toFixed(1)} idle, ${LOGINS} logins in ${ms.toFixed(0)} ms, ${busy.length} and ${quiet.length} samples, ${(stolen * 100).toFixed(2)} % stolen`,
      );
      rounds.push(round);
    }
    giveClientPriority(0);
    await running.stop();
    const counted = leftAlone(rounds);
    const middle = (figure: (round: Round) => number): number => median(counted.map(figure));
    return [
      {
        measure: `p99 of ${PROBE} during ${LOGINS} logins`,
        value: middle(({ busy, quiet }) => p99(busy) / p99(quiet)),
        unit: "of idle",
        limit: { kind: "most", value: 2 },
        baseline: 1,
        note: `${middle(({ busy }) => p99(busy)).toFixed(1)} against ${middle(({ quiet }) => p99(quiet)).toFixed(1)} ms, median of ${counted.length} turns, ${rounds.length - counted.length} more left out, ${LOGINS} logins in ${(middle(({ ms }) => ms) / 1000).toFixed(1)} s`,
      },
    ];
  },
};
