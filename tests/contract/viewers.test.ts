import { afterAll, expect, test } from "bun:test";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { createTestNode } from "../kit/node-app.ts";

/** What viewers may call besides reading, and why nothing that is anybody else's changes by it. */
const OWN: Record<string, string> = {
  "DELETE /api/auth/passkeys/{id}": "own way in",
  "DELETE /api/auth/sessions": "own sessions",
  "DELETE /api/auth/sessions/{id}": "own session",
  "DELETE /api/drive/webdav-passwords/{id}": "own password",
  "DELETE /api/keys/{id}": "own key",
  "DELETE /api/paired-devices/{id}": "own app",
  "DELETE /api/profile/avatar": "own picture",
  "PATCH /api/auth/passkeys/{id}": "own way in",
  "POST /api/alerting/rules/preview": "computes, and keeps nothing",
  "POST /api/alerting/templates/preview": "computes, and keeps nothing",
  "POST /api/auth/approve/{id}/decide": "own sign-in",
  "POST /api/auth/change-password": "own password",
  "POST /api/auth/lock": "own session",
  "POST /api/auth/passkeys/register/begin": "own way in",
  "POST /api/auth/passkeys/register/finish": "own way in",
  "POST /api/auth/qr/approve": "own sign-in",
  "POST /api/auth/qr/authenticate": "own sign-in",
  "POST /api/auth/recovery-codes": "own second factor",
  "POST /api/auth/totp/disable": "own second factor",
  "POST /api/auth/totp/enable": "own second factor",
  "POST /api/auth/unlock": "own session",
  "POST /api/drive/webdav-passwords": "own password, which reads as a viewer",
  "POST /api/inbox/read": "own inbox",
  "POST /api/inbox/{id}/read": "own inbox",
  "POST /api/keys": "own key, which acts as a viewer",
  "POST /api/paired-devices/pairings": "own app, which acts as a viewer",
  "PUT /api/auth/auto-lock": "own sessions",
  "PUT /api/profile/avatar": "own picture",
  "PUT /api/profile/dashboard": "own page",
  "PUT /api/profile/last-seen-release": "own reading",
  "PUT /api/profile/preferences": "own looks",
};

const node = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000" });
afterAll(() => node.close());

const nameOf = ({ method, path }: Pick<RouteInfo, "method" | "path">): string => `${method} ${path}`;
const changing = node.routes.filter(({ method, rule }) => rule.kind === "session" && !["GET", "HEAD"].includes(method));

test("viewers change nothing but what is their own", () => {
  const open = changing.filter(({ rule }) => rule.kind === "session" && rule.role === "viewer").map(nameOf);
  expect(open.toSorted()).toEqual(Object.keys(OWN).toSorted());
});

test("each other route that changes something refuses a viewer before it looks at what is sent", async () => {
  const token = await node.tokenOf("viewer");
  const before = node.events.length;
  const passed: string[] = [];
  for (const route of changing.filter((each) => OWN[nameOf(each)] === undefined)) {
    const path = route.path.replace(/\{\w+\}/g, "none");
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await node.call(`${route.method} ${path}`, { headers, body: "{broken" });
    if (status !== 403 || body.code !== "forbidden") passed.push(`${nameOf(route)}: ${status} ${body.code}`);
  }
  expect([passed, node.events.length]).toEqual([[], before]);
});
