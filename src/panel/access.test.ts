import { expect, test } from "bun:test";
import { describeApi } from "../kernel/http/openapi.ts";
import { can, directory, holds, open, type PanelRule, panelRules, signedIn } from "./access.ts";
import { listPanelRoutes } from "./commands/routes.ts";

const print = (rule: PanelRule): string => {
  if (rule.kind === "permission") return panelRules.permission.print(rule);
  return rule.kind === "open" ? panelRules.open.print(rule) : panelRules.directory.print(rule);
};

test.each([
  [open(), "open", { kind: "open" }],
  [directory(), "directory", { kind: "directory" }],
  [signedIn(), "signed-in", { kind: "permission", permission: null }],
  [
    signedIn({ whileExpired: true, whileSuspended: true }),
    "signed-in while-expired while-suspended",
    { kind: "permission", permission: null, whileExpired: true, whileSuspended: true },
  ],
  [can("fleet:read"), "fleet:read", { kind: "permission", permission: "fleet:read" }],
  [
    can("users:manage", { ownRole: true }),
    "users:manage own-role",
    { kind: "permission", permission: "users:manage", ownRole: true },
  ],
])("%j is printed as %p, and frozen data", (rule, words, data) => {
  expect([print(rule), rule as object, Object.isFrozen(rule)]).toEqual([words, data, true]);
});

test("OpenAPI says what a caller of each route can bring", () => {
  const routes = listPanelRoutes();
  expect(describeApi("Panel", "1", routes)["components"]).toMatchObject({
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      cookie: { type: "apiKey", in: "cookie", name: "access_token" },
    },
  });
  const brought = { open: [], permission: ["bearer", "cookie"], directory: ["directory"] };
  for (const { path, rule, schemes } of routes) {
    expect([path, Object.keys(schemes)]).toEqual([path, brought[rule.kind]]);
  }
});

const ROLES = ["org_owner", "org_admin", "org_manager", "org_viewer", "org_teacher"] as const;

test.each([
  ["fleet:read", "yyyyn"],
  ["fleet:write", "yyynn"],
  ["fleet:shell", "yynnn"],
  ["settings:read", "yyyyn"],
  ["settings:write", "yynnn"],
  ["users:manage", "yynnn"],
  ["tickets:read", "yyyyy"],
  ["tickets:write", "yyynn"],
  ["anything:else", "nnnnn"],
])("%s is held as the table says", (permission, table) => {
  expect(ROLES.map((role) => (holds(role, permission) ? "y" : "n")).join("")).toBe(table);
});

test("staff that a workspace lets in changes nothing of it but its fleet", () => {
  const beyond = listPanelRoutes().flatMap(({ method, path, rule }) => {
    const isRead = method === "GET" || rule.kind !== "permission" || rule.permission === null || rule.ownRole;
    return isRead || rule.permission?.startsWith("fleet:") ? [] : [`${method} ${path}`];
  });
  expect(beyond).toEqual([]);
});
