import { loadConfig } from "../../src/kernel/config.ts";
import { embedRoot } from "../../src/kernel/embed.ts";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { createLog } from "../../src/kernel/log.ts";
import type { ResolveTexts } from "../../src/kernel/outgoing/index.ts";
import type { SqlDb } from "../../src/kernel/sql/port.ts";
import { createIds } from "../../src/lib/ids.ts";
import type { PanelRule } from "../../src/panel/access.ts";
import { preparePanel } from "../../src/panel/app.ts";
import { panelConfigTable } from "../../src/panel/config.ts";
import { type openSystem, openTenant } from "../../src/panel/data/tenant-db.ts";
import { migratePanel } from "../../src/panel/open-data.ts";
import type { WiredPanel } from "../../src/panel/wire.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { type Listening, listenWith } from "./listening.ts";
import { mountAsAsked } from "./mounted.ts";
import type { Answer } from "./node-app.ts";

/** A person with a workspace of their own. */
export interface Person {
  token: string;
  account_id: string;
  member_id: string;
  tenant_id: string;
  email: string;
}

/** A whole panel: real routes, a real database of either engine, a clock to turn, nothing listening. */
export interface TestPanel {
  /** What the panel is made of. */
  ctx: WiredPanel;
  db: SqlDb;
  /** Statements across workspaces, to look behind the routes. */
  system: ReturnType<typeof openSystem>;
  tenant: (id: string) => ReturnType<typeof openTenant>;
  clock: FakeClock;
  nodes: WiredPanel["nodes"];
  commands: WiredPanel["commands"];
  live: WiredPanel["live"];
  /** Runs one job now. */
  runJob(name: string): Promise<void>;
  samples: WiredPanel["samples"];
  routes: RouteInfo<PanelRule>[];
  /** Answers on a port of its own too, for what only comes over a wire. */
  listen(): Listening;
  /** `call("POST /api/auth/login", { token, body })`. */
  call(route: string, options?: { token?: string; body?: unknown; headers?: Record<string, string> }): Promise<Answer>;
  /** Makes somebody with a workspace of their own, signed in there. They have no password. */
  join(name: string): Promise<Person>;
  /** One more token for the same membership. */
  signIn(person: Person): Promise<string>;
  /** Makes somebody a member of another one's workspace and signs them in there. */
  invite(host: Person, name: string, role: string): Promise<Person>;
}

/** What an endless answer says first. */
async function readFirstEvent(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("event:")) break;
  }
  return text;
}

/** Builds a panel on an empty database. `settings` are keys of its configuration. */
export async function createTestPanel(
  db: SqlDb,
  settings: Record<string, string> = {},
  askTexts: ResolveTexts = async () => [],
): Promise<TestPanel> {
  const clock = createFakeClock();
  await migratePanel(db, "2026-01-01T00:00:00.000Z", "/nowhere");
  const config = loadConfig(
    panelConfigTable,
    {},
    {
      ...{ anonymous_rate: "1000000", session_rate: "1000000" },
      ...settings,
    },
  );
  const { panel: ctx, mount } = preparePanel({
    config,
    version: "1.2.3",
    embedRoot: embedRoot("panel"),
    log: createLog(clock, "error", (line) => process.stderr.write(`${line}\n`)),
    clock,
    ids: createIds(clock.now),
    db,
    signal: new AbortController().signal,
    askTexts,
    sealKey: new Uint8Array(32).fill(7),
  });
  const mounted = mountAsAsked<PanelRule>(ctx.parts, mount);
  await ctx.nodes.start();

  const call: TestPanel["call"] = async (route, { token, body, headers: more = {} } = {}) => {
    const [named = "GET", path = "/"] = route.split(" ");
    // A socket begins as a request that asks for one; without a port to answer on it gets no further.
    const isSocket = named === "WS";
    const method = isSocket ? "GET" : named;
    const headers = new Headers({ host: "localhost", ...(isSocket ? { upgrade: "websocket" } : {}), ...more });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const init: RequestInit = { method, headers };
    if (body !== undefined && !isSocket) {
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      init.body = typeof body === "string" ? body : JSON.stringify(body);
    }
    const response = await mounted.handle(new Request(`http://localhost${path}`, init));
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    const text = await (isStream ? readFirstEvent(response) : response.text());
    const isJson = text !== "" && response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

  /** A session of a member, as a sign-in would begin it; without the password, whose hash takes its time. */
  async function signIn(tenantId: string, memberId: string): Promise<string> {
    const member = await ctx.tenants.findMembership(tenantId, memberId);
    if (!member) throw new Error(`there is no member ${memberId}`);
    const sessionId = await ctx.system.tx((tx) => ctx.sessions.startSession(tx, member, { ip: "127.0.0.1" }));
    return (await ctx.sessions.loginBody(sessionId, member)).token;
  }

  async function join(name: string): Promise<Person> {
    const account_id = `acc_${name}`;
    const email = `${name}@example.org`;
    const account = { id: account_id, email, display_name: name, password_hash: "none" };
    const { tenant_id, member_id } = await ctx.system.tx(async (tx) => {
      await ctx.tenants.insertAccount(tx, {
        ...account,
        referred_by: null,
        browser_language: null,
        created_at: clock.now(),
      });
      return ctx.tenants.createWorkspace(tx, account_id, { name, mode: null, parent_tenant_id: null });
    });
    return { token: await signIn(tenant_id, member_id), account_id, member_id, tenant_id, email };
  }

  return {
    ctx,
    db,
    system: ctx.system,
    tenant: (id) => openTenant(db, id),
    clock,
    nodes: ctx.nodes,
    commands: ctx.commands,
    live: ctx.live,
    runJob: ctx.jobs.run,
    samples: ctx.samples,
    get routes() {
      return mounted.routes();
    },
    listen: () => listenWith(mounted.whole()),
    call,
    join,
    signIn: ({ tenant_id, member_id }) => signIn(tenant_id, member_id),
    async invite(host, name, role) {
      const { account_id, email } = await join(name);
      const member_id = `mem_${name}`;
      await ctx.system.run("INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, ?, ?, ?, 0)", [
        host.tenant_id,
        member_id,
        account_id,
        role,
      ]);
      const token = await signIn(host.tenant_id, member_id);
      return { token, account_id, member_id, tenant_id: host.tenant_id, email };
    },
  };
}
