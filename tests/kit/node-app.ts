import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/kernel/config.ts";
import { migrate } from "../../src/kernel/db/migrate.ts";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { embedRoot } from "../../src/kernel/embed.ts";
import { collectMigrations } from "../../src/kernel/feature.ts";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { createLog } from "../../src/kernel/log.ts";
import { createIds } from "../../src/lib/ids.ts";
import type { NodeRule, Role } from "../../src/node/access.ts";
import { prepareNode } from "../../src/node/app.ts";
import { nodeConfigTable } from "../../src/node/config.ts";
import type { NodeWorld } from "../../src/node/create-base.ts";
import { nodeFeatures } from "../../src/node/features.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import type { StandIn, WiredNode } from "../../src/node/wire.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { type Listening, listenWith } from "./listening.ts";
import { mountAsAsked } from "./mounted.ts";
import { OWN_TEMPLATES } from "./own-templates.ts";
import { makeScratch } from "./scratch.ts";

/** One answer, body parsed when it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface CallOptions {
  /** Signs the call in as a user of that role, made on first use. */
  as?: Role;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A whole node in memory: real routes, real SQLite, a clock to turn, nothing listening. */
export interface TestNode {
  ctx: WiredNode;
  clock: FakeClock;
  routes: RouteInfo<NodeRule>[];
  dataDir: string;
  /** Names and payloads of all events so far. */
  events: { name: string; data: unknown }[];
  /** `call("POST /api/auth/login", { body })`. */
  call(route: string, options?: CallOptions): Promise<Answer>;
  /** The bare answer to a bare request, for bodies that are not JSON. */
  fetch(request: Request): Promise<Response>;
  /** Answers on a port of its own too, for what only comes over a wire. */
  listen(): Listening;
  /** A bearer token for a user of that role. */
  tokenOf(role: Role): Promise<string>;
  close(): void;
}

const FOUNDED = "2026-01-01T00:00:00.000Z";
const migrateMain = (db: Database) => migrate(db, collectMigrations(nodeFeatures), FOUNDED, () => {});
const empty = new Map<string, Uint8Array>();

/** A database without rows. Only the first of a kind is migrated, which takes longer than most tests; the others are copies. */
function openEmpty(kind: string, prepare: (db: Database) => unknown): Database {
  const bytes = empty.get(kind);
  if (bytes) {
    const copy = Database.deserialize(bytes, { strict: true });
    copy.run("PRAGMA foreign_keys = ON");
    return copy;
  }
  const first = openDatabase(":memory:");
  prepare(first);
  empty.set(kind, first.serialize());
  return first;
}

/**
 * Builds a node; `config` overrides configuration values as text. With `restartOf` it goes on with the database, the data
 * folder and the clock of another one, as a process does that was killed and started again. `world` replaces what is outside.
 */
export function createTestNode(
  config: Partial<Record<keyof typeof nodeConfigTable, string>> = {},
  restartOf?: TestNode,
  world: Partial<Pick<NodeWorld, "outgoing" | "checkpoint" | "sealKey">> & StandIn = {},
): TestNode {
  const clock = restartOf?.clock ?? createFakeClock();
  const stop = new AbortController();
  const dataDir = restartOf?.dataDir ?? makeScratch("test");
  const mainDb = restartOf?.ctx.db.raw ?? openEmpty("main", migrateMain);
  const metricsDb = restartOf?.ctx.metricsDb ?? openEmpty("metrics", (db) => migrateMetrics(db, FOUNDED));
  const { node: ctx, mount } = prepareNode({
    config: loadConfig(
      nodeConfigTable,
      {},
      {
        data_dir: dataDir,
        templates_dir: OWN_TEMPLATES,
        docker_socket: join(dataDir, "no-docker.sock"),
        // A test that asks the host role for a package must not install it on this machine.
        host_socket: join(dataDir, "no-host.sock"),
        ...config,
      },
    ),
    version: "1.2.3",
    embedRoot: embedRoot("node"),
    log: createLog(clock, "error", (line) => process.stderr.write(`${line}\n`)),
    clock,
    ids: createIds(clock.now),
    random: () => 0.5,
    mainDb,
    metricsDb,
    sealKey: new Uint8Array(32).fill(7),
    signal: stop.signal,
    ...world,
  });
  const mounted = mountAsAsked<NodeRule>(ctx.parts, mount);
  const events: TestNode["events"] = [];
  ctx.bus.onAny((name, data) => void events.push({ name, data }));

  async function tokenOf(role: Role): Promise<string> {
    const id = `usr_${role}`;
    ctx.db.raw
      .query(
        "INSERT OR IGNORE INTO users (id, username, password_hash, role, created_at) VALUES (?, ?, 'none', ?, '2026-01-01T00:00:00.000Z')",
      )
      .run(id, role, role);
    const { session_id } = ctx.sessions.begin(id, { ip: "127.0.0.1", device: "test" });
    return ctx.sessions.tokens.sign(id, session_id);
  }

  return {
    ctx,
    clock,
    get routes() {
      return mounted.routes();
    },
    dataDir,
    events,
    tokenOf,
    fetch: mounted.handle,
    listen: () => listenWith(mounted.whole()),
    async call(route, options = {}) {
      const [named = "GET", path = "/"] = route.split(" ");
      const headers = new Headers(options.headers);
      // A socket begins as a request that asks for one; without a port to answer on it gets no further.
      const isSocket = named === "WS";
      const method = isSocket ? "GET" : named;
      if (isSocket) headers.set("upgrade", "websocket");
      if (options.as) headers.set("authorization", `Bearer ${await tokenOf(options.as)}`);
      if (!headers.has("host")) headers.set("host", "localhost");
      const init: RequestInit = { method, headers };
      if (options.body !== undefined && !isSocket) {
        if (!headers.has("content-type")) headers.set("content-type", "application/json");
        init.body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
      }
      const response = await mounted.handle(new Request(`http://localhost${path}`, init));
      const text = await response.text();
      const isJson = text !== "" && response.headers.get("content-type")?.includes("json");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    close() {
      stop.abort();
      if (restartOf) return;
      mainDb.close();
      metricsDb.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
