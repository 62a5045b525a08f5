import { afterEach, beforeAll, expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { makeSamlForger, type SamlAnswer, type SamlForger } from "../../../../tests/kit/saml-forger.ts";
import { makeSamlWorld, type SamlBrowser, type SamlWorld } from "../../../../tests/kit/saml-world.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";
import { minutes } from "../../../lib/duration.ts";
import { createStrays } from "./strays.ts";

const databases = panelDatabases("sqlite");
const texts = new Map<string, string[]>();
let panel: TestPanel;
let forger: SamlForger;
let world: SamlWorld;
let sites = 0;

beforeAll(async () => {
  const settings = { ...SSO_SETTINGS, trusted_proxies: "127.0.0.1" };
  panel = await createTestPanel(await databases.open(), settings, async (name) => texts.get(name) ?? []);
  panel.clock.jump(Date.now() - panel.clock.now());
  forger = await makeSamlForger(panel.clock.now);
  forger.people.set("ann", { name_id: "ann", attributes: { groups: ["ops"] } });
  world = await makeSamlWorld(panel, forger, texts, "office");
});
afterEach(() => panel.clock.advance(minutes(10)));

/** A site that nobody came from before. */
const newSite = (): string => `192.0.${++sites}`;
function browserAt(ip: string): SamlBrowser {
  const browser = world.openBrowser();
  browser.ip = ip;
  return browser;
}
/** Signs in as somebody from there; gives a status where they are not let in. */
async function enter(ip: string): Promise<unknown> {
  const browser = browserAt(ip);
  const posted = await browser.post(await browser.toProvider("ann"));
  if (posted.status !== 303) return posted.status;
  const told = (await browser.get(posted.headers.get("location") ?? "")).headers.get("location") ?? "";
  return told.includes("code=") ? "in" : told;
}
const stray: SamlAnswer = { acs: "http://localhost/api/sso/none/acs", form: { SAMLResponse: "x" } };
/** Posts an answer over and over from there; gives how often it came to what. */
async function post(ip: string, times: number, answer: () => Promise<SamlAnswer>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let no = 0; no < times; no++) {
    const { status } = await browserAt(ip).post(await answer());
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
/** Begins from there, and gives an answer to it that no provider made. */
const forgeAt = (ip: string) => async () => {
  const { acs, form } = await browserAt(ip).toProvider("ann");
  return { acs, form: { ...form, SAMLResponse: "x" } };
};

test("answers that answer nothing keep nobody out of where they were posted, be the connector made up or real", async () => {
  const office = `${newSite()}.1`;
  const real = { ...stray, acs: `http://localhost/api/sso/${world.id}/acs` };
  for (const one of [stray, real]) expect(await post(office, 110, async () => one)).toEqual({ 303: 110 });
  expect([await enter(office), await enter(office.replace(/1$/, "2"))]).toEqual(["in", "in"]);
});

test("answers to what somebody else began count where it was begun, whoever is made to post them", async () => {
  const [office, elsewhere] = [`${newSite()}.1`, `${newSite()}.1`];
  expect(await post(office, 105, forgeAt(elsewhere))).toEqual({ 303: 100, 429: 5 });
  expect([await enter(office), await enter(elsewhere)]).toEqual(["in", 429]);
});

test("what neighbours bring keeps nobody out where somebody came in from before, and strangers out of their site", async () => {
  const site = newSite();
  expect(await enter(`${site}.1`)).toBe("in");
  for (const no of [7, 8]) expect(await post(`${site}.${no}`, 100, forgeAt(`${site}.${no}`))).toEqual({ 303: 100 });
  expect([await enter(`${site}.1`), await enter(`${site}.2`)]).toEqual(["in", 429]);
});

test("a connector that changed meanwhile is nobody's fault", async () => {
  const office = `${newSite()}.1`;
  const begun: SamlAnswer[] = [];
  for (let no = 0; no < 110; no++) begun.push(await browserAt(office).toProvider("ann"));
  await world.call(`POST /api/sso/connectors/${world.id}/turn-off`);
  expect(await post(office, 110, async () => begun.pop() ?? stray)).toEqual({ 303: 110 });
  await world.call(`POST /api/sso/connectors/${world.id}/turn-on`);
  expect(await enter(office)).toBe("in");
});

test("a network has three hundred strays at once and one a second after that, by either protocol; sign-ins go on", async () => {
  const office = `${newSite()}.1`;
  expect(await post(office, 310, async () => stray)).toEqual({ 303: 300, 429: 10 });
  const callback = `/api/sso/${world.id}/callback?state=made-up&code=x`;
  expect([(await browserAt(office).get(callback)).status, await enter(office)]).toEqual([429, "in"]);
  expect((await browserAt(`${newSite()}.1`).get(callback)).status).toBe(302);
});

test("a site has twice as many, and what all have is for all of them", () => {
  const strays = createStrays(createFakeClock());
  const taken = (ips: readonly string[]): number =>
    ips.filter((ip) => {
      try {
        strays.take(ip);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: "too_many_requests" });
        return false;
      }
    }).length;
  expect(taken(Array.from({ length: 1_000 }, (_, no) => `2001:db8:1:${(no % 250).toString(16)}::1`))).toBe(600);
  expect(taken(Array.from({ length: 9_000 }, (_, no) => `10.${Math.floor(no / 250)}.${no % 250}.1`))).toBe(4_400);
});
