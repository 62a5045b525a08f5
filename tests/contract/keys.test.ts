import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { isRecord } from "../../src/lib/json.ts";
import type { NodeRule } from "../../src/node/access.ts";
import { panelLinkFeatures } from "../../src/node/panel-link/wire.ts";
import { peopleFeatures } from "../../src/node/people/wire.ts";
import { startImageEngine } from "../kit/image-engine.ts";
import { type Answer, createTestNode, type TestNode } from "../kit/node-app.ts";
import { stopStorage } from "../kit/storage-node.ts";
import { until } from "../kit/until.ts";

/**
 * Routes of accounts, ways in, settings and the panel that keys may use without further ado, and why nothing that is made
 * there outlives or outranks a key.
 */
const GRANT_NOTHING: Record<string, string> = {
  "DELETE /api/auth/passkeys/{id}": "ends a way in",
  "DELETE /api/auth/sessions": "ends sessions",
  "DELETE /api/auth/sessions/{id}": "ends a session",
  "DELETE /api/drive/webdav-passwords/{id}": "ends a password of a program",
  "DELETE /api/keys/{id}": "ends a key",
  "DELETE /api/paired-devices/{id}": "ends an app's way in",
  "DELETE /api/profile/avatar": "a picture",
  "DELETE /api/users/{id}": "ends an account",
  "DELETE /api/users/{id}/invite": "ends a link",
  "PATCH /api/auth/passkeys/{id}": "a name",
  "POST /api/auth/lock": "locks the session that asks, and keys have none",
  "POST /api/auth/unlock": "trades the session that asks for a fresh one, and keys have none",
  "POST /api/cp/heartbeat": "says what would be said a minute later",
  "PUT /api/profile/avatar": "a picture",
  "PUT /api/profile/last-seen-release": "what was read",
  "PUT /api/profile/preferences": "looks",
};

/** Routes that hand out a secret which opens nothing here. */
const HAND_OUT: Record<string, string> = {
  "POST /api/alerting/channels/{id}/test": "a receiver's status code",
  "POST /api/apps/plan": "names of settings and ports of an app",
  "POST /api/auth/unlock": "trades the session that asks for a fresh one, and keys have none",
  "POST /api/backup/targets/{id}/test": "says by a code what is wrong with a place",
  "POST /api/log-forwarders/{id}/test": "a receiver's status code",
  "POST /api/objects/buckets/{name}/uploads/{upload_id}/finish": "the name of an object",
  "POST /api/webhooks/{id}/rotate-secret": "signs what this server sends, to be checked by its receiver",
};

/** Features that decide who gets in. */
const GUARDED = new Set(
  [...peopleFeatures, ...panelLinkFeatures].map(({ name }): string => name).concat("settings", "setup"),
);
/** Fields that somebody could come in with. */
const OPENING = /^(.*secret.*|.*token.*|key|.*password|codes?|link|provisioning_uri|options|session_url)$/;

const node = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000" });
afterAll(() => node.close());

const nameOf = ({ method, path }: Pick<RouteInfo, "method" | "path">): string => `${method} ${path}`;
const isChanging = ({ method }: RouteInfo): boolean => !["GET", "HEAD"].includes(method);
const keysOf = ({ rule }: RouteInfo<NodeRule>) => (rule.kind === "session" ? rule.keys : "never");

/** Names of all fields in a schema, however deep. */
function fieldsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf);
  if (!isRecord(schema)) return [];
  const own = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [...own, ...Object.values(schema).flatMap(fieldsOf)];
}

const free = node.routes.filter((route) => isChanging(route) && keysOf(route) === undefined);

test("no route on accounts, ways in, settings or the panel lets keys in without a reason", () => {
  const found = free.filter(({ feature }) => GUARDED.has(feature)).map(nameOf);
  expect(found.toSorted()).toEqual(Object.keys(GRANT_NOTHING).toSorted());
});

test("no route hands a key anything that somebody could come in with", () => {
  const found = free
    .filter(({ hooks }) => fieldsOf(hooks["response"]).some((field) => OPENING.test(field)))
    .map(nameOf);
  expect(found.toSorted()).toEqual(Object.keys(HAND_OUT).toSorted());
});

