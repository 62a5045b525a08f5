import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/kernel/config.ts";
import { embedRoot } from "../../src/kernel/embed.ts";
import { createLog } from "../../src/kernel/log.ts";
import type { Settings } from "../../src/kernel/settings.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { buildNode } from "../../src/node/app.ts";
import { nodeConfigTable } from "../../src/node/config.ts";
import { openData } from "../../src/node/open-data.ts";
import type { WiredNode } from "../../src/node/wire.ts";
import type { OwnEngine } from "./own-engine.ts";
import { writeTestTemplates } from "./templates.ts";
import { until } from "./until.ts";

/** One answer, body parsed. */
export interface EngineReply {
  status: number;
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

/** A whole node in this process, on disk and on the real engine, with the test catalogue. */
export interface EngineNode {
  ctx: WiredNode;
  dataDir: string;
  settings: Settings;
  events: { name: string; data: unknown }[];
  /** As admin: `call("POST /api/apps", body)`. */
  call(route: string, body?: unknown): Promise<EngineReply>;
  /** The same without its help, for streams. */
  handle(request: Request): Promise<Response>;
  headers: Record<string, string>;
  /** Waits until the app has this status; throws with the app when it does not come to that. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  untilStatus(id: string, status: string, timeoutMs?: number): Promise<any>;
  /** Installs a template of the test catalogue under a name of its own; returns the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  install(template: string, config?: unknown): Promise<any>;
  /** The same, once it runs: with the name of the container of its first service. */
  run(template: string): Promise<{ id: string; container: string }>;
  /** How an operation ended: `done`, or `failed: ` and why. */
  untilOver(opId: string): Promise<string>;
  /** Removes an app with its data and waits for that. */
  remove(id: string): Promise<void>;
  /** Payloads of all events of that name so far, delivered or not. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  eventsOf(name: string): Promise<any[]>;
  /** `before` is called before every step of every work on an app; a test sets it to stop the world there. */
  steps: { before: (appId: string, step: string) => void | Promise<void> };
  /** Stops as SIGTERM does. Data stays. */
  stop(): Promise<void>;
}

let counter = 0;

/** Where the engine listens. */
export const ENGINE_SOCKET = "/var/run/docker.sock";

/** Writes a template like `from` under another name, its texts changed by `change`. */
export function writeVariant(dataDir: string, from: string, name: string, change: (text: string) => string): void {
  const templates = join(dataDir, "own-templates");
  const folder = join(templates, name, "1.0.0");
  mkdirSync(folder, { recursive: true });
  for (const file of ["app.yaml", "compose.yaml"]) {
    const text = readFileSync(join(templates, from, "1.0.0", file), "utf8");
    writeFileSync(join(folder, file), change(text.replaceAll(from, name)));
  }
}

/** Starts a node on `dataDir` (a new one when left out); call `wipe` in the end. */
export async function startEngineNode(options: { dataDir?: string; socket?: string } = {}): Promise<EngineNode> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "orrery-engine-"));
  const templates = join(dataDir, "own-templates");
  writeTestTemplates(templates);
  const stopping = new AbortController();
  const clock = systemClock;
  const config = loadConfig(
    nodeConfigTable,
    {},
    { data_dir: dataDir, templates_dir: templates, docker_socket: options.socket ?? ENGINE_SOCKET },
  );
  const data = openData(dataDir, clock);
  const steps: EngineNode["steps"] = { before: () => {} };
  const { app, node: ctx } = buildNode({
    config,
    version: "1.2.3",
    embedRoot: embedRoot("node"),
    log: createLog(clock, "error", (line) => process.stderr.write(`${line}\n`)),
    clock,
    ids: createIds(clock.now),
    random: () => 0.5,
    signal: stopping.signal,
    checkpoint: (appId, step) => steps.before(appId, step),
    ...data,
  });
  const { parts } = ctx;
  const events: EngineNode["events"] = [];
  ctx.bus.onAny((name, data) => void events.push({ name, data }));
  ctx.db.raw
    .query(
      "INSERT OR IGNORE INTO users (id, username, password_hash, role, created_at) VALUES ('usr_admin', 'admin', 'none', 'admin', '2026-01-01T00:00:00.000Z')",
    )
    .run();
  const { session_id } = ctx.sessions.begin("usr_admin", { ip: "127.0.0.1", device: "test" });
  const token = await ctx.sessions.tokens.sign("usr_admin", session_id);
  for (const part of parts) await part.start?.();
  await until(() => ctx.runtime.engine(), { what: "the engine" });

  const call: EngineNode["call"] = async (route, body) => {
    const [method = "GET", path = "/"] = route.split(" ");
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    const init: RequestInit = { method, headers };
    if (body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    const response = await app.handle(new Request(`http://localhost${path}`, init));
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
  };

  const node: EngineNode = {
    steps,
    handle: (request) => app.handle(request),
    headers: { authorization: `Bearer ${token}` },
    ctx,
    dataDir,
    settings: ctx.settings,
    events,
    call,
    async untilStatus(id, status, timeoutMs = 20_000) {
      let last: unknown;
      try {
        return await until(
          async () => {
            const { body } = await call(`GET /api/apps/${id}`);
            last = body;
            return body.status === status ? body : null;
          },
          { timeoutMs, what: `status ${status}` },
        );
      } catch {
        throw new Error(`app did not become ${status}: ${JSON.stringify(last)}`);
      }
    },
    async install(template, config = {}) {
      counter += 1;
      const name = `t${process.pid}-${counter}`;
      const { status, body } = await call("POST /api/apps", { template, name, config });
      if (status !== 200) throw new Error(`install answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    async run(template) {
      const { id } = await node.install(template);
      const { services, name } = await node.untilStatus(id, "running", 60_000);
      return { id, container: `orrery-${name}-${services[0].name}` };
    },
    untilOver: (opId) =>
      until(
        async () => {
          const { status, error } = (await call(`GET /api/operations/${opId}`)).body;
          if (status === "failed") return `failed: ${error.message}`;
          return status === "running" ? null : status;
        },
        { timeoutMs: 240_000, what: "the end of an operation" },
      ),
    async remove(id) {
      await call(`DELETE /api/apps/${id}?delete_data=true`);
      await until(async () => (await call(`GET /api/apps/${id}`)).status === 404, {
        timeoutMs: 20_000,
        what: "removal",
      });
    },
    async eventsOf(name) {
      await ctx.bus.idle();
      return events.filter((event) => event.name === name).map(({ data: payload }) => payload);
    },
    async stop() {
      stopping.abort();
      for (const part of parts.toReversed()) await part.stop?.();
      await ctx.bus.idle();
      data.metricsDb.close();
      data.mainDb.close();
    },
  };
  return node;
}

/** What an app answers on its page; a container that runs may take a moment to listen. */
export function visit(url: string): Promise<string> {
  return until(() => fetch(url).then((response) => response.text()), { what: `an answer of ${url}` });
}

/** Ends a node, its app and the engine that is theirs alone, as far as they came to be. */
export async function endAll({
  node,
  id,
  engine,
}: {
  node: EngineNode;
  id: string;
  engine: Pick<OwnEngine, "dispose">;
}): Promise<void> {
  if (id) await node.remove(id).catch(() => "the engine goes with it");
  await node?.stop();
  if (node) wipe(node.dataDir);
  await engine?.dispose();
}

/** Deletes a stopped node's folder. */
export function wipe(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
}
