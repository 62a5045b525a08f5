import { afterAll, expect, test } from "bun:test";
import type { Role, Rule } from "../../src/kernel/http/access.ts";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { startSession } from "../../src/node/features/sessions/index.ts";
import { createTestNode } from "../kit/node-app.ts";

const node = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000" });
afterAll(() => node.close());

type CallerKind =
  | "anonymous"
  | Role
  | "locked session"
  | "expired token"
  | "tampered token"
  | "foreign token"
  | "disabled user";

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

async function authorizationOf(kind: CallerKind): Promise<string | null> {
  if (kind === "anonymous") return null;
  const { ctx } = node;
  await node.tokenOf("admin");
  const session = startSession(ctx, "usr_admin", { ip: "127.0.0.1", device: "test" });
  const token = await ctx.tokens.sign("usr_admin", session.session_id);
  switch (kind) {
    case "locked session":
      ctx.db.raw.query("UPDATE sessions SET locked_at = 1 WHERE id = ?").run(session.session_id);
      return token;
    case "tampered token": {
      const [head, , signature] = token.split(".");
      const claims = { sub: "usr_admin", sid: session.session_id, exp: 9_999_999_999 };
      return `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`;
    }
    case "foreign token": {
      const none = Buffer.from('{"alg":"none"}').toString("base64url");
      return `${none}.${token.split(".")[1]}.`;
    }
    case "expired token": {
      node.clock.jump(-3_600_000);
      const old = await ctx.tokens.sign("usr_admin", session.session_id);
      node.clock.jump(3_600_000);
      return old;
    }
    case "disabled user":
      ctx.db.raw
        .query(
          "INSERT OR IGNORE INTO users (id, username, password_hash, role, created_at, disabled_at) VALUES ('usr_off', 'off', 'none', 'admin', '2026-01-01', '2026-01-02')",
        )
        .run();
      return ctx.tokens.sign("usr_off", session.session_id);
    default:
      return node.tokenOf(kind);
  }
}

/** Status the guard must answer with, or null when it lets the caller through. */
function expectedRefusal(rule: Rule, kind: CallerKind): number | null {
  if (rule.kind === "open") return null;
  if (kind === "locked session") return rule.whileLocked ? null : 423;
  if (kind === "viewer" || kind === "member" || kind === "admin") return RANK[kind] < RANK[rule.role] ? 403 : null;
  return 401;
}

// Streams do not end by themselves, so a caller who is let in is not waited for.
const isStream = ({ path }: RouteInfo) => /\/(stream|events)$/.test(path);

const KINDS: CallerKind[] = [
  "anonymous",
  "viewer",
  "member",
  "admin",
  "locked session",
  "expired token",
  "tampered token",
  "foreign token",
  "disabled user",
];

for (const kind of KINDS) {
  test(`every route × ${kind}`, async () => {
    const wrong: string[] = [];
    for (const route of node.routes) {
      const refusal = expectedRefusal(route.rule, kind);
      if (refusal === null && isStream(route)) continue;
      const token = await authorizationOf(kind);
      const path = route.path.replace(/\{\w+\}/g, "none");
      // Malformed on purpose: a refused caller must never reach the parser, a welcome one must do no work.
      const body = ["POST", "PUT", "PATCH"].includes(route.method) ? { body: "{broken" } : {};
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      if (refusal === null && route.method === "DELETE") continue;
      const { status } = await node.call(`${route.method} ${path}`, { headers, ...body });
      const isRefused = status === 401 || status === 403 || status === 423;
      if (refusal === null ? isRefused && route.rule.kind !== "open" : status !== refusal) {
        wrong.push(`${route.method} ${route.path}: ${status}, expected ${refusal ?? "to pass"}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}
