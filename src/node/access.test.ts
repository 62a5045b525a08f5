import { afterAll, expect, test } from "bun:test";
import { createTestNode } from "../../tests/kit/node-app.ts";
import { admin, member, type NodeRule, nodeRules, open, openOrUser, user } from "./access.ts";

const node = createTestNode();
afterAll(() => node.close());

const print = (rule: NodeRule): string =>
  rule.kind === "open" ? nodeRules.open.print(rule) : nodeRules.session.print(rule);

test.each([
  [open(), "open", { kind: "open" }],
  [openOrUser(), "open or-user", { kind: "open", orUser: true }],
  [user(), "viewer", { kind: "session", role: "viewer", scope: null }],
  [
    user("apps", { whileLocked: true, whileTemporary: true, feature: "white_label" }),
    "viewer scope=apps while-locked while-temporary feature=white_label",
    { kind: "session", role: "viewer", scope: "apps", whileLocked: true, whileTemporary: true, feature: "white_label" },
  ],
  [
    admin("users", { keys: "never" }),
    "admin scope=users keys=never",
    { kind: "session", role: "admin", scope: "users", keys: "never" },
  ],
  [member("apps"), "member scope=apps", { kind: "session", role: "member", scope: "apps" }],
  [admin(), "admin", { kind: "session", role: "admin", scope: null }],
  [
    admin("settings", { feature: "white_label" }),
    "admin scope=settings feature=white_label",
    { kind: "session", role: "admin", scope: "settings", feature: "white_label" },
  ],
])("%j is printed as %p, and frozen data", (rule, words, data) => {
  expect([print(rule), rule as object, Object.isFrozen(rule)]).toEqual([words, data, true]);
});

test("OpenAPI says what a caller of each route can bring", async () => {
  const { body } = await node.call("GET /api/openapi.json");
  expect(body.components.securitySchemes).toEqual({
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    cookie: { type: "apiKey", in: "cookie", name: "access_token" },
    key: { type: "apiKey", in: "header", name: "X-API-Key" },
  });
  for (const { method, path, rule } of node.routes.filter((route) => route.method !== "WS")) {
    const ways = rule.kind === "open" ? [] : [{ bearer: [] }, { cookie: [] }, { key: [] }];
    expect([method, path, body.paths[path][method.toLowerCase()].security]).toEqual([method, path, ways]);
  }
});