test("no key reads the passwords that an app was made with: they open the app when the key has ended", () =>
  withKeys(async (on, keyOf) => {
    const key = await keyOf({ scopes: "apps" });
    expect(outcome(await key.call("GET /api/apps/app_1/secrets"))).toEqual([403, "key_cannot_grant"]);
    expect(outcome(await on.call("GET /api/apps/app_1/secrets", { as: "admin" }))).toEqual([404, "app_not_found"]);
  }));

let all: Record<string, string>;
beforeAll(async () => {
  const { body } = await node.call("POST /api/keys", { as: "admin", body: { name: "all" } });
  all = { "x-api-key": body.key };
});

test.each(node.routes.filter((route) => route.rule.kind === "session" && keysOf(route) === "never").map(nameOf))(
  "%s is closed to a key that covers everything, before its body is looked at",
  async (route) => {
    const before = node.ctx.db.raw.query("SELECT * FROM users").all();
    const answer = await node.call(route.replace(/\{\w+\}/g, "none"), { headers: all, body: "{broken" });
    expect([answer.status, answer.body.code]).toEqual([403, "key_cannot_grant"]);
    expect(node.ctx.db.raw.query("SELECT * FROM users").all()).toEqual(before);
  },
);

/** A node with an admin, and keys of that admin. */
async function withKeys(prove: (on: TestNode, keyOf: KeyMaker) => Promise<void>, config = {}): Promise<void> {
  const own = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000", ...config });
  const keyOf: KeyMaker = async (input) => {
    const { body } = await own.call("POST /api/keys", { as: "admin", body: { name: "k", ...input } });
    return {
      id: body.id,
      call: (route, sent, headers) => own.call(route, { headers: { ...headers, "x-api-key": body.key }, body: sent }),
    };
  };
  await prove(own, keyOf);
  own.close();
}
type KeyMaker = (input?: object) => Promise<{
  id: string;
  call(route: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}>;

const outcome = ({ status, body }: Answer) => [status, body.code ?? null];

/** What each route that says it is bounded does for a key. */
const BOUNDED: Record<string, (on: TestNode, keyOf: KeyMaker) => Promise<void>> = {
  async "POST /api/apps"(on, keyOf) {
    const install = { template: "portainer", name: "portainer" };
    const confirmed = { ...install, config: { permissions: ["docker_socket"] } };
    for (const scopes of ["apps", "*"]) {
      const key = await keyOf({ scopes });
      expect(outcome(await key.call("POST /api/apps", confirmed))).toEqual([403, "key_cannot_confirm"]);
      expect(outcome(await key.call("POST /api/apps", install))).toEqual([400, "invalid_request"]);
    }
    expect((await on.call("POST /api/apps", { as: "admin", body: confirmed })).status).not.toBe(403);
    const key = await keyOf({ scopes: "apps" });
    for (const config of [{ publish: "lan" }, { reach: { "web:80": "lan" } }])
      expect(outcome(await key.call("POST /api/apps", { ...install, config }))).toEqual([403, "key_cannot_open_app"]);
    // This template says by itself that it is for the network.
    const samba = { template: "samba", name: "samba" };
    expect(outcome(await key.call("POST /api/apps", samba))).toEqual([403, "key_cannot_open_app"]);
    const closed = { ...samba, config: { publish: "loopback" } };
    expect((await key.call("POST /api/apps", closed)).status).not.toBe(403);
    // Wherever a key comes from, an app whose template says nothing is for this server.
    const away = { host: "atlas.local:8420" };
    const planned = await key.call("POST /api/apps/plan", { template: "whoami" }, away);
    expect([planned.status, planned.body.publish]).toEqual([200, "loopback"]);
  },
  async "PUT /api/apps/{id}/config"(on, keyOf) {
    const key = await keyOf({ scopes: "apps" });
    const change = async (body: object) => outcome(await key.call("PUT /api/apps/app_1/config", body));
    expect(await change({ publish: "lan" })).toEqual([403, "key_cannot_open_app"]);
    expect(await change({ publish: "loopback", reach: { "web:80": "lan" } })).toEqual([403, "key_cannot_open_app"]);
    expect(await change({ publish: "loopback", ports: { "web:80": 8080 } })).toEqual([404, "app_not_found"]);
    const confirmed = { publish: "loopback", permissions: ["web/nested_path:/srv/films"] };
    expect(await change(confirmed)).toEqual([403, "key_cannot_confirm"]);
    expect(await change({ ...confirmed, permissions: [] })).toEqual([404, "app_not_found"]);
    const asAdmin = { as: "admin" as const, body: { publish: "lan" } };
    expect(outcome(await on.call("PUT /api/apps/app_1/config", asAdmin))).toEqual([404, "app_not_found"]);
  },
  async "PUT /api/alerting/channels/{id}"(on, keyOf) {
    const config = { chat_id: "@ops_room" };
    const made = { name: "ops", type: "telegram", config, secret: `123456:${"a".repeat(30)}` };
    const { id } = (await on.call("POST /api/alerting/channels", { as: "admin", body: made })).body;
    const route = `PUT /api/alerting/channels/${id}`;
    for (const scopes of ["alerts", "*"]) {
      const key = await keyOf({ scopes });
      for (const body of [
        { config: { chat_id: "@evil_room" } },
        { secret: `123456:${"b".repeat(30)}` },
        { secret: null },
      ])
        expect(outcome(await key.call(route, body))).toEqual([403, "key_cannot_lead_channel"]);
      const { status, body } = await key.call(route, { name: "people", enabled: false });
      expect([status, body.name, body.enabled, body.config]).toEqual([200, "people", false, config]);
    }
    expect((await on.call(route, { as: "admin", body: { config, secret: `123456:${"c".repeat(30)}` } })).status).toBe(
      200,
    );
  },
  async "PUT /api/log-forwarders/{id}"(on, keyOf) {
    const config = { host: "192.0.2.7", port: 514, transport: "tcp" };
    const made = { name: "logs", kind: "syslog", enabled: false, config };
    const { id } = (await on.call("POST /api/log-forwarders", { as: "admin", body: made })).body;
    const route = `PUT /api/log-forwarders/${id}`;
    const key = await keyOf();
    for (const body of [{ config: { ...config, host: "192.0.2.9" } }, { secret: "mine" }])
      expect(outcome(await key.call(route, body))).toEqual([403, "key_cannot_lead_forwarder"]);
    const { status, body } = await key.call(route, { sources: "system" });
    expect([status, body.sources, body.config]).toEqual([200, "system", config]);
    const elsewhere = { config: { ...config, host: "192.0.2.9" } };
    expect((await on.call(route, { as: "admin", body: elsewhere })).status).toBe(200);
  },
  async "POST /api/objects/buckets"(on, keyOf) {
    const key = await keyOf();
    const make = async (body: object) => outcome(await key.call("POST /api/objects/buckets", body));
    expect(await make({ name: "photos", visibility: "public" })).toEqual([403, "key_cannot_open_bucket"]);
    expect(await make({ name: "photos", visibility: "private" })).toEqual([201, null]);
    const open = { as: "admin" as const, body: { name: "films", visibility: "public" } };
    expect((await on.call("POST /api/objects/buckets", open)).status).toBe(201);
    await stopStorage(on);
  },
  async "PUT /api/objects/buckets/{name}/settings"(on, keyOf) {
    const key = await keyOf();
    await key.call("POST /api/objects/buckets", { name: "photos" });
    const route = "PUT /api/objects/buckets/photos/settings";
    const shown = { visibility: "public", website: { index: "index.html", error: null }, rules: [] };
    const byKey = async (body: object) => outcome(await key.call(route, body));
    expect(await byKey(shown)).toEqual([403, "key_cannot_open_bucket"]);
    expect(await byKey({ ...shown, visibility: "private" })).toEqual([200, null]);
    expect((await on.call(route, { as: "admin", body: shown })).status).toBe(200);
    expect(await byKey({ ...shown, website: null })).toEqual([200, null]);
    expect(await byKey({ ...shown, visibility: "private" })).toEqual([200, null]);
    expect(await byKey(shown)).toEqual([403, "key_cannot_open_bucket"]);
    await stopStorage(on);
  },
  async "POST /api/apps/{id}/update"(on, keyOf) {
    const key = await keyOf({ scopes: "apps" });
    const update = (body: object) => key.call("POST /api/apps/app_1/update", body);
    expect(outcome(await update({ permissions: ["docker_socket"] }))).toEqual([403, "key_cannot_confirm"]);
    expect(outcome(await update({ permissions: [] }))).toEqual([404, "app_not_found"]);
    const asAdmin = { as: "admin" as const, body: { permissions: ["docker_socket"] } };
    expect(outcome(await on.call("POST /api/apps/app_1/update", asAdmin))).toEqual([404, "app_not_found"]);
  },
  async "POST /api/containers"() {
    const engine = startImageEngine();
    const volume = { Driver: "local", Labels: null, Options: null };
    engine.volumes.push(
      { ...volume, Name: "keys", Labels: { "orrery.for_keys": "yes" } },
      { ...volume, Name: "plain" },
      { ...volume, Name: "project", Labels: { "com.docker.compose.project": "photos" } },
      // A file of before could say so of itself.
      { ...volume, Name: "both", Labels: { "com.docker.compose.project": "photos", "orrery.for_keys": "yes" } },
      { ...volume, Name: "folder", Options: { type: "none", o: "bind", device: "/" } },
      { ...volume, Name: "elsewhere", Driver: "rclone" },
    );
    await withKeys(
      async (on, keyOf) => {
        on.ctx.runtime.start();
        await until(() => on.ctx.runtime.engine() !== null, { what: "the engine" });
        const key = await keyOf({ scopes: "apps" });
        const input = (name: string) => ({ image: "web:1", name: "web", volumes: [{ name, path: "/data" }] });
        // Made while its image was pulled.
        engine.pull("docker.io/library/web:1");
        const { volumes } = engine;
        const hasBegun = on.ctx.db.raw.query("SELECT 1 FROM operations WHERE kind = 'container.run'");
        const get = () => (hasBegun.get() === null ? [] : volumes);
        Object.defineProperty(engine, "volumes", { get });
        const { op_id } = (await key.call("POST /api/containers", input("folder"))).body;
        const ended = () => on.ctx.operations.get(op_id).error;
        expect(await until(ended, { what: "its end" })).toMatchObject({ code: "key_cannot_mount" });

        for (const name of ["plain", "project", "folder", "elsewhere"]) {
          expect(outcome(await key.call("POST /api/containers", input(name)))).toEqual([403, "key_cannot_mount"]);
          const byAdmin = { as: "admin" as const, body: input(name) };
          expect((await on.call("POST /api/containers", byAdmin)).status).toBe(200);
        }
        // What a key made beforehand is taken by nobody for a volume of their own.
        expect(outcome(await key.call("POST /api/containers", input("both")))).toEqual([403, "key_cannot_mount"]);
        const ofKeys = { as: "admin" as const, body: input("keys") };
        expect(outcome(await on.call("POST /api/containers", ofKeys))).toEqual([409, "volume_of_keys"]);
        const open = { ...input("new"), ports: [{ container: 80, host: 8080, reach: "lan" }] };
        expect(outcome(await key.call("POST /api/containers", open))).toEqual([403, "key_cannot_open_port"]);
        expect((await on.call("POST /api/containers", { as: "admin", body: open })).status).toBe(200);
        for (const name of ["keys", "new"])
          expect((await key.call("POST /api/containers", input(name))).status).toBe(200);
      },
      { docker_socket: engine.socket },
    );
    engine.stop();
  },
  async "POST /api/keys"(on, keyOf) {
    const short = await keyOf({ expires_in: 3 });
    const make = (input: object) => short.call("POST /api/keys", { name: "child", ...input });
    expect(outcome(await make({ expires_in: 4 }))).toEqual([403, "key_exceeds_parent"]);
    const child = (await make({})).body;
    expect(Date.parse(child.expires_at) - on.clock.now()).toBe(3_000);
    const narrow = (await make({ scopes: "apps", expires_in: 2 })).body;
    expect([narrow.scopes, Date.parse(narrow.expires_at) - on.clock.now()]).toEqual(["apps", 2_000]);
    const use = (key: string) => on.call("GET /api/auth/me", { headers: { "x-api-key": key } });
    expect((await use(child.key)).status).toBe(200);
    await on.clock.advance(3_000);
    expect((await use(child.key)).status).toBe(401);

    const parent = await keyOf();
    const heir = (await parent.call("POST /api/keys", { name: "heir" })).body;
    const byHeir = { headers: { "x-api-key": heir.key }, body: { name: "grandchild" } };
    const grandchild = (await on.call("POST /api/keys", byHeir)).body;
    expect((await use(grandchild.key)).status).toBe(200);
    await on.call(`DELETE /api/keys/${parent.id}`, { as: "admin" });
    expect([(await use(heir.key)).status, (await use(grandchild.key)).status]).toEqual([401, 401]);
    const told = on.events.filter(({ name }) => name === "key.revoked").map(({ data }) => data);
    expect(told).toMatchObject([{ key_id: parent.id }, { key_id: heir.id }, { key_id: grandchild.id }]);
  },
  async "PATCH /api/users/{id}"(on, keyOf) {
    const { id } = (await on.call("POST /api/users", { as: "admin", body: { username: "ada", role: "member" } })).body;
    const change = async (body: object) =>
      outcome(await (await keyOf({ scopes: "users" })).call(`PATCH /api/users/${id}`, body));
    expect(await change({ role: "admin" })).toEqual([403, "key_cannot_raise"]);
    expect(await change({ username: "eve" })).toEqual([403, "key_cannot_raise"]);
    expect(await change({ role: "viewer" })).toEqual([200, null]);
    expect(await change({ role: "member" })).toEqual([403, "key_cannot_raise"]);
    expect(await change({ disabled: true })).toEqual([200, null]);
    expect(await change({ disabled: false })).toEqual([403, "key_cannot_raise"]);
    expect((await on.call(`PATCH /api/users/${id}`, { as: "admin", body: { disabled: false } })).status).toBe(200);
  },
  async "PUT /api/settings"(on, keyOf) {
    const key = await keyOf({ scopes: "settings" });
    const wanted = { "node.name": "tower", "alerting.public_url": "https://evil.example.org" };
    expect(outcome(await key.call("PUT /api/settings", wanted))).toEqual([403, "key_cannot_set"]);
    expect(on.ctx.settings.get("node.name")).toBe("");
    expect(outcome(await key.call("PUT /api/settings", { "node.name": "tower" }))).toEqual([200, null]);
  },
  async "PUT /api/settings/{key}"(on, keyOf) {
    const key = await keyOf({ scopes: "settings" });
    const barred = [
      "alerting.public_url",
      "auth.webauthn_rp_id",
      "auth.approve_on_device",
      "apps.registry_mirror",
      "apps.publish_default",
      "apps.registry_credentials",
    ];
    for (const name of barred)
      expect([name, ...outcome(await key.call(`PUT /api/settings/${name}`, { value: "" }))]).toEqual([
        name,
        403,
        "key_cannot_set",
      ]);
    expect((await on.call(`PUT /api/settings/${barred[0]}`, { as: "admin", body: { value: "" } })).status).toBe(200);
  },
};

describe("a route that is bounded stays below the key that asks", () => {
  test("each has its proof", () => {
    const bounded = node.routes.filter((route) => keysOf(route) === "bounded").map(nameOf);
    expect(bounded.toSorted()).toEqual(Object.keys(BOUNDED).toSorted());
  });
  test.each(Object.entries(BOUNDED))("%s", (_route, prove) => withKeys(prove, { s3_listen: "127.0.0.1:0" }));
});

test("no setting that decides who is let in or where people sign in is forgotten", () => {
  const telling =
    /auth|public_url|origin|proxy|mirror|rp_id|sign|publish|reach|listen|credential|secret|token|password/;
  const open = node.ctx.settings.list().filter(({ key }) => !node.ctx.settings.isByPeopleOnly(key));
  expect(open.map(({ key }) => key).filter((key) => telling.test(key))).toEqual([]);
  expect(open.filter(({ secret }) => secret)).toEqual([]);
});
