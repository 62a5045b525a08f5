import { expect, spyOn, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import * as hashing from "../../../shared/password/hashing.ts";
import { FOR_PROGRAM, forAccount, forKnown, forVisitor } from "../../../shared/password/index.ts";

const PASSWORD = "correct horse battery";
const ADA = { email: "ada@example.org", password: PASSWORD };
const databases = panelDatabases("sqlite");

async function panelBehindProxy() {
  const panel = await createTestPanel(await databases.open(), { trusted_proxies: "127.0.0.1" });
  await panel.call("POST /api/auth/register", { body: { ...ADA, name: "Ada" } });
  const logIn = (password: string, ip: string, cookie?: string) =>
    panel.call("POST /api/auth/login", {
      body: { ...ADA, password },
      headers: { "x-forwarded-for": ip, ...(cookie === undefined ? {} : { cookie }) },
    });
  /** Guesses from ever new addresses; gives how many were answered as wrong. */
  async function guess(times: number, from = 1): Promise<number> {
    let answered = 0;
    for (let count = 0; count < times; count++) {
      const { status } = await logIn("wrong password", `203.0.${from}.${count}`);
      if (status === 401) answered += 1;
    }
    return answered;
  }
  return { panel, logIn, guess };
}

const deviceOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("orrery_panel_device="))
    ?.split(";")[0] ?? "";

test("guessing from many addresses is slowed for the account, also by the day", async () => {
  const { panel, guess } = await panelBehindProxy();
  expect(await guess(40)).toBe(20);
  let day = 20;
  for (let round = 0; round < 8; round++) {
    await panel.clock.advance(900_000);
    day += await guess(25, round + 2);
  }
  expect(day).toBe(100);
  await panel.clock.advance(86_400_000);
  expect(await guess(25, 50)).toBe(20);
});

test("strangers who guess keep out neither a place nor a device that the account signed in with before", async () => {
  const { logIn, guess } = await panelBehindProxy();
  const first = await logIn(PASSWORD, "198.51.100.7");
  const device = deviceOf(first.headers);
  expect(first.status).toBe(200);
  await guess(40);
  expect((await logIn(PASSWORD, "192.0.2.9")).status).toBe(429);
  expect((await logIn(PASSWORD, "198.51.100.7")).status).toBe(200);
  const away = await logIn(PASSWORD, "192.0.2.9", device);
  expect(away.status).toBe(200);
  // That was a sign-in from there, so it is a known place from now on.
  expect((await logIn(PASSWORD, "192.0.2.9")).status).toBe(200);
});

test("a known device is no way to guess faster, and its cookie cannot be made up or lent to another account", async () => {
  const { panel, logIn, guess } = await panelBehindProxy();
  const device = deviceOf((await logIn(PASSWORD, "198.51.100.7")).headers);
  const tries = [];
  for (let count = 0; count < 8; count++) tries.push((await logIn("wrong", `192.0.2.${count}`, device)).status);
  expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  await guess(40);
  const forged = `${device.slice(0, -4)}AAAA`;
  expect((await logIn(PASSWORD, "192.0.2.77", forged)).status).toBe(429);
  const eve = { email: "eve@example.org", password: PASSWORD };
  await panel.call("POST /api/auth/register", { body: { ...eve, name: "Eve" } });
  const hers = await panel.call("POST /api/auth/login", { body: eve });
  expect((await logIn(PASSWORD, "192.0.2.78", deviceOf(hers.headers))).status).toBe(429);
});

test("somebody who guesses in the same network keeps no device out that the account signed in with before", async () => {
  const { panel, logIn } = await panelBehindProxy();
  const device = deviceOf((await logIn(PASSWORD, "198.51.100.7")).headers);
  for (let count = 0; count < 60; count++) {
    const body = { email: `nobody${count}@example.org`, password: "wrong" };
    await panel.call("POST /api/auth/login", { body, headers: { "x-forwarded-for": "198.51.100.7" } });
  }
  expect((await logIn(PASSWORD, "198.51.100.7")).status).toBe(429);
  expect((await logIn(PASSWORD, "198.51.100.7", device)).status).toBe(200);
});

