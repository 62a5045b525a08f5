import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario } from "../../../../tests/kit/scenario.ts";
import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { admin, type NodeRule, open, user } from "../../access.ts";
import { createGuard, type Guard } from "./authorize.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "2", session_rate: "3", trusted_proxies: "127.0.0.1" });
  for (const role of ["admin", "viewer"] as const) await node.tokenOf(role);
});
afterEach(() => node.close());

interface Given {
  headers?: Record<string, string>;
  method?: string;
  ip?: string;
}

/** The guard's answer to one request: `in`, or the code it refuses with. */
async function ask(authorize: Guard["authorize"], rule: NodeRule, given: Given = {}): Promise<string> {
  const { headers = {}, method = "GET", ip = "192.0.2.1" } = given;
  const request = new Request("http://localhost/", { method, headers: { host: "localhost", ...headers } });
  try {
    await authorize({ request, ip }, rule);
    return "in";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function tokenOfSession(userId: string, isLocked = false): Promise<string> {
  const { session_id } = node.ctx.sessions.begin(userId, { ip: "x", device: "x" });
  if (isLocked) node.ctx.db.raw.query("UPDATE sessions SET locked_at = 1 WHERE id = ?").run(session_id);
  return node.ctx.sessions.tokens.sign(userId, session_id);
}

test("refusals come in one order: credentials, origin, lock, role", async () => {
  const authorize = createGuard(node.ctx).authorize;
  const foreign = { origin: "http://evil.example" };
  const cookie = (token: string) => ({ cookie: `access_token=${token}` });
  const locked = await tokenOfSession("usr_viewer", true);
  const free = await tokenOfSession("usr_viewer");
  const post = (headers: Record<string, string>) => ask(authorize, admin(), { method: "POST", headers });
  expect(await post({ ...cookie("nonsense"), ...foreign })).toBe("unauthorized");
  expect(await post({ ...cookie(locked), ...foreign })).toBe("csrf_refused");
  expect(await post({ ...cookie(locked), origin: "http://localhost" })).toBe("locked");
  expect(await post({ ...cookie(free), origin: "http://localhost" })).toBe("forbidden");
  expect(await ask(authorize, user(null, { whileLocked: true }), { headers: cookie(locked) })).toBe("in");
});

test("the plan is asked last: after credentials, lock and role", async () => {
  const authorize = createGuard(node.ctx).authorize;
  const rule = admin(null, { feature: "cost_optimization" });
  const headers = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  expect(await ask(authorize, rule)).toBe("unauthorized");
  expect(await ask(authorize, rule, headers(await tokenOfSession("usr_admin", true)))).toBe("locked");
  expect(await ask(authorize, rule, headers(await tokenOfSession("usr_viewer")))).toBe("forbidden");
  expect(await ask(authorize, rule, headers(await tokenOfSession("usr_admin")))).toBe("upgrade_required");
  const paid = createGuard({ ...node.ctx, plan: () => "pro" }).authorize;
  expect(await ask(paid, rule, headers(await tokenOfSession("usr_admin")))).toBe("in");
});

test("a component that is off is told after the role, and to nobody who may not use the route", async () => {
  const { authorize } = createGuard({
    ...node.ctx,
    lists: {
      ...node.ctx.lists,
      absences: { add() {}, all: () => [(id) => (id === "off" ? kernelFail("not_found") : null)] },
    },
  });
  const headers = async (name: string) => ({ headers: { authorization: `Bearer ${await tokenOfSession(name)}` } });
  const rule = admin(null, { component: "off" });
  expect(await ask(authorize, rule)).toBe("unauthorized");
  expect(await ask(authorize, rule, await headers("usr_viewer"))).toBe("forbidden");
  expect(await ask(authorize, rule, await headers("usr_admin"))).toBe("not_found");
  expect(await ask(authorize, admin(null, { component: "on" }), await headers("usr_admin"))).toBe("in");
});

test("strangers are counted by address, signed-in users by session, and neither takes from the other", async () => {
  const authorize = createGuard(node.ctx).authorize;
  const many = async (times: number, run: () => Promise<string>) => {
    const seen: string[] = [];
    for (let turn = 0; turn < times; turn++) seen.push(await run());
    return seen.filter((answer) => answer !== "too_many_requests").length;
  };
  expect(await many(10, () => ask(authorize, open()))).toBe(4);
  expect(await many(10, () => ask(authorize, user()))).toBe(0);
  expect(await many(10, () => ask(authorize, open(), { ip: "192.0.2.2" }))).toBe(4);
  const first = { headers: { authorization: `Bearer ${await tokenOfSession("usr_viewer")}` } };
  const second = { headers: { authorization: `Bearer ${await tokenOfSession("usr_viewer")}` } };
  expect(await many(10, () => ask(authorize, user(), first))).toBe(6);
  expect(await many(10, () => ask(authorize, user(), second))).toBe(6);
  await node.clock.advance(1_000);
  expect(await many(10, () => ask(authorize, open()))).toBe(2);
  expect(await many(10, () => ask(authorize, user(), first))).toBe(3);
});

test("too many requests say when to come back, over HTTP too", async () => {
  const headers = { "x-forwarded-for": "198.51.100.1" };
  for (let turn = 0; turn < 4; turn++) await node.call("POST /api/auth/refresh", { headers });
  const refused = await checkScenario(node, "POST /api/auth/refresh", {
    headers,
    status: 429,
    code: "too_many_requests",
    has: { params: { retry_after_s: 1 } },
  });
  expect(refused.headers.get("retry-after")).toBe("1");
});

test("what is refused counts like everything else of the session", async () => {
  const authorize = createGuard(node.ctx).authorize;
  const spent = async (rule: NodeRule, isLocked: boolean) => {
    const headers = { authorization: `Bearer ${await tokenOfSession("usr_viewer", isLocked)}` };
    const seen: string[] = [];
    for (let turn = 0; turn < 8; turn++) seen.push(await ask(authorize, rule, { headers }));
    return seen;
  };
  const limited = Array.from({ length: 2 }, () => "too_many_requests");
  expect(await spent(admin(), false)).toEqual([...Array.from({ length: 6 }, () => "forbidden"), ...limited]);
  expect(await spent(user(), true)).toEqual([...Array.from({ length: 6 }, () => "locked"), ...limited]);
});

test("a token whose session is no longer known opens nothing", async () => {
  const authorize = createGuard(node.ctx).authorize;
  const headers = { authorization: `Bearer ${await tokenOfSession("usr_viewer")}` };
  expect(await ask(authorize, user(), { headers })).toBe("in");
  node.ctx.db.raw.run("DELETE FROM sessions");
  expect(await ask(authorize, user(), { headers, ip: "192.0.2.9" })).toBe("unauthorized");
});
