import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setUp } from "../kit/client.ts";
import type { Measure } from "./bench.ts";
import { memoryMb } from "./process-facts.ts";
import { startNode } from "./programs.ts";
import { type Figure, median } from "./table.ts";
import { startApache, startNginx, type WebServer } from "./web-servers.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SECONDS = 4;
const ROUNDS = 3;
/** Different files that are written; then the same ones again, each time with other bytes. */
const FILES = 2_000;

/** Where files are sent to and fetched from, and what a request has to show. */
interface Subject {
  url: string;
  headers: Record<string, string>;
}

/** Sends one kind of request over that many connections; how many were answered a second. Throws for any that was refused. */
async function drive(
  work: string,
  { url, headers }: Subject,
  method: "GET" | "PUT",
  { name, files, bytes, connections }: { name: string; files: number; bytes: number; connections: number },
): Promise<number> {
  const script = join(work, "requests.lua");
  const { pathname } = new URL(url);
  const shown = Object.entries(headers).map(([key, value]) => `[${JSON.stringify(key)}]=${JSON.stringify(value)}`);
  const body = method === "PUT" ? `string.format("%020d", made) .. tail` : "nil";
  writeFileSync(
    script,
    `local made = ${Math.floor(Math.random() * 1e9)} * 1000\nlocal tail = string.rep("x", ${Math.max(0, bytes - 20)})
local headers = {${shown.join(",")}}
function request()
  made = made + 1
  return wrk.format("${method}", "${pathname}${name}" .. (made % ${files}), headers, ${body})
end
`,
  );
  const argv = ["wrk", "-t1", `-c${connections}`, `-d${SECONDS}s`, "--timeout", "60s", "-s", script, url];
  const said = await Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" }).stdout.text();
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]);
  if (Number.isNaN(rate) || said.includes("Non-2xx")) throw new Error(`wrk on ${url}:\n${said}`);
  return rate;
}

const SMALL = { name: "small", files: 1, bytes: 4 * KIB, connections: 16 };
const HUGE = { name: "huge", files: 1, bytes: 64 * MIB, connections: 2 };
const MANY = { name: "file", files: FILES, bytes: 4 * KIB, connections: 16 };
const LARGE = { name: "large", files: 16, bytes: MIB, connections: 8 };

/** Reading in files and MiB a second. */
const read = async (work: string, subject: Subject) => ({
  get4k: await drive(work, subject, "GET", SMALL),
  get64m: (await drive(work, subject, "GET", HUGE)) * 64,
});

/** Writing in files and MiB a second. */
const write = async (work: string, subject: Subject) => ({
  put4k: await drive(work, subject, "PUT", MANY),
  put1m: await drive(work, subject, "PUT", LARGE),
});

/** What is read of each. */
const SAMPLES: Readonly<Record<string, Buffer>> = {
  small0: Buffer.alloc(SMALL.bytes, "x"),
  huge0: Buffer.alloc(HUGE.bytes, "x"),
};

type Rates = Record<string, number>;

/** WebDAV beside nginx, which reads, and Apache's mod_dav, which writes: with and without waiting for the disk. */
export const dav: Measure = {
  name: "dav",
  async run({ say }) {
    const work = mkdtempSync(join(tmpdir(), "orrery-bench-dav-"));
    // Apache writes as somebody else.
    chmodSync(work, 0o755);
    const servers: { stop(): Promise<void> }[] = [];
    const start = async (begin: (folder: string) => Promise<WebServer>, name: string): Promise<WebServer> => {
      mkdirSync(join(work, name));
      const server = await begin(join(work, name));
      servers.push(server);
      return server;
    };
    try {
      const env = { ORRERY_SESSION_RATE: "1000000", ORRERY_LOG_LEVEL: "warn" };
      const node = await startNode(join(work, "node"), { probe: "/api/auth/lock-info", env });
      servers.push(node);
      const owner = await setUp(node.url);
      const { username, password } = await owner.ok("POST /api/drive/webdav-passwords", { name: "bench" });
      const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` };
      const own: Subject = { url: `${node.url}/dav/drive/`, headers };
      const nginx = await start(startNginx, "nginx");
      const apache = await start((folder) => startApache(folder, false), "apache");
      const durable = await start((folder) => startApache(folder, true), "durable");
      for (const [name, bytes] of Object.entries(SAMPLES)) {
        await fetch(own.url + name, { method: "PUT", headers, body: new Uint8Array(bytes) });
        writeFileSync(join(nginx.folder, name), bytes);
      }
      const before = memoryMb(node.pid).rss;
      const seen: Record<"own" | "nginx" | "apache" | "durable", Rates[]> = {
        ...{ own: [], nginx: [], apache: [], durable: [] },
      };
      const peer = ({ url }: WebServer): Subject => ({ url, headers: {} });
      for (let round = 0; round < ROUNDS; round += 1) {
        seen.own.push({ ...(await read(work, own)), ...(await write(work, own)) });
        seen.nginx.push(await read(work, peer(nginx)));
        seen.apache.push(await write(work, peer(apache)));
        seen.durable.push(await write(work, peer(durable)));
        const last = Object.entries(seen).map(([name, rates]) => [name, rates.at(-1)]);
        say(`  round ${round + 1}: ${JSON.stringify(Object.fromEntries(last))}`);
      }
      const gained = memoryMb(node.pid).rss - before;
      return figuresOf(seen, gained);
    } finally {
      for (const server of servers.toReversed()) await server.stop();
      rmSync(work, { recursive: true, force: true });
    }
  },
};

function figuresOf(seen: Record<"own" | "nginx" | "apache" | "durable", Rates[]>, gained: number): Figure[] {
  const of = (name: keyof typeof seen, what: string): number => median(seen[name].map((rates) => rates[what] ?? 0));
  const beside = (
    measure: string,
    what: string,
    unit: string,
    than: "nginx" | "apache" | "durable",
    least: number | null,
    note: string,
  ): Figure => ({
    measure,
    value: of("own", what) / of(than, what),
    unit: "times",
    limit: least === null ? null : { kind: "least", value: least },
    baseline: 1,
    note: `${of("own", what).toFixed(0)} against ${of(than, what).toFixed(0)} ${unit}; ${note}, median of ${ROUNDS}`,
  });
  const waits = "both on disk before they answer";
  return [
    beside("GET 4 KiB beside nginx", "get4k", "/s", "nginx", null, "16 connections, the node checks a password"),
    beside("GET 64 MiB beside nginx", "get64m", "MiB/s", "nginx", 0.5, "2 connections"),
    beside("PUT 4 KiB beside mod_dav", "put4k", "/s", "durable", 1, `16 connections, ${waits}`),
    beside("PUT 1 MiB beside mod_dav", "put1m", "MiB/s", "durable", 1, `8 connections, ${waits}`),
    beside("PUT 4 KiB, mod_dav not waiting", "put4k", "/s", "apache", null, "only the node is on disk when it answers"),
    beside("PUT 1 MiB, mod_dav not waiting", "put1m", "MiB/s", "apache", null, "only the node is on disk"),
    {
      measure: "memory gained by WebDAV",
      value: gained,
      unit: "MB",
      limit: { kind: "most", value: 60 },
      baseline: null,
      note: "VmRSS before and after all that",
    },
  ];
}
