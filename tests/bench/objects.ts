import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { createSeal, loadSealKey } from "../../src/kernel/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { findBucket } from "../../src/node/storage/object-store/catalogue-store.ts";
import { openWriter } from "../../src/node/storage/object-store/writer.ts";
import { setUp } from "../kit/client.ts";
import { ROOT } from "../kit/env.ts";
import { freePort } from "../kit/free-port.ts";
import { createSignedCalls, type LastingRequest, type SignedCalls } from "../kit/signed-calls.ts";
import { until } from "../kit/until.ts";
import type { Measure } from "./bench.ts";
import { memoryMb } from "./process-facts.ts";
import { type Running, startNode } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SECONDS = 5;
const ROUNDS = 3;
/** Different keys that are written; then the same ones again. */
const KEYS = 5_000;
const LISTED_KEYS = Number(process.env["BENCH_LISTED_KEYS"] ?? 1_000_000);
/** The share of the speed that encryption has to leave. */
const LEAST_SEALED = 0.4;
const PEER = { name: "s3rver", version: "3.7.1" };

/** A store that is measured. */
interface Subject {
  url: string;
  s3: SignedCalls;
  pid: number;
  stop(): Promise<void>;
}

/** Sends these requests in turns over that many connections; how many were answered a second. Throws for any that was refused. */
async function drive(
  work: string,
  { url }: Subject,
  method: string,
  requests: readonly LastingRequest[],
  { connections, bodyBytes = 0 }: { connections: number; bodyBytes?: number },
): Promise<number> {
  const script = join(work, "requests.lua");
  const text = (value: string): string => JSON.stringify(value);
  const lines = requests.map(({ path, headers: { host = "", ...headers } }) => {
    // wrk adds a host of its own unless it is written like this.
    const all = Object.entries({ Host: host, ...headers }).map(([name, value]) => `[${text(name)}]=${text(value)}`);
    return `wrk.format(${text(method)}, ${text(path)}, {${all.join(",")}}, body)`;
  });
  const parts = lines.map((line) => `  made[#made + 1] = ${line}`);
  // One function of Lua can hold so many lines only.
  const makers = Array.from({ length: Math.ceil(parts.length / 500) }, (_, index) => {
    const some = parts.slice(index * 500, (index + 1) * 500);
    return `local function make${index}()\n${some.join("\n")}\nend\n`;
  });
  const calls = makers.map((_, index) => `  make${index}()`).join("\n");
  writeFileSync(
    script,
    `local body = ${bodyBytes === 0 ? "nil" : `string.rep("x", ${bodyBytes})`}\nlocal made = {}\nlocal at = 0\n${makers.join("")}
function init(args)\n${calls}\nend
function request()\n  at = at % #made + 1\n  return made[at]\nend\n`,
  );
  const argv = ["wrk", "-t1", `-c${connections}`, `-d${SECONDS}s`, "--timeout", "60s", "-s", script, url];
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
  const said = await child.stdout.text();
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]);
  if (Number.isNaN(rate) || said.includes("Non-2xx")) throw new Error(`wrk on ${url}:\n${said}`);
  return rate;
}

const keyOf = (index: number): string => `folder-${index % 50}/object-${index}`;

type Measured = Awaited<ReturnType<typeof measure>>;
type Large = Awaited<ReturnType<typeof measureLarge>>;

/** What one store does, in requests or MiB a second. */
async function measure(
  work: string,
  subject: Subject,
): Promise<Record<"put4k" | "get4k" | "put1m" | "get64m", number>> {
  const { s3 } = subject;
  const small = Array.from({ length: KEYS }, (_, index) => index);
  const requests = (method: string, keys: readonly string[]) => keys.map((key) => s3.lasting(method, "bench", { key }));
  const put4k = await drive(work, subject, "PUT", requests("PUT", small.map(keyOf)), {
    connections: 16,
    bodyBytes: 4 * KIB,
  });
  await s3("PUT", "bench", { key: "small", body: "x".repeat(4 * KIB) });
  const get4k = await drive(work, subject, "GET", requests("GET", ["small"]), { connections: 16 });
  const some = Array.from({ length: 16 }, (_, index) => `large-${index}`);
  const put1m = await drive(work, subject, "PUT", requests("PUT", some), { connections: 8, bodyBytes: MIB });
  await s3("PUT", "bench", { key: "huge", body: "x".repeat(64 * MIB) });
  const get64m = (await drive(work, subject, "GET", requests("GET", ["huge"]), { connections: 2 })) * 64;
  return { put4k, get4k, put1m, get64m };
}

