import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServedStream, StreamServices } from "../../src/shared/agent-client/index.ts";
import { seedFleet } from "../kit/seed-fleet.ts";
import { type HeldNode, holdSessionBy } from "../kit/stream-nodes.ts";
import { until } from "../kit/until.ts";
import type { Bench, Measure } from "./bench.ts";
import { countConnections, memoryMb } from "./process-facts.ts";
import { buildPanel, PANEL, type Running, startPanel } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

/** Nodes that only send heartbeats meanwhile. */
const FLEET = 5_000;
/** Workspaces with one node and one account each: an account may follow ten logs and have five terminals. */
const WORKSPACES = 50;
const LOGS_EACH = 10;
const TERMINALS_EACH = 4;
const LINES_PER_SECOND = 1_000;
const LOG_SECONDS = 20;
const KEYS = 20;
const FLOOD_BYTES = 100_000_000;
const PIECE = Buffer.alloc(12_288, "x").toString("base64");

const epoch = (): number => performance.timeOrigin + performance.now();

interface Workspace {
  id: string;
  token: string;
  node: HeldNode;
}

/** What the nodes were asked for and how far it went. */
interface Served {
  logs: Set<ServedStream>;
  /** Bytes that the panel took of the terminal that never stops. */
  flooded: number;
}

function servicesOf(served: Served): StreamServices {
  return {
    async logs(stream) {
      served.logs.add(stream);
      await new Promise<void>((resolve) => stream.signal.addEventListener("abort", () => resolve(), { once: true }));
      served.logs.delete(stream);
    },
    async terminal({ params, input, send, signal }) {
      await send({ word: { type: "ready", command: ["sh"] } });
      if (params["app"] === "flood") {
        while (served.flooded < FLOOD_BYTES && !signal.aborted) {
          await send({ bytes: PIECE });
          served.flooded += 12_288;
        }
        return;
      }
      for await (const item of input) if (isBytes(item)) await send(item);
    },
  };
}

const isBytes = (item: unknown): item is { bytes: string } =>
  typeof item === "object" && item !== null && "bytes" in item;

/** Everybody comes from a network of their own, as far as the panel can tell. */
const fromOwnNetwork = (who: number) => ({ "x-forwarded-for": `198.51.${who >> 8}.${who & 255}` });

