import { expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const PASSWORD = "correct horse battery";
const databases = panelDatabases("sqlite");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const open = async (settings: Record<string, string> = {}) =>
  createTestPanel(await databases.open(), { trusted_proxies: "127.0.0.1", ...settings });

let made = 0;
const register = (panel: TestPanel, ip: string) =>
  panel.call("POST /api/auth/register", {
    body: { email: `p${++made}@example.org`, password: PASSWORD, name: "P" },
    headers: { "x-forwarded-for": ip },
  });
/** Codes of so many calls, with how often each came. */
async function tally(times: number, call: (count: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {};
  for (let count = 0; count < times; count++) {
    const { status } = await call(count);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

test("one network makes ten accounts an hour and thirty a day", async () => {
  const panel = await open();
  expect(await tally(12, () => register(panel, "203.0.113.1"))).toEqual({ 200: 10, 429: 2 });
  expect((await register(panel, "203.0.113.2")).status).toBe(200);
  for (let hour = 0; hour < 4; hour++) {
    await panel.clock.advance(HOUR);
    await tally(10, () => register(panel, "203.0.113.1"));
  }
  expect((await panel.system.all("SELECT id FROM accounts")).length).toBe(31);
  // A whole network of IPv6 is one.
  expect(await tally(12, (count) => register(panel, `2001:db8::${count + 1}`))).toEqual({ 200: 10, 429: 2 });
});

/** Makes a workspace more for somebody, from an address. */
const addFrom = (panel: TestPanel, token: string, ip: string) =>
  panel.call("POST /api/workspaces", { token, body: { name: "More" }, headers: { "x-forwarded-for": ip } });
/** The token of a link that invites somebody, who has no account. */
async function invite(panel: TestPanel, token: string) {
  const body = { emails: [`p${++made}@example.org`], role: "org_viewer" };
  const { invited } = (await panel.call("POST /api/invitations/bulk", { token, body })).body;
  return (await panel.call(`POST /api/invitations/${invited[0].id}/link`, { token })).body.url.split("#")[1];
}
const accept = (panel: TestPanel, token: string, ip: string) =>
  panel.call("POST /api/auth/accept-invite", {
    ...{ body: { token, name: "P", password: PASSWORD }, headers: { "x-forwarded-for": ip } },
  });

test("the whole panel grows no faster than the operator says, a third of it for those who belong there", async () => {
  const panel = await open({ growth_rate: "6" });
  const ada = await panel.join("ada");
  await panel.clock.advance(DAY);
  const token = await panel.signIn(ada);
  const links = [await invite(panel, token), await invite(panel, token)];
  expect(await tally(6, (count) => register(panel, `203.${count}.113.1`))).toEqual({ 200: 4, 429: 2 });
  const young = await panel.join("young");
  expect((await addFrom(panel, young.token, "198.51.100.1")).status).toBe(429);
  const early = await invite(panel, young.token);
  expect((await accept(panel, early, "198.51.100.2")).status).toBe(429);
  expect((await accept(panel, links[0], "198.52.100.1")).status).toBe(200);
  expect((await addFrom(panel, token, "198.53.100.1")).status).toBe(200);
  expect((await accept(panel, links[1], "198.54.100.1")).status).toBe(429);
  await panel.clock.advance(HOUR);
  expect((await accept(panel, links[1], "198.54.100.1")).status).toBe(200);
});

test("accounts and workspaces of one provider are a third of that, of which newcomers leave a third as well", async () => {
  const panel = await open({ growth_rate: "18" });
  const ada = await panel.join("ada");
  await panel.clock.advance(DAY);
  const old = await panel.signIn(ada);
  const ofOne = (count: number) => `2001:db8:${count + 1}::1`;
  expect(await tally(3, (count) => register(panel, ofOne(count)))).toEqual({ 200: 3 });
  const young = await panel.join("young");
  expect((await addFrom(panel, young.token, ofOne(4))).status).toBe(200);
  expect((await addFrom(panel, await panel.signIn(young), ofOne(5))).status).toBe(429);
  expect((await register(panel, ofOne(6))).status).toBe(429);
  const link = await invite(panel, old);
  expect((await accept(panel, link, ofOne(7))).status).toBe(200);
  expect((await addFrom(panel, old, ofOne(8))).status).toBe(200);
  expect((await addFrom(panel, await panel.signIn(ada), ofOne(9))).status).toBe(429);
  expect((await register(panel, "203.0.113.1")).status).toBe(200);
  await panel.clock.advance(HOUR);
  expect((await register(panel, ofOne(6))).status).toBe(200);
});

test("what is refused for another reason does not count", async () => {
  const panel = await open({ growth_rate: "1" });
  const weak = { email: "weak@example.org", password: "12345678", name: "W" };
  for (let count = 0; count < 3; count++)
    expect((await panel.call("POST /api/auth/register", { body: weak })).body.code).toBe("password_unusable");
  expect((await register(panel, "203.0.113.1")).status).toBe(200);
});

test("an account makes ten workspaces an hour and owns twenty", async () => {
  const panel = await open();
  let { token } = await panel.join("ada");
  const add = async (body: object = { name: "More" }) => {
    const answer = await panel.call("POST /api/workspaces", { token, body });
    if (answer.status === 200) token = answer.body.token;
    return answer;
  };
  expect(await tally(12, () => add())).toEqual({ 200: 10, 429: 2 });
  await panel.clock.advance(HOUR);
  token = (await panel.call("POST /api/auth/refresh", { token })).body.token;
  await tally(9, () => add());
  expect((await add()).body).toMatchObject({ code: "too_many_own_workspaces", params: { limit: 20 } });
});

test("clients are as many as the plan of the service provider has room for", async () => {
  const panel = await open();
  const ada = await panel.join("ada");
  await panel.call("PUT /api/v1/workspace/mode", { token: ada.token, body: { mode: "msp" } });
  const add = async () => {
    const body = { name: "Client", as_client: true };
    return panel.call("POST /api/workspaces", { token: await panel.signIn(ada), body });
  };
  expect(await tally(5, add)).toEqual({ 200: 5 });
  expect((await add()).body).toMatchObject({ code: "too_many_clients", params: { plan: "free", limit: 5 } });
  await panel.ctx.tenants.changePlan(ada.tenant_id, "pro");
  expect((await add()).status).toBe(200);
});

test("who may register is what the operator says, by configuration or by command beside the running panel", async () => {
  const panel = await open({ registration: "invite_only" });
  const mode = async () => (await panel.call("GET /api/auth/registration")).body.mode;
  expect(await mode()).toBe("invite_only");
  expect((await register(panel, "203.0.113.1")).body).toMatchObject({ code: "registration_invite_only" });
  await panel.ctx.registration.choose("closed");
  expect(await mode()).toBe("closed");
  const refused = await register(panel, "203.0.113.1");
  expect([refused.status, refused.body.code]).toEqual([403, "registration_closed"]);
  await panel.ctx.registration.choose("open");
  expect((await register(panel, "203.0.113.1")).status).toBe(200);
  await panel.ctx.registration.choose(null);
  expect(await mode()).toBe("invite_only");
});

test("all sessions of an account together have a rate, and so has a workspace", async () => {
  const panel = await open({ session_rate: "5" });
  const ada = await panel.join("ada");
  const tokens = await Promise.all(Array.from({ length: 6 }, () => panel.signIn(ada)));
  const asked = await tally(60, (count) => panel.call("GET /api/auth/me", { token: tokens[count % 6] ?? "" }));
  // Six sessions have a burst of ten each, the account one of twenty.
  expect(asked).toEqual({ 200: 20, 429: 40 });
});