/** What encryption may cost most: large objects. */
async function measureLarge(work: string, subject: Subject): Promise<Record<"get1m" | "put64m", number>> {
  const requests = (method: string, key: string) => [subject.s3.lasting(method, "bench", { key })];
  await subject.s3("PUT", "bench", { key: "one", body: "x".repeat(MIB) });
  const get1m = await drive(work, subject, "GET", requests("GET", "one"), { connections: 8 });
  const bodyBytes = 64 * MIB;
  const put64m = 64 * (await drive(work, subject, "PUT", requests("PUT", "huge"), { connections: 2, bodyBytes }));
  return { get1m, put64m };
}

/** A node with one bucket and a key to it; what it stores is encrypted where that is said. */
async function startOwn(dataDir: string, isSealed = false): Promise<Subject & { restart(): Promise<Subject> }> {
  const port = freePort();
  const start = (): Promise<Running> =>
    startNode(dataDir, { probe: "/api/auth/lock-info", env: { ORRERY_S3_LISTEN: `127.0.0.1:${port}` } });
  let running = await start();
  const owner = await setUp(running.url);
  if (isSealed) await owner.ok("PUT /api/objects/encryption", { on: true });
  const buckets = ["bench", "listed"];
  for (const name of buckets) await owner.ok("POST /api/objects/buckets", { name, visibility: "private" });
  const grants = buckets.map((bucket) => ({ bucket, read: true, write: true, owner: true }));
  const keys = await owner.ok("POST /api/objects/access-keys", { name: "bench", grants });
  const url = `http://127.0.0.1:${port}`;
  const s3 = createSignedCalls(url, keys, Date.now);
  const subject = (): Subject => ({ url, s3, pid: running.pid, stop: () => running.stop() });
  await answering(s3);
  return {
    ...subject(),
    async restart() {
      running = await start();
      await answering(s3);
      return subject();
    },
  };
}