test("going to another workspace gives a session no new tries at the password", async () => {
  const { panel, logIn } = await panelBehindProxy();
  const { token } = (await logIn(PASSWORD, "198.51.100.7")).body;
  const body = { old_password: "wrong", new_password: "another horse battery" };
  const change = async (by: string) => (await panel.call("POST /api/auth/change-password", { token: by, body })).status;
  for (let count = 0; count < 5; count++) expect(await change(token)).toBe(403);
  const there = await panel.call("POST /api/workspaces", { token, body: { name: "Second" } });
  expect(await change(there.body.token)).toBe(429);
});

test("one browser knows several accounts", async () => {
  const { panel, logIn, guess } = await panelBehindProxy();
  const eve = { email: "eve@example.org", password: PASSWORD };
  await panel.call("POST /api/auth/register", { body: { ...eve, name: "Eve" } });
  const first = deviceOf((await logIn(PASSWORD, "198.51.100.7")).headers);
  const both = await panel.call("POST /api/auth/login", { body: eve, headers: { cookie: first } });
  await guess(40);
  expect((await logIn(PASSWORD, "192.0.2.9", deviceOf(both.headers))).status).toBe(200);
});

test("an address without an account is slowed as one with it", async () => {
  const { panel } = await panelBehindProxy();
  const statuses = [];
  for (let count = 0; count < 21; count++) {
    const headers = { "x-forwarded-for": `203.0.113.${count}` };
    const body = { email: "nobody@example.org", password: "wrong" };
    statuses.push((await panel.call("POST /api/auth/login", { body, headers })).status);
  }
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([401, 429]);
});

test("right passwords for an account from one network are given back thirty times a minute, and keep nobody else out", async () => {
  const { panel, logIn } = await panelBehindProxy();
  await panel.call("POST /api/auth/register", { body: { email: "eve@example.org", password: PASSWORD, name: "Eve" } });
  const statuses: number[] = [];
  for (let count = 0; count < 36; count++) statuses.push((await logIn(PASSWORD, "198.51.100.7")).status);
  expect([statuses.indexOf(429), statuses.lastIndexOf(200)]).toEqual([35, 34]);
  const eve = {
    body: { email: "eve@example.org", password: PASSWORD },
    headers: { "x-forwarded-for": "198.51.100.7" },
  };
  expect((await panel.call("POST /api/auth/login", eve)).status).toBe(200);
});

test("a hash is waited for among strangers, those who were here before or those who are signed in; where too many wait no try is used up", async () => {
  const { panel, logIn } = await panelBehindProxy();
  const first = await logIn(PASSWORD, "198.51.100.7");
  const { token } = first.body;
  const headers = { "x-forwarded-for": "198.51.100.7" };
  const account = await panel.system.get<{ id: string }>("SELECT id FROM accounts");
  const compute = spyOn(hashing, "computeHash");
  const wanted = () => compute.mock.calls.flatMap(([, asker]) => (asker === FOR_PROGRAM ? [] : [asker.path]));
  const body = { old_password: PASSWORD, new_password: "another horse battery" };
  await logIn("wrong password", "198.51.100.7");
  await logIn("wrong password", "192.0.2.9");
  await logIn("wrong password", "192.0.2.9", deviceOf(first.headers));
  await panel.call("POST /api/auth/login", { headers, body: { email: "nobody@example.org", password: PASSWORD } });
  const stepUp = () => panel.call("POST /api/auth/step-up", { token, headers, body: { password: PASSWORD } });
  expect((await stepUp()).status).toBe(200);
  expect((await panel.call("POST /api/auth/change-password", { token, headers, body })).status).toBe(200);
  const eve = { email: "eve@example.org", password: PASSWORD, name: "Eve" };
  await panel.call("POST /api/auth/register", { headers, body: eve });
  const id = account?.id ?? "";
  const [home, own, visitor] = [
    forKnown(id, "198.51.100.7"),
    forAccount(id, "198.51.100.7"),
    forVisitor("198.51.100.7"),
  ];
  const away = [forVisitor("192.0.2.9"), forKnown(id, "192.0.2.9")];
  expect(wanted()).toEqual([home, ...away, visitor, own, own, own, visitor].map(({ path }) => path));
  compute.mockImplementation(async () => {
    throw tooManyRequests(1);
  });
  for (let count = 0; count < 12; count++)
    expect((await logIn("wrong password", "192.0.2.1")).headers.get("retry-after")).toBe("1");
  for (let count = 0; count < 12; count++) expect((await stepUp()).headers.get("retry-after")).toBe("1");
  compute.mockRestore();
  expect((await logIn("another horse battery", "192.0.2.1")).status).toBe(200);
});
