import { createClient } from "../kit/client.ts";
import { type Bench, type Measure, ownerHeaders } from "./bench.ts";
import { meterCpu } from "./process-facts.ts";
import { type Running, startNode } from "./programs.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const ROUNDS = 5;
const SECONDS = 2;
/** Both answer a few constant bytes; the guard is what tells them apart. */
const OPEN = "/api/auth/cp-status";
const GUARDED = "/api/auth/approve/pending";

/** Microseconds of processor time for one request, of all threads of the node. */
async function costOf({ pid, url }: Running, path: string, headers: Record<string, string>): Promise<number> {
  const meter = meterCpu(pid);
  const { requests } = await load(url + path, headers, SECONDS);
  const spent = meter.read();
  meter.stop();
  return (spent * 1000) / requests;
}

/** The same session by header and by cookie, and an API key of its owner. */
async function credentials(bench: Bench, url: string): Promise<Record<string, Record<string, string>>> {
  const { access } = await bench.folder.signIn();
  const { key } = await createClient(url, access).ok("POST /api/keys", { name: "bench" });
  return {
    "bearer token": { authorization: `Bearer ${access}` },
    cookie: { cookie: `access_token=${access}` },
    "API key": { "x-api-key": key },
  };
}

/** What the guard takes: a signed-in route against an open one that answers alike, in turns. */
export const authCost: Measure = {
  name: "auth",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const running = await startNode(bench.folder.path, { probe: GUARDED, headers });
    const callers = Object.entries(await credentials(bench, running.url));
    const open: number[] = [];
    const extra = new Map<string, number[]>(callers.map(([kind]) => [kind, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      const plain = await costOf(running, OPEN, {});
      for (const [kind, own] of callers) {
        const guarded = await costOf(running, GUARDED, own);
        // Both compilers of the runtime have seen enough after the first round.
        if (round > 0) extra.get(kind)?.push(guarded - plain);
      }
      if (round > 0) open.push(plain);
    }
    await running.stop();
    return [...extra].map(([kind, values]) => ({
      measure: `signed-in request, ${kind}`,
      value: median(values),
      unit: "µs of processor more",
      limit: { kind: "most" as const, value: 40 },
      baseline: median(open),
      note: `GET ${GUARDED} less GET ${OPEN}, median of ${ROUNDS} turns of ${SECONDS} s, ${values.map((value) => value.toFixed(1)).join(" ")}`,
    }));
  },
};
