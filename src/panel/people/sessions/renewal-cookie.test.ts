import { expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { minutes } from "../../../lib/duration.ts";

const databases = panelDatabases("sqlite");
const ada = { email: "ada@example.org", password: "correct horse battery" };

const start = async (): Promise<TestPanel> => {
  const panel = await createTestPanel(await databases.open());
  await panel.call("POST /api/auth/register", { body: { ...ada, name: "Ada" } });
  return panel;
};
/** What a browser sends back of an answer's cookie, from the page itself. */
const pageOf = (headers: Headers, site = "same-origin"): { headers: Record<string, string> } => ({
  headers: { cookie: headers.get("set-cookie")?.split(";")[0] ?? "", "sec-fetch-site": site },
});

test("a reload goes on with the cookie alone, which no script can read and which does nothing but renew", async () => {
  const panel = await start();
  const entered = await panel.call("POST /api/auth/login", { body: ada });
  const cookie = entered.headers.get("set-cookie") ?? "";
  for (const part of ["Path=/api/auth", "HttpOnly", "SameSite=Strict", "Max-Age=1209600"])
    expect(cookie).toContain(part);
  await panel.clock.advance(minutes(60));
  const renewed = await panel.call("POST /api/auth/refresh", pageOf(entered.headers));
  expect(renewed.status).toBe(200);
  expect((await panel.call("GET /api/auth/me", { token: renewed.body.token })).status).toBe(200);
  expect((await panel.call("GET /api/auth/me", pageOf(renewed.headers))).status).toBe(401);
  await panel.clock.advance(minutes(14 * 24 * 60 + 1));
  expect((await panel.call("POST /api/auth/refresh", pageOf(renewed.headers))).status).toBe(401);
});

test("a page of another site cannot renew or sign out", async () => {
  const panel = await start();
  const entered = await panel.call("POST /api/auth/login", { body: ada });
  for (const route of ["POST /api/auth/refresh", "POST /api/auth/logout"]) {
    expect((await panel.call(route, pageOf(entered.headers, "cross-site"))).body.code).toBe("csrf_refused");
  }
  expect((await panel.call("POST /api/auth/refresh", pageOf(entered.headers))).status).toBe(200);
});

test("signing out ends the session and takes the cookie away", async () => {
  const panel = await start();
  const entered = await panel.call("POST /api/auth/login", { body: ada });
  const other = await panel.call("POST /api/auth/login", { body: ada });
  const left = await panel.call("POST /api/auth/logout", pageOf(entered.headers));
  expect(left.headers.get("set-cookie")).toContain("Max-Age=0");
  expect((await panel.call("GET /api/auth/me", { token: entered.body.token })).status).toBe(401);
  expect((await panel.call("POST /api/auth/refresh", pageOf(entered.headers))).status).toBe(401);
  expect((await panel.call("GET /api/auth/me", { token: other.body.token })).status).toBe(200);
});

test("the cookie follows to another workspace", async () => {
  const panel = await start();
  const first = await panel.call("POST /api/auth/login", { body: ada });
  const second = await panel.call("POST /api/workspaces", { token: first.body.token, body: { name: "Second" } });
  const renewed = await panel.call("POST /api/auth/refresh", pageOf(second.headers));
  expect(renewed.body.user.tenant_name).toBe("Second");
  const back = await panel.call(`POST /api/workspaces/${second.body.workspace.id}/leave`, { token: second.body.token });
  expect(back.status).toBe(409);
  const home = first.body.user.tenant_id;
  const switched = await panel.call(`POST /api/workspaces/${home}/switch`, { token: renewed.body.token });
  expect((await panel.call("POST /api/auth/refresh", pageOf(switched.headers))).body.user.tenant_id).toBe(home);
});