async function callAs<Answer>(panel: Running, who: number, path: string, body: object, token = ""): Promise<Answer> {
  const answer = await fetch(panel.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...fromOwnNetwork(who),
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

async function makeWorkspace(panel: Running, port: number, no: number, services: StreamServices): Promise<Workspace> {
  const person = { email: `ada-${no}@example.org`, password: "correct horse battery" };
  await callAs(panel, no, "/api/auth/register", { ...person, name: "Ada" });
  const { token } = await callAs<{ token: string }>(panel, no, "/api/auth/login", person);
  const { command } = await callAs<{ command: string }>(panel, no, "/api/onboarding/enroll-token", {}, token);
  const line = command.replace(/--panel \S+/, `--panel https://127.0.0.1:${port}`);
  const id = `stream-${no}`;
  return { id, token, node: await holdSessionBy(line, id, services) };
}

/** Lines with the moment at which they left, evenly over all streams; how long each took to be read, milliseconds. */
async function measureLogs(panel: Running, all: readonly Workspace[], served: Served): Promise<number[]> {
  const delays: number[] = [];
  const sockets = all.flatMap(({ id, token }) =>
    Array.from({ length: LOGS_EACH }, () => {
      const address = `${panel.url.replace("http", "ws")}/api/fleet/instances/${id}/logs/ws?lines=0`;
      const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
      socket.onmessage = ({ data }) => {
        for (const [, at] of String(data).matchAll(/left at ([\d.]+)/g)) delays.push(epoch() - Number(at));
      };
      return socket;
    }),
  );
  await until(() => served.logs.size === all.length * LOGS_EACH, { timeoutMs: 60_000, what: "all log streams" });
  const streams = [...served.logs];
  const rounds = (LINES_PER_SECOND * LOG_SECONDS) / streams.length;
  const everyMs = (streams.length / LINES_PER_SECOND) * 1_000;
  const begun = performance.now();
  for (let round = 0; round < rounds; round++) {
    for (const [index, stream] of streams.entries()) {
      const due = begun + (round + index / streams.length) * everyMs;
      if (due > performance.now() + 1) await Bun.sleep(due - performance.now());
      const line = { ts: new Date().toISOString(), level: "info", source: "web", message: `left at ${epoch()}` };
      void stream.send({ lines: [line] }).catch(() => null);
    }
  }
  await until(() => delays.length >= rounds * streams.length, { timeoutMs: 30_000, what: "the last line" });
  for (const socket of sockets) socket.close();
  return delays;
}

async function ticketFor(panel: Running, { id, token }: Workspace, no: number, app: string): Promise<string> {
  const path = `/api/fleet/instances/${id}/terminal/ticket`;
  const { ticket, ws_path } = await callAs<{ ticket: string; ws_path: string }>(panel, no, path, { app }, token);
  return `${ws_path}?ticket=${encodeURIComponent(ticket)}`;
}

/** A key is pressed in each terminal, one after the other; how long until its echo is there, milliseconds. */
async function measureEchoes(panel: Running, all: readonly Workspace[]): Promise<number[]> {
  const sockets: WebSocket[] = [];
  for (const [no, each] of all.entries())
    for (let count = 0; count < TERMINALS_EACH; count++) {
      const address = panel.url.replace("http", "ws") + (await ticketFor(panel, each, no, "shop"));
      const socket = new WebSocket(address, { headers: fromOwnNetwork(no) });
      socket.binaryType = "arraybuffer";
      await new Promise((resolve, reject) => {
        socket.onmessage = resolve;
        socket.onclose = () => reject(new Error("a terminal was closed"));
      });
      sockets.push(socket);
    }
  const times: number[] = [];
  for (let key = 0; key < KEYS; key++)
    for (const socket of sockets) {
      const echoed = new Promise((resolve) => {
        socket.onmessage = resolve;
      });
      const begun = performance.now();
      socket.send(new TextEncoder().encode("k"));
      await echoed;
      times.push(performance.now() - begun);
    }
  for (const socket of sockets) socket.close();
  return times;
}

/** A browser that opens a terminal and then reads nothing any more. */
async function stall(panel: Running, path: string): Promise<Socket> {
  const { hostname, port } = new URL(panel.url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once("connect", resolve));
  const head = ["Host: localhost", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return socket;
}

async function measureStall(
  panel: Running,
  workspace: Workspace,
  served: Served,
): Promise<{ mb: number; sent: number }> {
  const before = memoryMb(panel.pid).anonymous;
  const socket = await stall(panel, await ticketFor(panel, workspace, 0, "flood"));
  let last = -1;
  const stands = (): boolean => {
    const is = served.flooded === last && last > 0;
    last = served.flooded;
    return is;
  };
  await until(stands, { timeoutMs: 60_000, everyMs: 1_000, what: "the program to stand still" });
  const mb = memoryMb(panel.pid).anonymous - before;
  socket.destroy();
  return { mb, sent: served.flooded / 1e6 };
}

async function measureAll(bench: Bench, panel: Running, port: number): Promise<Figure[]> {
  const served: Served = { logs: new Set(), flooded: 0 };
  const all: Workspace[] = [];
  for (let no = 0; no < WORKSPACES; no++) all.push(await makeWorkspace(panel, port, no, servicesOf(served)));
  const beats = setInterval(() => all.forEach(({ node }) => void node.beat().catch(() => null)), 20_000);
  try {
    bench.say("  logs");
    const delays = await measureLogs(panel, all, served);
    bench.say("  terminals");
    const echoes = await measureEchoes(panel, all);
    bench.say("  a browser that reads nothing");
    const { mb, sent } = await measureStall(panel, all[0] as Workspace, served);
    const beside = `beside the heartbeats of ${FLEET} nodes, which share the two cores`;
    return [
      {
        measure: `delay of a line in ${all.length * LOGS_EACH} log streams, p99`,
        value: percentile(delays, 99),
        unit: "ms",
        limit: { kind: "most", value: 300 },
        baseline: null,
        note: `${LINES_PER_SECOND} lines a second in all, ${delays.length} lines, median ${median(delays).toFixed(1)} ms, ${beside}`,
      },
      {
        measure: `echo of a key with ${all.length * TERMINALS_EACH} terminals open, p95`,
        value: percentile(echoes, 95),
        unit: "ms",
        limit: { kind: "most", value: 30 },
        baseline: null,
        note: `${echoes.length} keys, median ${median(echoes).toFixed(1)} ms, ${beside}`,
      },
      {
        measure: "memory for a terminal whose browser stands still",
        value: mb,
        unit: "MB",
        limit: { kind: "most", value: 1 },
        baseline: null,
        note: `of 100 MB the program could write ${sent.toFixed(1)} MB, the buffers of three connections with it; the fleet moves the figure too`,
      },
    ];
  } finally {
    clearInterval(beats);
    for (const { node } of all) node.close();
  }
}

/** Logs and terminals of nodes through the compiled panel, while a fleet sends its heartbeats. */
export const panelStreams: Measure = {
  name: "streams",
  async run(bench) {
    await buildPanel();
    const folder = mkdtempSync(join(tmpdir(), "bench-streams-"));
    try {
      const file = join(folder, "swarm.json");
      await seedFleet(folder, FLEET, { swarmFile: file });
      const own = {
        CP_TRUSTED_PROXIES: "127.0.0.1",
        CP_AGENT_NAMES: "127.0.0.1",
        CP_PUBLIC_URL: "https://panel.example",
      };
      const panel = await startPanel(folder, own);
      const port = Number(panel.log().find(({ msg }) => msg === "listening")?.["agent_port"]);
      const target = ["--panel", `https://127.0.0.1:${port}`, "--state", file, "--nodes", String(FLEET)];
      const swarm = Bun.spawn([PANEL, "swarm", ...target, "--json", "--duration", "900"], {
        stdout: "ignore",
        stderr: "inherit",
      });
      try {
        const fleet = { timeoutMs: 240_000, everyMs: 250, what: "the whole fleet" };
        await until(() => countConnections(port) >= FLEET, fleet);
        bench.say("  the fleet is connected");
        await Bun.sleep(15_000);
        return await measureAll(bench, panel, port);
      } finally {
        swarm.kill();
        await swarm.exited;
        await panel.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
