import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ForgingProvider, startForgingProvider } from "../../../../tests/kit/forging-provider.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS, type SsoBrowser, type SsoWorld } from "../../../../tests/kit/sso-world.ts";
import { minutes } from "../../../lib/duration.ts";

const databases = panelDatabases("sqlite");
const texts = new Map<string, string[]>();
let panel: TestPanel;
let provider: ForgingProvider;
let world: SsoWorld;
/** How often a provider was asked about a code that nobody was given, or what a silent one is; and what is done with such a question. */
let asked = 0;
let onAsked: () => Promise<void> | void = () => {};

const door = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const form = await request.text();
    if (new URL(request.url).pathname.startsWith("/silent")) {
      asked += 1;
      await onAsked();
      return new Response("no", { status: 404 });
    }
    if (new URLSearchParams(form).get("code") === "made-up") {
      asked += 1;
      await onAsked();
    }
    const { headers, method } = request;
    return fetch(`${provider.issuer}/token`, {
      method,
      headers: { "content-type": headers.get("content-type") ?? "" },
      body: form,
    });
  },
});

beforeAll(async () => {
  const settings = { ...SSO_SETTINGS, trusted_proxies: "127.0.0.1" };
  panel = await createTestPanel(await databases.open(), settings, async (name) => texts.get(name) ?? []);
  panel.clock.jump(Date.now() - panel.clock.now());
  provider = await startForgingProvider();
  provider.describe = (right) => ({ ...right, token_endpoint: `http://127.0.0.1:${door.port}/token` });
  world = await makeSsoWorld(panel, provider, texts, "target");
  world.addPerson("ada");
});
afterAll(async () => {
  await provider.close();
  await door.stop(true);
});

const browserAt = (ip: string): SsoBrowser => {
  const browser = world.openBrowser();
  browser.ip = ip;
  return browser;
};

/** Begins, and gives how to come back with a code that the provider never gave. */
async function beginMadeUp(ip: string): Promise<() => ReturnType<TestPanel["call"]>> {
  const browser = browserAt(ip);
  const state = new URL(await browser.begin()).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code: "made-up", state, iss: provider.issuer });
  return () => browser.get(`/api/sso/${world.id}/callback?${query}`);
}

/** Questions that stay open until `answer`, and refusals of those who asked; `settled` once twelve who came are asked about or refused. */
function keepOpen() {
  const open = Promise.withResolvers<void>();
  const settled = Promise.withResolvers<void>();
  let refused = 0;
  const look = (): void => {
    if (asked === 12 || (asked === 4 && refused === 2)) settled.resolve();
  };
  asked = 0;
  onAsked = () => {
    look();
    return open.promise;
  };
  const refuse = (): void => {
    refused += 1;
    look();
  };
  return { settled: settled.promise, refuse, answer: open.resolve };
}

/** Signs in as somebody from there. */
async function enter(ip: string): Promise<boolean> {
  const browser = browserAt(ip);
  return (await browser.land(await browser.toProvider("ada"))).has("code");
}

test("few codes that nobody was given are asked about at a time; whoever waits in vain may come again, and others come in meanwhile", async () => {
  const all = [];
  for (let no = 0; no < 12; no++) all.push(await beginMadeUp("192.0.2.1"));
  const { settled, refuse, answer } = keepOpen();
  const answers = all.map(async (comeBack) => {
    const { status, headers } = await comeBack();
    if (status === 429) refuse();
    return headers.get("retry-after") ?? headers.get("location");
  });
  await settled;
  expect([asked, await enter("198.51.100.1")]).toEqual([4, true]);
  answer();
  const told = await Promise.all(answers);
  expect(told.toSorted()).toEqual([...Array<string>(10).fill("/sso#error=provider"), "5", "5"]);
  const again = await all[told.indexOf("5")]?.();
  expect([again?.headers.get("location"), asked]).toEqual(["/sso#error=provider", 11]);
});

test("few ask a provider at a time what it is, where sign-ins begin", async () => {
  const silent = { ...provider, issuer: `http://127.0.0.1:${door.port}/silent` };
  const other = await makeSsoWorld(panel, silent, texts, "silent");
  const { settled, refuse, answer } = keepOpen();
  const answers = Array.from({ length: 12 }, async () => {
    const browser = other.openBrowser();
    browser.ip = "192.0.2.2";
    const { status, headers } = await browser.get(`/api/sso/${other.id}/start`);
    if (status === 429) refuse();
    return headers.get("retry-after") ?? headers.get("location");
  });
  await settled;
  expect([asked, await enter("192.0.2.3")]).toEqual([4, true]);
  answer();
  const told = await Promise.all(answers);
  expect(told.toSorted()).toEqual([...Array<string>(10).fill("/sso#error=unreachable"), "5", "5"]);
});

test("of a network a hundred are asked about in ten minutes that are not believed; sign-ins do not count, and others come in", async () => {
  await panel.clock.advance(minutes(10));
  [asked, onAsked] = [0, () => {}];
  for (let no = 0; no < 20; no++) expect(await enter("203.0.113.5")).toBe(true);
  const statuses = new Set<number>();
  for (let no = 0; no < 105; no++) statuses.add((await (await beginMadeUp("203.0.113.5"))()).status);
  expect([asked, [...statuses]]).toEqual([100, [302, 429]]);
  expect(await enter("198.51.100.7")).toBe(true);
  const late = await beginMadeUp("203.0.113.5");
  expect([(await late()).status, asked]).toEqual([429, 100]);
  await panel.clock.advance(minutes(10));
  expect(await enter("203.0.113.5")).toBe(true);
});
