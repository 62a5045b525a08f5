import { beforeAll, expect, test } from "bun:test";
import { holds } from "../../src/panel/permissions.ts";
import { nodeFacts } from "../kit/node-facts.ts";
import { createTestPanel, type Person, type TestPanel } from "../kit/panel-app.ts";
import { createTestNodes } from "../kit/panel-nodes.ts";
import { freshDatabases, onEachEngine } from "../kit/sql-databases.ts";

const ROLES = ["org_owner", "org_admin", "org_manager", "org_viewer", "org_teacher"] as const;

/**
 * A body that each changing route accepts, so that only the caller decides; a new route without one fails here. `{id}` becomes
 * an id of the other workspace.
 */
const BODIES: Record<string, unknown> = {
  "POST /api/oauth/authorize/consent": {
    response_type: "code",
    client_id: "{id}",
    redirect_uri: "https://node.example.org/callback",
    state: "12345678",
    code_challenge: "A".repeat(43),
    code_challenge_method: "S256",
    approve: true,
  },
  "PUT /api/auth/profile": { name: "Renamed" },
  "POST /api/auth/change-password": { old_password: "wrong password", new_password: "another good phrase" },
  "POST /api/auth/password": { old_password: "wrong password", new_password: "another good phrase" },
  "POST /api/auth/onboarding": {},
  "POST /api/auth/logout": undefined,
  "POST /api/auth/refresh": undefined,
  "DELETE /api/fleet/instances/{id}": undefined,
  "POST /api/fleet/instances/{id}/impersonate": undefined,
  "POST /api/fleet/commands": { instance_ids: ["{id}"], command: "inventory.refresh" },
  "POST /api/fleet/commands/{id}/cancel": undefined,
  "POST /api/fleet/groups": { name: "Racks" },
  "PATCH /api/fleet/groups/{id}": { name: "Renamed" },
  "DELETE /api/fleet/groups/{id}": undefined,
  "PUT /api/fleet/instances/{id}/client": { client_id: "{id}" },
  "PUT /api/fleet/instances/{id}/group": { group_id: "{id}" },
  "PUT /api/fleet/instances/{id}/region": { region: "eu" },
  "PUT /api/fleet/instances/{id}/tags": { tags: ["prod"] },
  "POST /api/fleet/notices/{id}/acknowledge": undefined,
  "POST /api/fleet/tokens": { name: "Racks", group_id: "{id}" },
  "DELETE /api/fleet/tokens/{id}": undefined,
  "PUT /api/fleet/views": { views: [{ name: "Mine", query: "q=web" }] },
  "POST /api/onboarding/enroll-token": { ttl_minutes: 5 },
  "PUT /api/team/members/{id}/role": { role: "org_viewer" },
  "PUT /api/v1/workspace/mode": { mode: "school" },
  "PUT /api/v1/workspace/settings": { require_2fa: true },
  "POST /api/workspaces": { name: "Another" },
  "POST /api/workspaces/{id}/leave": undefined,
  "POST /api/workspaces/{id}/switch": undefined,
};

/** What a route needs in its query to answer at once. */
const QUERIES: Record<string, string> = { "GET /api/onboarding/first-heartbeat": "?timeout=0" };

const PARAMETER = /\{\w+\}/;
const NAMES_AN_ID = /(^|_)ids?$/;

/** Where else than in the path a route takes an id, as its own description says. */
interface Places {
  /** Parameters of the query that take text. */
  query: string[];
  /** Fields of the body that are called after an id. */
  body: string[];
}

/** A route as OpenAPI tells of it, as far as it is read here. */
interface Described {
  parameters?: { name: string; in: string; schema: { type?: string } }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> };
}

