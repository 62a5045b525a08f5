import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { openData } from "../../src/panel/open-data.ts";
import { FOR_PROGRAM, hashPassword } from "../../src/shared/password/index.ts";
import { seedFleet } from "../kit/seed-fleet.ts";
import type { Bench, Measure } from "./bench.ts";
import { meterCpu, waitedMs } from "./process-facts.ts";
import { buildPanel, type Running, startBare, startPanel } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

const TENANT = "ten_bench";
const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
const SORTS = ["host", "ip", "region", "tenant", "cpu", "mem", "disk", "version", "uptime", "status", "last_seen"];
const FILTERS = [
  "",
  "q=77",
  "status=online",
  "region=eu-west&version=1.4.2",
  "tenant=ten_client3",
  "q=prod&group=grp_1",
];
const BARE_REQUESTS = 200;

/** Gives the seeded fleet what lists tell apart, and somebody who may look at it. */
async function furnish(folder: string): Promise<void> {
  const { db, samplesDb } = await openData({ data_dir: folder, database_url: "" }, systemClock);
  const now = Date.now();
  await db.run(
    `INSERT INTO accounts (id, email, display_name, password_hash, created_at) VALUES ('acc_ada', ?, 'Ada', ?, ?)`,
    [EMAIL, await hashPassword(PASSWORD, FOR_PROGRAM), now],
  );
  await db.run(
    `INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, 'mem_ada', 'acc_ada', 'org_owner', ?)`,
    [TENANT, now],
  );
  for (let no = 0; no < 20; no++) {
    await db.run(
      "INSERT INTO tenants (tenant_id, name, parent_tenant_id, created_at) VALUES ('ten_client' || ?, 'Client ' || ?, ?, ?)",
      [no, no, TENANT, now],
    );
    await db.run(
      "INSERT INTO node_groups (tenant_id, id, name, created_at) VALUES (?, 'grp_' || ?, 'Group ' || ?, ?)",
      [TENANT, no, no, now],
    );
  }
  await db.run(
    `UPDATE nodes SET version = '1.4.' || (no % 4), group_id = 'grp_' || (no % 20), client_id = 'ten_client' || (no % 20),
     tags = '["' || CASE no % 3 WHEN 0 THEN 'prod' ELSE 'lab' END || '","team-' || (no % 40) || '"]'`,
  );
  await db.run(
    "UPDATE node_figures SET cpu = (no * 7919) % 9300 / 100.0, memory = (no * 104729) % 8000 / 100.0, disk = (no * 31) % 91",
  );
  await samplesDb.close();
  await db.close();
}

