import { afterAll, expect, test } from "bun:test";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import type { NodeRule, Role } from "../../src/node/access.ts";
import { KEY_SCOPES } from "../../src/node/people/keys/contract.ts";
import { createTestNode } from "../kit/node-app.ts";

const node = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000" });
afterAll(() => node.close());

const KEY_KINDS = [...KEY_SCOPES, "*"].map((scope) => `api key ${scope}` as const);

type CallerKind =
  | "anonymous"
  | Role
  | (typeof KEY_KINDS)[number]
  | "paired device"
  | "locked session"
  | "temporary password"
  | "key of a demoted owner"
  | "expired key"
  | "revoked key"
  | "forged key"
  | "removed device"
  | "ended session"
  | "expired token"
  | "tampered token"
  | "foreign token"
  | "disabled user"
  | "deleted user";

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const run = (sql: string, ...values: string[]) => node.ctx.db.raw.query(sql).run(...values);

/** An account of its own, so that what happens to it happens to nobody else. */
function addUser(id: string, role: Role = "admin"): string {
  run(
    "INSERT OR REPLACE INTO users (id, username, password_hash, role, created_at) VALUES (?, ?, 'none', ?, '2026-01-01')",
    id,
    id,
    role,
  );
  return id;
}

async function sessionOf(userId: string): Promise<{ id: string; headers: Record<string, string> }> {
  const { session_id } = node.ctx.sessions.begin(userId, { ip: "127.0.0.1", device: "test" });
  return { id: session_id, headers: bearer(await node.ctx.sessions.tokens.sign(userId, session_id)) };
}

async function makeKey(userId: string, input: Record<string, unknown> = {}) {
  const { headers } = await sessionOf(userId);
  const { body } = await node.call("POST /api/keys", { headers, body: { name: "test", ...input } });
  return { id: body.id, headers: { "x-api-key": body.key as string } };
}

async function pairDevice(userId: string) {
  const { headers } = await sessionOf(userId);
  const { code } = (await node.call("POST /api/paired-devices/pairings", { headers })).body;
  const { body } = await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } });
  return { id: body.id, headers: bearer(body.token) };
}

/** Makes a caller of that kind; called once, before any route is tried. */
async function headersOf(kind: CallerKind): Promise<Record<string, string>> {
  if (kind === "anonymous") return {};
  if (kind === "viewer" || kind === "member" || kind === "admin") return bearer(await node.tokenOf(kind));
  const userId = addUser(`usr_${kind.replaceAll(" ", "_").replace("*", "all")}`);
  if (kind.startsWith("api key ")) return (await makeKey(userId, { scopes: kind.slice(8) })).headers;
  const session = await sessionOf(userId);
  const token = session.headers["authorization"]?.slice(7) ?? "";
  switch (kind) {
    case "paired device":
      return (await pairDevice(userId)).headers;
    case "removed device": {
      const { id, headers } = await pairDevice(userId);
      await node.call(`DELETE /api/paired-devices/${id}`, { headers: session.headers });
      return headers;
    }
    case "key of a demoted owner": {
      const { headers } = await makeKey(userId);
      run("UPDATE users SET role = 'viewer' WHERE id = ?", userId);
      return headers;
    }
    case "expired key": {
      node.clock.jump(-3_600_000);
      const { headers } = await makeKey(userId, { expires_in: 60 });
      node.clock.jump(3_600_000);
      return headers;
    }
    case "revoked key": {
      const { id, headers } = await makeKey(userId);
      await node.call(`DELETE /api/keys/${id}`, { headers: session.headers });
      return headers;
    }
    case "forged key":
      return { "x-api-key": `svc_${"A".repeat(75)}` };
    case "locked session":
      run("UPDATE sessions SET locked_at = 1 WHERE id = ?", session.id);
      return session.headers;
    case "ended session":
      await node.call(`DELETE /api/auth/sessions/${session.id}`, { headers: session.headers });
      return session.headers;
    case "temporary password":
      run("UPDATE users SET must_change_password = 1 WHERE id = ?", userId);
      return session.headers;
    case "tampered token": {
      const [head, , signature] = token.split(".");
      const claims = { sub: "usr_admin", sid: session.id, exp: 9_999_999_999 };
      return bearer(`${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`);
    }
    case "foreign token": {
      const none = Buffer.from('{"alg":"none"}').toString("base64url");
      return bearer(`${none}.${token.split(".")[1]}.`);
    }
    case "expired token": {
      node.clock.jump(-3_600_000);
      const { headers } = await sessionOf(userId);
      node.clock.jump(3_600_000);
      return headers;
    }
    case "disabled user":
      run("UPDATE users SET disabled_at = '2026-01-02' WHERE id = ?", userId);
      return session.headers;
    default:
      run("DELETE FROM users WHERE id = ?", userId);
      return session.headers;
  }
}

