import { beforeAll, expect, spyOn, test } from "bun:test";
import { holds } from "../../src/panel/access.ts";
import { createTestPanel, type Person, type TestPanel } from "../kit/panel-app.ts";
import { createTestNodes } from "../kit/panel-nodes.ts";
import { BODIES, SIGN_IN, WORDLESS } from "../kit/panel-requests.ts";
import { onEachEngine, panelDatabases } from "../kit/sql-databases.ts";
import { makeThings, type ThingIds } from "../kit/tenant-things.ts";

const ROLES = ["org_owner", "org_admin", "org_manager", "org_viewer", "org_teacher"] as const;

/** What a session that a workspace's own sign-in began may do under /api/auth/: go on, go away, and prove itself. */
const OF_A_SESSION = [
  "GET /api/auth/me",
  "GET /api/auth/notifications",
  "PUT /api/auth/notifications",
  "POST /api/auth/logout",
  "POST /api/auth/onboarding",
  "POST /api/auth/refresh",
  "POST /api/auth/step-up",
  "POST /api/auth/step-up/begin",
];

/** Answered by a node that holds a session with the panel; here none does. */
const OF_NODES_AT_HAND = ["fleet/instances/{id}/logs/stream"];

/** What a route needs in its query to answer at once, and all of it. `{id}` as above. */
const QUERIES: Record<string, Record<string, string>> = {
  "GET /api/search/global": { q: "canarybird" },
  "GET /api/search/stream": { q: "canarybird" },
  "GET /api/onboarding/first-heartbeat": { timeout: "0" },
  "GET /api/oauth/authorize/preflight": SIGN_IN,
};

/** The query of a route about a thing. */
function queryOf(route: string, id: string, more: Record<string, string> = {}): string {
  const pairs = Object.entries(QUERIES[route] ?? {}).map(([name, value]) => [name, value.replace("{id}", id)]);
  return `?${new URLSearchParams({ ...Object.fromEntries(pairs), ...more })}`;
}

const PARAMETERS = /\{\w+\}/g;
const PLACES = /\/([\w-]+)\/\{\w+\}/g;
const NAMES_AN_ID = /(^|_)ids?$/;

/** A path with the things that belong there; a word that nobody has things for fails. */
const pathOf = (path: string, things: ThingIds): string =>
  path.replace(PLACES, (_, word: string) => {
    const id = new Map(Object.entries(things)).get(word);
    if (id === undefined) throw new Error(`what is a thing of ${word}?`);
    return `/${word}/${id}`;
  });

/** One call; `id` is what the body and the query are about. */
interface Ask {
  where: string;
  id: string;
  query?: Record<string, string>;
  mustRefuse: boolean;
}

/** Where else than in the path a route takes an id, as its own description says. */
interface Places {
  /** Parameters of the query that take text. */
  query: string[];
  /** Fields of the body, however deep, that are called after an id. */
  body: string[];
}

/** A schema as OpenAPI tells of it, as far as it is read here. */
interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

interface Described {
  parameters?: { name: string; in: string; schema: Shape }[];
  requestBody?: { content: Record<string, { schema: Shape }> };
}

const isText = ({ type, anyOf = [] }: Shape): boolean => type === "string" || type === "array" || anyOf.some(isText);

const fieldsOf = ({ properties = {}, items, anyOf = [] }: Shape): string[] => [
  ...Object.entries(properties).flatMap(([name, shape]) => [name, ...fieldsOf(shape)]),
  ...(items ? fieldsOf(items) : []),
  ...anyOf.flatMap(fieldsOf),
];

async function placesOf(panel: TestPanel): Promise<Map<string, Places>> {
  const { body } = await panel.call("GET /api/openapi.json");
  const paths: Record<string, Record<string, Described>> = body.paths;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): [string, Places] => {
      const texts = parameters.filter((each) => each.in === "query" && isText(each.schema));
      const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema));
      const ids = [...new Set(fields)].filter((name) => NAMES_AN_ID.test(name));
      return [`${method.toUpperCase()} ${path}`, { query: texts.map(({ name }) => name), body: ids }];
    }),
  );
  return new Map(all);
}