async function signIn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { token } = (await response.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

interface Asked {
  /** Milliseconds to the last byte, less what client and server waited for a processor that others had. */
  ms: number;
  wallMs: number;
  bytes: ArrayBuffer;
}

/** Asks once. */
async function ask({ url, pid }: Pick<Running, "url" | "pid">, path: string, headers = {}): Promise<Asked> {
  const waited = () => waitedMs(pid) + waitedMs(process.pid);
  const before = waited();
  const begin = performance.now();
  const response = await fetch(url + path, { headers });
  const bytes = await response.arrayBuffer();
  const wallMs = performance.now() - begin;
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return { ms: Math.max(0, wallMs - (waited() - before)), wallMs, bytes };
}

/** The same bytes from a program that does nothing else; milliseconds of each answer. */
async function askBare(folder: string, bytes: ArrayBuffer, count: number): Promise<number[]> {
  const file = join(folder, "answer.json");
  writeFileSync(file, new Uint8Array(bytes));
  const bare = await startBare(file);
  const times: number[] = [];
  for (let round = 0; round < count; round++) times.push((await ask(bare, "/")).ms);
  await bare.stop();
  return times;
}

async function measureLists(
  panel: Running,
  folder: string,
  nodes: number,
  limit: number,
  headers: Record<string, string>,
): Promise<Figure[]> {
  const queries = FILTERS.flatMap((filter) =>
    SORTS.flatMap((sort) => [`sort=${sort}&page=1`, `sort=-${sort}&page=3`]).map((order) => `${order}&${filter}`),
  );
  const path = (query: string) => `/api/fleet/instances?per_page=50&${query}`;
  const first = await ask(panel, path("sort=host"), headers);
  for (const query of queries) await ask(panel, path(query), headers);
  const meter = meterCpu(panel.pid);
  const times: number[] = [];
  const walls: number[] = [];
  for (let round = 0; round < 2; round++) {
    for (const query of queries) {
      const { ms, wallMs } = await ask(panel, path(query), headers);
      times.push(ms);
      walls.push(wallMs);
    }
  }
  const cpuMs = meter.read() / times.length;
  meter.stop();
  const bare = await askBare(folder, first.bytes, BARE_REQUESTS);
  return [
    {
      measure: `list of ${nodes} nodes with facets, p95`,
      value: percentile(times, 95),
      unit: "ms",
      limit: { kind: "most", value: limit },
      baseline: percentile(bare, 95),
      note: `${times.length} requests, every sort × ${FILTERS.length} filters, median ${median(times).toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of processor time each, p95 with waiting for a processor ${percentile(walls, 95).toFixed(0)} ms; baseline: the same bytes`,
    },
    {
      measure: `first list of ${nodes} nodes after a start`,
      value: first.ms,
      unit: "ms",
      limit: null,
      baseline: null,
      note: "the index is made meanwhile, in slices",
    },
  ];
}

/** Each time with other parameters, so that none comes from the cache. */
async function measureCold(
  panel: Running,
  folder: string,
  nodes: number,
  headers: Record<string, string>,
): Promise<Figure[]> {
  const cold = async (what: string, paths: readonly string[]): Promise<Figure> => {
    const meter = meterCpu(panel.pid);
    const answers: Asked[] = [];
    for (const path of paths) answers.push(await ask(panel, path, headers));
    const cpuMs = meter.read() / paths.length;
    meter.stop();
    const bytes = answers[0]?.bytes ?? new ArrayBuffer(0);
    return {
      measure: `${what} of ${nodes} nodes, cold`,
      value: median(answers.map(({ ms }) => ms)),
      unit: "ms",
      limit: { kind: "most", value: 150 },
      baseline: median(await askBare(folder, bytes, 10)),
      note: `median of ${paths.length}, ${cpuMs.toFixed(0)} ms of processor time each, ${bytes.byteLength} bytes; baseline: the same bytes`,
    };
  };
  const overviews = Array.from({ length: 20 }, (_, index) => `/api/fleet/overview?top=${index + 1}&alerts=${index}`);
  const maps = ["?metric=cpu", "?metric=mem", "?metric=disk", ""].map((query) => `/api/fleet/heatmap${query}`);
  return [await cold("overview", overviews), await cold("heat map", maps)];
}

/** Words of each kind: names, parts of names, what many have, what none has. */
async function measureSearch(panel: Running, nodes: number, headers: Record<string, string>): Promise<Figure> {
  const words = ["node-77", "77", "a", "node", "nothing-like-it", "client 1", "ada", "10.", "9999", "eu"];
  const path = (word: string) => `/api/search/global?q=${encodeURIComponent(word)}`;
  for (const word of words) await ask(panel, path(word), headers);
  const times: number[] = [];
  for (let round = 0; round < 20; round++)
    for (const word of words) times.push((await ask(panel, path(word), headers)).ms);
  return {
    measure: `search of everything at ${nodes} nodes, p95`,
    value: percentile(times, 95),
    unit: "ms",
    limit: { kind: "most", value: 80 },
    baseline: null,
    note: `${times.length} requests, ${words.length} different words, median ${median(times).toFixed(1)} ms`,
  };
}

async function measureFleet(bench: Bench, nodes: number, limit: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-fleet-"));
  try {
    bench.say(`  ${nodes} nodes`);
    await seedFleet(folder, nodes, { wereSeen: true });
    await furnish(folder);
    const panel = await startPanel(folder, { CP_SESSION_RATE: "1000000" });
    const headers = await signIn(panel.url);
    const figures = await measureLists(panel, folder, nodes, limit, headers);
    figures.push(await measureSearch(panel, nodes, headers));
    if (nodes === 100_000) figures.push(...(await measureCold(panel, folder, nodes, headers)));
    await panel.stop();
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lists, search, overview and heat map of large fleets over HTTP, signed in, on SQLite. */
export const panelFleet: Measure = {
  name: "panel-fleet",
  async run(bench) {
    await buildPanel();
    return [...(await measureFleet(bench, 10_000, 20)), ...(await measureFleet(bench, 100_000, 60))];
  },
};