/** Status the guard must answer with, or null when it lets the caller through. */
function expectedRefusal(rule: NodeRule, kind: CallerKind): number | null {
  if (rule.kind === "open") return null;
  // Only programs with a password of its own get in there.
  if (rule.kind === "dav") return 401;
  if (kind === "locked session") return rule.whileLocked ? null : 423;
  if (kind === "temporary password") return rule.whileTemporary ? null : 403;
  if (kind === "viewer" || kind === "member" || kind === "admin") return RANK[kind] < RANK[rule.role] ? 403 : null;
  if (kind === "paired device") return null;
  const isKey = kind.startsWith("api key ") || kind === "key of a demoted owner";
  if (isKey && rule.keys === "never") return 403;
  if (kind === "key of a demoted owner") return rule.role === "viewer" ? null : 403;
  if (kind === "api key *") return null;
  if (kind.startsWith("api key ")) return rule.scope === kind.slice(8) ? null : 403;
  return 401;
}

/** Why a key is refused: first for its scopes, then for what it may never do. */
const codeForKey = (rule: NodeRule, scope: string): string =>
  scope === "*" || (rule.kind === "session" && rule.scope === scope) ? "key_cannot_grant" : "key_scope";

const SCOPE_TEXT = "api key scope does not cover this endpoint";

// Streams do not end by themselves, so a caller who is let in is not waited for.
const isStream = ({ path }: RouteInfo) => /\/(stream|events)$/.test(path);

const KINDS: CallerKind[] = [
  "anonymous",
  "viewer",
  "member",
  "admin",
  ...KEY_KINDS,
  "paired device",
  "locked session",
  "temporary password",
  "key of a demoted owner",
  "expired key",
  "revoked key",
  "forged key",
  "removed device",
  "ended session",
  "expired token",
  "tampered token",
  "foreign token",
  "disabled user",
  "deleted user",
];

for (const kind of KINDS) {
  test(`every route × ${kind}`, async () => {
    const wrong: string[] = [];
    const headers = await headersOf(kind);
    for (const route of node.routes) {
      const refusal = expectedRefusal(route.rule, kind);
      if (refusal === null && isStream(route)) continue;
      const path = route.path.replace(/\{\w+\}/g, "none");
      // Malformed on purpose: a refused caller must never reach the parser, a welcome one must do no work.
      const body = ["POST", "PUT", "PATCH"].includes(route.method) ? { body: "{broken" } : {};
      if (refusal === null && route.method === "DELETE") continue;
      const { status, body: answer } = await node.call(`${route.method} ${path}`, { headers, ...body });
      const isRefused = status === 401 || status === 403 || status === 423;
      if (refusal === null ? isRefused && route.rule.kind !== "open" : status !== refusal) {
        wrong.push(`${route.method} ${route.path}: ${status}, expected ${refusal ?? "to pass"}`);
      }
      const isGated = route.rule.kind === "session" && route.rule.feature !== undefined;
      if (refusal === null && isGated !== (status === 402)) {
        wrong.push(`${route.method} ${route.path}: ${status} on the community plan`);
      }
      if (refusal === 403 && kind.startsWith("api key") && answer.code !== codeForKey(route.rule, kind.slice(8))) {
        wrong.push(`${route.method} ${route.path}: ${answer.error}`);
      }
      if (answer.code === "key_scope" && answer.error !== SCOPE_TEXT) {
        wrong.push(`${route.method} ${route.path}: ${answer.error}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}