function tablesOfTenants({ db, system }: TestPanel): Promise<{ name: string }[]> {
  return system.all(
    db.engine === "sqlite"
      ? `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'tenant_id'
         WHERE m.type = 'table' ORDER BY m.name`
      : "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'tenant_id' ORDER BY table_name",
  );
}

onEachEngine("every route of the panel × every caller", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let victim: Person;
  let theirs: ThingIds;
  let own: ThingIds;
  let ids: string[];
  const callers = new Map<string, Person>();
  let places: Map<string, Places>;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    const nodes = createTestNodes(panel);
    victim = await panel.join("canarybird");
    theirs = await makeThings(panel, nodes, victim, "canarybird");
    ids = [...new Set([...Object.values(theirs), victim.account_id])];
    const host = await panel.join("host");
    own = await makeThings(panel, nodes, host, "own");
    for (const role of ROLES) callers.set(role, await panel.invite(host, `caller_${role}`, role));
    const staff = await panel.invite(host, "caller_staff", "org_teacher");
    await panel.system.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?", [
      staff.account_id,
    ]);
    callers.set("staff", staff);
    // The one above it, and the one beside it.
    const parent = await panel.join("parent");
    const sibling = await panel.join("sibling");
    await panel.system.run("UPDATE tenants SET parent_tenant_id = ? WHERE tenant_id IN (?, ?)", [
      ...[parent.tenant_id, victim.tenant_id, sibling.tenant_id],
    ]);
    callers.set("parent", parent);
    callers.set("sibling", sibling);
    for (const job of ["fleet.cpu", "fleet.snapshots"]) await panel.runJob(job);
    places = await placesOf(panel);
  }, 60_000);

  /** Everything that belongs to a workspace, by table. */
  const rowsOf = async (tenantId: string): Promise<Record<string, unknown[]>> => {
    const rows: Record<string, unknown[]> = {};
    for (const { name } of await tablesOfTenants(panel))
      rows[name] = await panel.system.all(`SELECT * FROM ${name} WHERE tenant_id = ?`, [tenantId]);
    return rows;
  };

  test("the other workspace has something in every table, so that everything of it could be found", async () => {
    const empty = Object.entries(await rowsOf(victim.tenant_id)).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  /** Every way to put an id of the other workspace into a route. */
  function* asksOf(method: string, path: string, isThorough: boolean): Generator<Ask> {
    const route = `${method} ${path}`;
    const { query = [], body: fields = [] } = places.get(route) ?? {};
    const text = `${JSON.stringify(BODIES[route])}${JSON.stringify(QUERIES[route])}`;
    const some = isThorough ? ids : [theirs.instances, theirs.groups, theirs.workspaces];
    const isAsked = text.includes("{id}");
    const ownPath = pathOf(path, own);
    if (path !== ownPath) {
      yield { where: pathOf(path, theirs), id: theirs.instances, mustRefuse: true };
      for (const [hole] of isThorough ? path.matchAll(PARAMETERS) : [])
        for (const id of ids) yield { where: pathOf(path.replace(hole, id), own), id, mustRefuse: true };
    }
    // The path is one's own, so that only what stands elsewhere is foreign; what changes one's own is not asked.
    if (isAsked || path === ownPath)
      for (const id of isAsked ? some : [own.instances]) yield { where: ownPath, id, mustRefuse: isAsked };
    for (const name of method === "GET" ? query : [])
      for (const id of some) yield { where: ownPath, id, query: { [name]: id }, mustRefuse: false };
    if (fields.some((name) => !new RegExp(`"${name}":\\[?"\\{id\\}"`).test(text)))
      throw new Error(`${route} is not asked with a foreign ${fields.join(" and ")}`);
  }

  test("nobody reads, changes or finds another workspace", async () => {
    // Nobody is refused as often as here, where each has to learn of every id.
    const counted = spyOn(panel.ctx.audit.acts, "noteRefused").mockImplementation(() => {});
    const wrong: string[] = [];
    const before = await rowsOf(victim.tenant_id);
    for (const [kind, person] of callers) {
      // The others differ in what they may, which is the same for every id.
      const isThorough = engine === "sqlite" && ["org_owner", "staff"].includes(kind);
      for (const { method, path, rule, feature } of panel.routes) {
        if (rule.kind !== "permission" || feature === "kernel" || method === "WS") continue;
        // The console is about other workspaces, for staff alone; its own tests say what it may.
        if (rule.staff === true && kind === "staff") continue;
        const route = `${method} ${path}`;
        if (method !== "GET" && !Object.hasOwn(BODIES, route)) wrong.push(`${route} has no body in this test`);
        // Each route by a fresh token: one that moved to another workspace must not speak for this one.
        const token = await panel.signIn(person);
        for (const { where, id, query = {}, mustRefuse } of asksOf(method, path, isThorough)) {
          const address = `${where}${queryOf(route, id, query)}`;
          const options = { token, body: JSON.stringify(BODIES[route])?.replaceAll("{id}", id) };
          const { status, headers, body } = await panel.call(`${method} ${address}`, options);
          // What was asked for may be said again.
          const told = [id, ...ids.filter((each) => where.includes(each))].reduce(
            (text, each) => text.replaceAll(each, ""),
            `${JSON.stringify(body)} ${JSON.stringify([...headers])}`,
          );
          // Who stands above another workspace sees that it is there.
          const isAbove = kind === "parent" && path === "/api/fleet/clients";
          if (told.includes("canarybird") && !isAbove)
            wrong.push(`${kind}: ${method} ${address} tells of the other one`);
          // A job on nodes of others is a job on no node.
          const isRefused = status === 404 || status === 403 || body?.code === "bulk_no_nodes";
          if ((mustRefuse && !isRefused) || status >= 500) wrong.push(`${kind}: ${method} ${address}: ${status}`);
        }
      }
    }
    counted.mockRestore();
    expect(wrong).toEqual([]);
    expect(await rowsOf(victim.tenant_id)).toEqual(before);
    const mixed = JSON.stringify(await rowsOf(own.workspaces));
    expect(ids.filter((id) => mixed.includes(id))).toEqual([]);
  }, 240_000);

  test("a session that a workspace's own sign-in began reaches nothing of its account's other workspaces", async () => {
    const wrong: string[] = [];
    // One of its own: what is done there stands in its log, by this account.
    const { tenant_id } = await panel.join("elsewhere");
    await panel.system.run("INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, ?, ?, ?, 0)", [
      ...[tenant_id, "mem_both", victim.account_id, "org_owner"],
    ]);
    const member = await panel.ctx.tenants.findMembership(tenant_id, "mem_both");
    if (!member) throw new Error("there is no such member");
    const before = await rowsOf(victim.tenant_id);
    for (const { method, path, rule, feature } of panel.routes) {
      if (rule.kind !== "permission" || feature === "kernel" || method === "WS") continue;
      const route = `${method} ${path}`;
      const { sessions, system } = panel.ctx;
      const begun = await system.tx((tx) => sessions.startWorkspaceSignIn(tx, member, { ip: "127.0.0.1" }));
      const { token } = await sessions.loginBody(begun, member);
      for (const { where, id, query = {}, mustRefuse } of asksOf(method, path, false)) {
        const options = { token, body: JSON.stringify(BODIES[route])?.replaceAll("{id}", id) };
        const address = `${method} ${where}${queryOf(route, id, query)}`;
        const { status, body } = await panel.call(address, options);
        // Who it is may be told, and what was asked for.
        const told = [
          id,
          ...ids.filter((each) => where.includes(each)),
          victim.email,
          victim.account_id,
          '"canarybird"',
        ].reduce(
          (text, each) => text.replaceAll(each, ""),
          typeof body === "string" ? body : JSON.stringify(body ?? ""),
        );
        if (/canarybird/.test(told) || told.includes(victim.tenant_id)) wrong.push(`${address} tells of the other one`);
        const isRefused = status === 404 || status === 403 || body?.code === "bulk_no_nodes";
        if ((mustRefuse && !isRefused) || status >= 500) wrong.push(`${address}: ${status}`);
        // What is the account's own is nobody's who has the say about one workspace's sign-in.
        const isOfAccount = path.startsWith("/api/auth/") && !OF_A_SESSION.includes(route);
        if (isOfAccount && body?.error !== "reauth_required") wrong.push(`${address}: ${status} ${body?.code}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await rowsOf(victim.tenant_id)).toEqual(before);
  }, 60_000);

  test("no socket tells of another workspace: what it is about is looked up when it is open", async () => {
    const wrong: string[] = [];
    const listening = panel.listen();
    const sockets = panel.routes.filter(({ method }) => method === "WS");
    for (const [kind, person] of callers) {
      for (const { path } of sockets) {
        const url = `ws://127.0.0.1:${listening.port}${pathOf(path, theirs)}`;
        const client = new WebSocket(url, { headers: { authorization: `Bearer ${await panel.signIn(person)}` } });
        const told: string[] = [];
        client.onmessage = ({ data }) => void told.push(String(data));
        await new Promise((resolve) => {
          client.onclose = resolve;
        });
        const text = told.join(" ").replaceAll(theirs.instances, "");
        if (text.includes("canary")) wrong.push(`${kind}: ${path} tells of the other one`);
        if (told.some((each) => JSON.parse(each).type !== "error")) wrong.push(`${kind}: ${path}: ${text}`);
      }
    }
    await listening.stop();
    expect(sockets.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  test("its own people do find it wherever others look, so that the search above can fail", async () => {
    const unseen: string[] = [];
    for (const { method, path, rule, feature } of panel.routes) {
      if (method !== "GET" || rule.kind !== "permission" || rule.staff || feature === "kernel") continue;
      if (OF_NODES_AT_HAND.some((name) => path === `/api/${name}`)) continue;
      const token = await panel.signIn(victim);
      const address = `${pathOf(path, theirs)}${queryOf(`GET ${path}`, theirs.instances)}`;
      const { status, body } = await panel.call(`GET ${address}`, { token });
      const isWordless = WORDLESS.some((name) => path === `/api/${name}`);
      if (status >= 400 || JSON.stringify(body).includes("canarybird") === isWordless)
        unseen.push(`${path} ${status} ${JSON.stringify(body).slice(0, 300)}`);
    }
    expect(unseen).toEqual([]);
  });

  test("a token that ran out opens nothing, a suspended workspace only the ways out of it", async () => {
    const wrong: string[] = [];
    const late = await panel.join("late");
    const tired = await panel.join("tired");
    const expired = late.token;
    await panel.clock.advance(15 * 60_000);
    await panel.system.run("UPDATE tenants SET status = 'suspended' WHERE tenant_id = ?", [tired.tenant_id]);
    for (const { method, path, rule } of panel.routes) {
      if (rule.kind !== "permission") continue;
      const call = `${method} ${path.replaceAll(/\{\w+\}/g, "none")}`;
      const body = method === "GET" ? undefined : "{broken";
      if (!rule.whileExpired) {
        const { status } = await panel.call(call, { token: expired, body });
        if (status !== 401) wrong.push(`expired: ${call}: ${status}`);
      }
      const refused = await panel.call(call, { token: await panel.signIn(tired), body });
      const isRefused = refused.status === 403 && refused.body.code === "workspace_suspended";
      if (isRefused === (rule.whileSuspended === true)) wrong.push(`suspended: ${call}: ${refused.status}`);
    }
    expect(wrong).toEqual([]);
  });

  test("without a second factor where one is wanted, little but the ways to one answers", async () => {
    const wrong: string[] = [];
    const strict = await panel.join("strict");
    const bare = await panel.invite(strict, "bare", "org_owner");
    await panel.system.run("UPDATE tenants SET require_2fa = 1 WHERE tenant_id = ?", [strict.tenant_id]);
    // While no owner has one, nobody could help those who are kept out.
    expect((await panel.call("GET /api/team/members", { token: bare.token })).status).toBe(200);
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [strict.account_id]);
    const open = new Set<string>();
    for (const { method, path, rule } of panel.routes) {
      if (rule.kind !== "permission") continue;
      const call = `${method} ${path.replaceAll(/\{\w+\}/g, "none")}`;
      const body = method === "GET" ? undefined : "{broken";
      const { status, body: told } = await panel.call(call, { token: await panel.signIn(bare), body });
      const isRefused = status === 403 && told.error === "mfa_enrollment_required";
      if (isRefused === (rule.whileUnenrolled === true)) wrong.push(`${call}: ${status}`);
      if (!isRefused && !path.startsWith("/api/auth/")) open.add(`${method} ${path}`);
      // Some of what is only read answers when there is news.
      if (method === "GET") continue;
      const enrolled = await panel.call(call, { token: await panel.signIn(strict), body });
      if (enrolled.body.error === "mfa_enrollment_required") wrong.push(`with a factor: ${call}`);
    }
    expect(wrong).toEqual([]);
    expect([...open].toSorted()).toEqual([
      "GET /api/v1/workspace/settings",
      "GET /api/workspaces",
      "POST /api/workspaces/{id}/leave",
      "POST /api/workspaces/{id}/switch",
    ]);
  });

  test("a sign-in that waits for its second factor opens nothing", async () => {
    const wrong: string[] = [];
    const waiting = await panel.join("waiting");
    const { mfa_token } = await panel.system.tx(async (tx) => {
      await panel.ctx.tenants.lockAccount(tx, victim.account_id);
      const member = await panel.ctx.tenants.findOpenMembership(victim.account_id, tx);
      if (!member) throw new Error("the workspace is not open");
      return (await panel.ctx.factors.awaitFactor(tx, member, "none", "127.0.0.1")) ?? { mfa_token: "" };
    });
    expect(mfa_token).toStartWith("mfa_");
    for (const { method, path, rule } of panel.routes) {
      if (rule.kind !== "permission") continue;
      const call = `${method} ${path.replaceAll(/\{\w+\}/g, waiting.tenant_id)}`;
      const headers = { cookie: `orrery_panel=${mfa_token}`, origin: "http://localhost" };
      for (const given of [{ token: mfa_token }, { headers }]) {
        const { status } = await panel.call(call, { ...given, body: method === "GET" ? undefined : "{broken" });
        if (status !== 401) wrong.push(`${call}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("permissions decide, before the body is read", async () => {
    const wrong: string[] = [];
    for (const [kind, person] of [...callers, ["anonymous", null] as const]) {
      const token = person && (await panel.signIn(person));
      for (const { method, path, rule } of panel.routes) {
        if (rule.kind !== "permission" || rule.staff || method === "GET") continue;
        const options = { body: "{broken", ...(token ? { token } : {}) };
        const { status, body } = await panel.call(`${method} ${path.replaceAll(/\{\w+\}/g, "none")}`, options);
        const role = ROLES.find((name) => name === kind) ?? (kind === "staff" ? "org_teacher" : "org_owner");
        const isHeld = rule.permission === null || holds(role, rule.permission) || (kind === "staff" && !rule.ownRole);
        const refusal = kind === "staff" ? "staff_use_admin_console" : "permission_missing";
        const code = kind === "anonymous" ? "unauthorized" : refusal;
        const isRefused = [401, 403].includes(status) && body.code === code;
        if (isRefused !== (kind === "anonymous" || !isHeld)) wrong.push(`${kind}: ${method} ${path}: ${body.code}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