async function placesOf(panel: TestPanel): Promise<Map<string, Places>> {
  const { body } = await panel.call("GET /api/openapi.json");
  const paths: Record<string, Record<string, Described>> = body.paths;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): [string, Places] => {
      const texts = parameters.filter(({ schema }) => schema.type === "string" || schema.type === "array");
      const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.keys(schema.properties ?? {}),
      );
      return [
        `${method.toUpperCase()} ${path}`,
        {
          query: texts.filter((each) => each.in === "query").map(({ name }) => name),
          body: fields.filter((name) => NAMES_AN_ID.test(name)),
        },
      ];
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
  const databases = freshDatabases(engine);
  let panel: TestPanel;
  let victim: Person;
  let ids: string[];
  const callers = new Map<string, Person>();
  let places: Map<string, Places>;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    victim = await panel.join("canary");
    const nodes = createTestNodes(panel);
    await nodes.enrol(victim.tenant_id, "canary-node", { hostname: "canary-host" });
    await nodes.heartbeat("canary-node");
    const inventory = { cluster: { id: "canary-cluster", name: "canary cluster", role: "leader", peers: [] } };
    const own = { id: "canary-node", tenant_id: victim.tenant_id, hostname: "canary-host", inventory };
    panel.live.put(nodeFacts(1, own));
    await panel.system.run(
      "INSERT INTO node_groups (tenant_id, id, name, created_at) VALUES (?, 'grp_canary', 'canary group', 0)",
      [victim.tenant_id],
    );
    await panel.system.run(
      `INSERT INTO node_notices (tenant_id, id, node_id, kind, address, first_at, at)
       VALUES (?, 'ntc_1', 'canary-node', 'moved', 'canary', 0, 0)`,
      [victim.tenant_id],
    );
    ids = [
      victim.tenant_id,
      victim.member_id,
      victim.account_id,
      "canary-node",
      "grp_canary",
      "tok_1",
      "ntc_1",
      "canary-cluster",
    ];
    const body = { instance_ids: ["canary-node"], command: "run_command", params: { command: "canary" } };
    const sent = await panel.call("POST /api/fleet/commands", { token: victim.token, body });
    ids.push(sent.body.commands[0].id);
    const host = await panel.join("host");
    for (const role of ROLES) callers.set(role, await panel.invite(host, `caller_${role}`, role));
    const staff = await panel.invite(host, "caller_staff", "org_teacher");
    await panel.system.run("UPDATE accounts SET global_role = 'admin' WHERE id = ?", [staff.account_id]);
    callers.set("staff", staff);
    places = await placesOf(panel);
  });

  /** Everything that belongs to the other workspace. */
  const rowsOfVictim = async () => {
    const tables = await tablesOfTenants(panel);
    const rows = tables.map(({ name }) =>
      panel.system.all(`SELECT * FROM ${name} WHERE tenant_id = ?`, [victim.tenant_id]),
    );
    return JSON.stringify(await Promise.all(rows));
  };

  test("nobody reads, changes or finds another workspace", async () => {
    const wrong: string[] = [];
    const before = await rowsOfVictim();
    // The rules are the same ones; what differs is the database, and that only those meet who get past them.
    const asked = [...callers].filter(([kind]) => engine === "sqlite" || ["org_owner", "staff"].includes(kind));
    for (const [kind, person] of asked) {
      for (const { method, path, rule, feature } of panel.routes) {
        if (rule.kind === "open" || feature === "kernel") continue;
        const route = `${method} ${path}`;
        if (method !== "GET" && !Object.hasOwn(BODIES, route)) wrong.push(`${route} has no body in this test`);
        const fixture = JSON.stringify(BODIES[route]) ?? "";
        const { query = [], body: fields = [] } = places.get(route) ?? {};
        const unasked = fields.filter((name) => !new RegExp(`"${name}":\\[?"\\{id\\}"`).test(fixture));
        if (unasked.length > 0) wrong.push(`${route} is not asked with a foreign ${unasked.join(", ")}`);
        // Each route by a fresh token: one that moved to another workspace must not speak for this one.
        const token = await panel.signIn(person);
        for (const id of ids) {
          const filled = `${method} ${path.replace(PARAMETER, id)}`;
          const text = fixture === "" ? undefined : fixture.replaceAll("{id}", id);
          const { status, body } = await panel.call(`${filled}${QUERIES[route] ?? ""}`, { token, body: text });
          const answer = JSON.stringify(body).replaceAll(id, "");
          if (answer.includes("canary")) wrong.push(`${kind}: ${route} tells of the other workspace`);
          const isAsked = PARAMETER.test(path) || fixture.includes("{id}");
          if (isAsked && status !== 404 && status !== 403) wrong.push(`${kind}: ${route}: ${status}`);
          if (status >= 500) wrong.push(`${kind}: ${route}: ${status}`);
          for (const name of query) {
            const found = await panel.call(`${filled}?${name}=${id}`, { token, body: text });
            const told = JSON.stringify(found.body).replaceAll(id, "");
            if (told.includes("canary")) wrong.push(`${kind}: ${route}?${name} tells of the other workspace`);
            if (found.status >= 500) wrong.push(`${kind}: ${route}?${name}: ${found.status}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(await rowsOfVictim()).toBe(before);
  }, 30_000);

  test("its own people do find it, so that the search above can fail", async () => {
    const found = async (path: string) =>
      JSON.stringify((await panel.call(`GET /api/fleet/${path}`, { token: await panel.signIn(victim) })).body);
    expect(await found("instances?q=canary")).toContain("canary-host");
    expect(await found("clusters/canary-cluster/topology")).toContain("canary-node");
    expect(await found("heatmap?metric=cpu")).toContain("canary-host");
    expect(await found("instances/canary-node/notices")).toContain("canary");
    expect(await found("changes")).toContain("event: changed");
  });

  test("a token that ran out opens nothing, a suspended workspace only the ways out of it", async () => {
    const wrong: string[] = [];
    const late = await panel.join("late");
    const tired = await panel.join("tired");
    const expired = late.token;
    await panel.clock.advance(15 * 60_000);
    await panel.system.run("UPDATE tenants SET status = 'suspended' WHERE tenant_id = ?", [tired.tenant_id]);
    for (const { method, path, rule } of panel.routes) {
      if (rule.kind === "open") continue;
      const call = `${method} ${path.replace(PARAMETER, "none")}`;
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

  test("permissions decide, before the body is read", async () => {
    const wrong: string[] = [];
    for (const [kind, person] of [...callers, ["anonymous", null] as const]) {
      const token = person && (await panel.signIn(person));
      for (const { method, path, rule } of panel.routes) {
        if (rule.kind === "open" || method === "GET") continue;
        const options = { body: "{broken", ...(token ? { token } : {}) };
        const { status, body } = await panel.call(`${method} ${path.replace(PARAMETER, "none")}`, options);
        const role = ROLES.find((name) => name === kind) ?? "org_teacher";
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