const answering = (s3: SignedCalls) =>
  until(
    () =>
      s3("GET", "bench", { query: { "max-keys": "1" } }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    {
      timeoutMs: 30_000,
      what: "the store to answer",
    },
  );

/** The store of the same kind that many test with; it does not wait for the disk. */
async function startPeer(work: string): Promise<Subject> {
  const home = join(ROOT, ".test-env/bench/peers");
  mkdirSync(home, { recursive: true });
  const install = ["npm", "install", "--no-save", "--silent", "--prefix", home, `${PEER.name}@${PEER.version}`];
  if ((await Bun.spawn(install, { stdout: "inherit", stderr: "inherit" }).exited) !== 0)
    throw new Error(`${PEER.name} could not be installed`);
  const port = freePort();
  const folder = join(work, "peer");
  const program = join(home, "node_modules/.bin", PEER.name);
  const options = ["-d", folder, "-a", "127.0.0.1", "-p", String(port), "-s", "--configure-bucket", "bench"];
  const child = Bun.spawn(["node", program, ...options], { stdout: "ignore", stderr: "ignore" });
  const s3 = createSignedCalls(`http://127.0.0.1:${port}`, { access_key: "S3RVER", secret_key: "S3RVER" }, Date.now);
  await answering(s3);
  return {
    url: `http://127.0.0.1:${port}`,
    s3,
    pid: child.pid,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Puts that many objects without bytes into a store that nobody has open. */
function fill(dataDir: string, count: number): void {
  const writer = openWriter({
    folder: join(dataDir, "objects"),
    at: new Date(systemClock.now()).toISOString(),
    startId: "blob_0",
    key: createSeal(loadSealKey(join(dataDir, "node.key"), false)).deriveKey("object-store"),
  });
  const db = openDatabase(join(dataDir, "objects/catalogue.db"));
  const bucketId = findBucket(db, "listed")?.id ?? "";
  db.close();
  const encoder = new TextEncoder();
  const same = { kind: "put", bucketId, etag: "d41d8cd98f00b204e9800998ecf8427e", facts: "{}", at: 1 } as const;
  for (let from = 0; from < count; from += 5_000)
    writer.write(
      Array.from({ length: Math.min(5_000, count - from) }, (_, index) => {
        const key = encoder.encode(`folder-${String(from + index).padStart(8, "0")}/object`);
        return { ...same, key, when: {}, blob: null };
      }),
    );
  writer.close();
}

/** Times of lists of a thousand from random places, in milliseconds. */
async function listTimes(dataDir: string, subject: Subject): Promise<number[]> {
  const times: number[] = [];
  const { s3 } = subject;
  for (let turn = 0; turn < 400; turn += 1) {
    const place = String(Math.floor(Math.random() * (LISTED_KEYS - 1_001))).padStart(8, "0");
    const query = { "list-type": "2", "max-keys": "1000", "start-after": `folder-${place}` };
    const begin = performance.now();
    const { text } = await s3("GET", "listed", { query });
    times.push(performance.now() - begin);
    if (!text.includes("<KeyCount>1000</KeyCount>")) throw new Error(`a list in ${dataDir}: ${text.slice(0, 500)}`);
  }
  // What the runtime's compilers take at first is no part of it.
  return times.slice(100);
}

/** Object storage beside a peer: small and large objects, lists of many, memory. */
export const objects: Measure = {
  name: "objects",
  async run({ say }) {
    const work = mkdtempSync(join(tmpdir(), "orrery-bench-objects-"));
    const dataDir = join(work, "node");
    try {
      const own = await startOwn(dataDir);
      const before = memoryMb(own.pid).rss;
      const sealed = await startOwn(join(work, "sealed"), true);
      const peer = await startPeer(work);
      const [mine, theirs]: [Measured[], Measured[]] = [[], []];
      const [open, encrypted]: [(Measured & Large)[], (Measured & Large)[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const plain = await measure(work, own);
        mine.push(plain);
        encrypted.push({ ...(await measure(work, sealed)), ...(await measureLarge(work, sealed)) });
        open.push({ ...plain, ...(await measureLarge(work, own)) });
        theirs.push(await measure(work, peer));
        say(`  round ${round + 1}: ${JSON.stringify([open.at(-1), encrypted.at(-1), theirs.at(-1)])}`);
      }
      await sealed.stop();
      const after = memoryMb(own.pid).rss;
      await peer.stop();
      await own.stop();
      say(`  filling a bucket with ${LISTED_KEYS} keys …`);
      fill(dataDir, LISTED_KEYS);
      const begin = performance.now();
      const again = await own.restart();
      const startS = (performance.now() - begin) / 1_000;
      const times = await listTimes(dataDir, again);
      const full = memoryMb(again.pid).rss;
      await again.stop();
      const of = (list: typeof mine, what: keyof (typeof mine)[0]): number => median(list.map((one) => one[what]));
      const least = (
        what: keyof (typeof mine)[0],
        words: string,
        unit: string,
        limit: number,
        note: string,
      ): Figure => ({
        measure: words,
        value: of(mine, what),
        unit,
        limit: { kind: "least", value: limit },
        baseline: of(theirs, what),
        note: `${note}, signed, wrk, median of ${ROUNDS}; the baseline is ${PEER.name} ${PEER.version}`,
      });
      const ratio = (what: keyof (Measured & Large), words: string): Figure => ({
        measure: `${words}, encrypted on the disk`,
        value: median(encrypted.map((one) => one[what])) / median(open.map((one) => one[what])),
        unit: "of that without",
        limit: { kind: "least", value: LEAST_SEALED },
        baseline: 1,
        note: `median of ${ROUNDS} on two nodes in turns`,
      });
      return [
        least("put4k", "PUT 4 KiB", "/s", 4_000, "16 connections, on disk before it is answered"),
        {
          measure: "PUT 4 KiB beside the peer",
          value: of(mine, "put4k") / of(theirs, "put4k"),
          unit: "times",
          limit: { kind: "least", value: 4 },
          baseline: 1,
          note: "the peer does not wait for the disk",
        },
        least("get4k", "GET 4 KiB", "/s", 12_000, "16 connections"),
        least("put1m", "PUT 1 MiB", "MiB/s", 250, "8 connections, on disk before it is answered"),
        least("get64m", "GET 64 MiB", "MiB/s", 1_000, "2 connections"),
        {
          measure: `list 1,000 of ${LISTED_KEYS} keys, p99`,
          value: percentile(times, 99),
          unit: "ms",
          limit: { kind: "most", value: 25 },
          baseline: null,
          note: `${times.length} from random places, one at a time; median ${median(times).toFixed(1)} ms`,
        },
        {
          measure: `start with ${LISTED_KEYS} keys`,
          value: startS,
          unit: "s",
          limit: { kind: "most", value: 2 },
          baseline: null,
          note: "until the S3 port answers a list",
        },
        {
          measure: "memory gained by serving all that",
          value: after - before,
          unit: "MB",
          limit: { kind: "most", value: 60 },
          baseline: null,
          note: `VmRSS ${before.toFixed(0)} to ${after.toFixed(0)} MB; ${full.toFixed(0)} MB after the lists`,
        },
        ratio("put4k", "PUT 4 KiB"),
        ratio("get4k", "GET 4 KiB"),
        ratio("put1m", "PUT 1 MiB"),
        ratio("get1m", "GET 1 MiB"),
        ratio("put64m", "PUT 64 MiB"),
        ratio("get64m", "GET 64 MiB"),
      ];
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
};
