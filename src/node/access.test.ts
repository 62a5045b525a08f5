import { afterAll, expect, test } from "bun:test";
import { createTestNode } from "../../tests/kit/node-app.ts";
import { admin, dav, member, type NodeRule, nodeRules, open, openOrUser, user } from "./access.ts";

const node = createTestNode();
afterAll(() => node.close());

const print = (rule: NodeRule): string => {
  if (rule.kind === "open") return nodeRules.open.print(rule);
  return rule.kind === "dav" ? nodeRules.dav.print(rule) : nodeRules.session.print(rule);
};

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
  [dav("viewer", "objstore"), "dav viewer component=objstore", { kind: "dav", role: "viewer", component: "objstore" }],
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
    dav: { type: "http", scheme: "basic" },
  });
  const ways = { open: [], session: [{ bearer: [] }, { cookie: [] }, { key: [] }], dav: [{ dav: [] }] };
  for (const { method, path, rule } of node.routes) {
    const operation = body.paths[path]?.[method.toLowerCase()];
    // For sockets and most methods of WebDAV it has no words.
    if (operation !== undefined) expect([method, path, operation.security]).toEqual([method, path, ways[rule.kind]]);
  }
});
