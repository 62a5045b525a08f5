import { afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { SignedXml } from "xml-crypto";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import {
  makeSamlForger,
  type SamlAnswer,
  type SamlForger,
  type SamlForgery,
} from "../../../../tests/kit/saml-forger.ts";
import { assertion, forgeriesOf, response, timed, WRAPPED } from "../../../../tests/kit/saml-forgeries.ts";
import { makeSamlWorld, type SamlWorld } from "../../../../tests/kit/saml-world.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";
import { minutes } from "../../../lib/duration.ts";
import { receive } from "./saml/receive.ts";

const databases = panelDatabases("sqlite");
const texts = new Map<string, string[]>();
let panel: TestPanel;
let forger: SamlForger;
let world: SamlWorld;
const right = (told: SamlForgery): SamlForgery => told;

beforeAll(async () => {
  panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
  forger = await makeSamlForger(panel.clock.now);
  world = await makeSamlWorld(panel, forger, texts, "target");
  for (const login of ["mallory", "admin"])
    forger.people.set(login, { name_id: `${login}@target.example`, attributes: { groups: ["ops"] } });
});
afterEach(async () => {
  forger.forge = right;
  // Whoever tries so much within minutes is refused for that alone.
  await panel.clock.advance(minutes(1));
});

/** How many were refused for this, as scrapers read it and the audit log keeps it, and how many people there are. */
async function tally(cause: string): Promise<{ counted: number; logged: number; members: number }> {
  const measures = await Promise.all(panel.ctx.lists.measures.all().map(async (ask) => ask()));
  const figures = measures.flat().find(({ name }) => name === "orrery_panel_sso_sign_ins_total")?.figures ?? [];
  const count = async (sql: string) => (await panel.system.all(sql, [world.owner.tenant_id])).length;
  return {
    counted: figures.find(({ labels }) => labels?.["result"] === cause)?.value ?? 0,
    logged: await count("SELECT id FROM audit_entries WHERE tenant_id = ? AND action = 'sso.refused'"),
    members: await count("SELECT id FROM members WHERE tenant_id = ?"),
  };
}

/** The answer must be refused for this reason, counted and written down, and bring nobody in. */
async function mustRefuse(cause: string, act: () => Promise<URLSearchParams>): Promise<void> {
  const before = await tally(cause);
  const told = await act();
  expect([told.get("error"), told.has("code")]).toEqual([cause, false]);
  expect(await tally(cause)).toEqual({ ...before, counted: before.counted + 1, logged: before.logged + 1 });
}

const enter = async (login = "mallory"): Promise<URLSearchParams> => {
  const browser = world.openBrowser();
  return browser.land(await browser.toProvider(login));
};

for (const [name, forge] of WRAPPED)
  test(`wrapped ${name}`, async () => {
    forger.forge = forge;
    await mustRefuse("signature", enter);
  });

for (const [name, cause, forge] of forgeriesOf(() => forger))
  test(`forged: ${name}`, async () => {
    forger.forge = forge;
    await mustRefuse(cause, enter);
  });

test("clocks that differ by less than a minute are let pass, and a response that is signed as a whole", async () => {
  forger.people.set("early", { name_id: "early@target.example", attributes: { groups: ["ops"] } });
  forger.forge = timed((at) => (told) => ({
    ...assertion({ issued: at(50), not_before: at(50) })(response({ issued: at(50) })(told)),
    signed: ["response"],
  }));
  expect((await world.signIn("early")).status).toBe(200);
  forger.forge = timed((at) => (told) => ({
    ...assertion({ not_on_or_after: at(-50) })(told),
    signed: ["response", "assertion"],
  }));
  expect((await world.signIn("early")).status).toBe(200);
});

test("an answer is taken once, and nothing that nobody asked for", async () => {
  const browser = world.openBrowser();
  const answer = await browser.toProvider("mallory");
  expect((await browser.land(answer)).has("code")).toBe(true);
  await mustRefuse("unsolicited", () => browser.land(answer));
  const unasked = { ...answer, form: { ...answer.form, RelayState: "made-up" } };
  await mustRefuse("unsolicited", () => browser.land(unasked));
  const { RelayState: _, ...bare } = answer.form;
  await mustRefuse("unsolicited", () => browser.land({ ...answer, form: bare as typeof answer.form }));
});

test("an assertion that was used is refused though a fresh request names it, after a restart too", async () => {
  let used = "";
  forger.forge = (told) => {
    used ||= told.assertion.id;
    return assertion({ id: used })(told);
  };
  expect((await enter()).has("code")).toBe(true);
  await mustRefuse("replay", enter);
  const [row] = await panel.system.all<{ expires_at: number }>(
    "SELECT expires_at FROM sso_assertions ORDER BY expires_at DESC",
  );
  expect(row?.expires_at).toBe(panel.clock.now() + 360_000);
});

test("what is remembered of assertions goes away once they ran out", async () => {
  await panel.clock.advance(minutes(7));
  await panel.runJob("sso.assertions");
  expect(await panel.system.all("SELECT hash FROM sso_assertions")).toEqual([]);
});

test("an answer that took longer than ten minutes is refused", async () => {
  const browser = world.openBrowser();
  const answer = await browser.toProvider("mallory");
  await panel.clock.advance(minutes(10));
  await mustRefuse("unsolicited", () => browser.land(answer));
});

test("whoever is made to post somebody else's answer is not signed in by it", async () => {
  const answer = await world.openBrowser().toProvider("mallory");
  const posted = await world.openBrowser().post(answer);
  expect(posted.status).toBe(303);
  const next = posted.headers.get("location") ?? "";
  const victim = world.openBrowser();
  await victim.begin();
  const told = await victim.get(next);
  expect(told.headers.get("location")).toBe("/sso#error=other_browser");
  // The ticket is used up by that.
  expect((await victim.get(next)).headers.get("location")).toBe("/sso#error=unsolicited");
});

test("the answer at one connector does not pass for that at another, of whatever kind", async () => {
  const other = await makeSamlWorld(panel, forger, texts, "bystander");
  const browser = world.openBrowser();
  const answer = await browser.toProvider("mallory");
  expect((await browser.land({ ...answer, acs: answer.acs.replace(world.id, other.id) })).get("error")).toBe("mix_up");
  expect(await other.audited()).toContain("sso.refused");
  // One that was made for the other, brought here with a request of here.
  const foreign = await other.openBrowser().toProvider("mallory");
  const own = await browser.toProvider("mallory");
  const mixed = { acs: own.acs, form: { ...own.form, SAMLResponse: foreign.form["SAMLResponse"] ?? "" } };
  await mustRefuse("claims", () => browser.land(mixed));
  const state = (await browser.toProvider("mallory")).form["RelayState"];
  const asOidc = await browser.get(`/api/sso/${world.id}/callback?code=x&state=${state}`);
  expect(asOidc.headers.get("location")).toBe("/sso#error=mix_up");
});

test("nobody is sent to another site afterwards, neither by what was asked nor by what comes back", async () => {
  for (const to of ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:x"]) {
    const browser = world.openBrowser();
    const told = await browser.land(await browser.toProvider("mallory", `?return_to=${encodeURIComponent(to)}`));
    expect([to, told.get("to")]).toEqual([to, "/"]);
    const answer = await browser.toProvider("mallory");
    await mustRefuse("unsolicited", () => browser.land({ ...answer, form: { ...answer.form, RelayState: to } }));
  }
});

test("whoever only has to wait while others are judged is not counted as disbelieved, and comes in with the same answer", async () => {
  const browsers = Array.from({ length: 45 }, () => world.openBrowser());
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, no) => [`urn:oid:${no}`, ["a", "b", "c", "d"]]));
  forger.forge = (told) => ({ ...told, assertion: { ...told.assertion, attributes: { ...many, groups: ["ops"] } } });
  const answers: SamlAnswer[] = [];
  for (const browser of browsers) answers.push(await browser.toProvider("mallory"));
  const posted = await Promise.all(answers.map(async (answer, at) => ({ at, told: await browsers[at]?.post(answer) })));
  const waits = posted.filter(({ told }) => told?.status === 429);
  expect(waits.length).toBeGreaterThanOrEqual(20);
  expect([...new Set(waits.map(({ told }) => told?.headers.get("retry-after")))]).toEqual(["5"]);
  const { at } = waits[0] ?? { at: 0 };
  const again = await browsers[at]?.land(answers[at] as SamlAnswer);
  expect(again?.has("code")).toBe(true);
});

test("a form that is too large, or none, is refused before it is read", async () => {
  const browser = world.openBrowser();
  const answer = await browser.toProvider("mallory");
  const large = { ...answer, form: { ...answer.form, more: "x".repeat(1_100_000) } };
  expect((await browser.post(large)).status).toBe(413);
  const headers = { "sec-fetch-site": "cross-site" };
  const path = `POST /api/sso/${world.id}/acs`;
  expect((await panel.call(path, { body: answer.form, headers })).status).toBe(415);
});

test("what would cost the library minutes is refused before it, whoever signed it", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `p${index}`);
  const declared = (from: number, to: number) => names.slice(from, to).map((name) => ` xmlns:${name}="urn:${name}"`);
  const listed = '<ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="';
  const costly: [string, SamlForgery["after"]][] = [
    [
      "more prefixes than anybody uses",
      (xml) => xml.replace("</ds:Transform></ds:Transforms>", `${listed}${names.join("  ").repeat(3)}"/>$&`),
    ],
    [
      "more prefixes than anybody uses",
      (xml) => xml.replace("</ds:CanonicalizationMethod>", `${listed}${" ".repeat(600)}"/>$&`),
    ],
    [
      "a signature with more in it than anybody uses",
      (xml) => xml.replace("</ds:SignedInfo>", `${"<ds:Object></ds:Object>".repeat(100)}$&`),
    ],
    [
      "declares more than 50 prefixes at one place",
      (xml) =>
        xml
          .replace("<samlp:Response", `$&${declared(0, 15).join("")}`)
          .replace("<saml:Assertion", `$&${declared(15, 30).join("")}`)
          .replace("<saml:Subject", `$&${declared(30, 45).join("")}`)
          .replace("<saml:NameID", `$&${declared(45, 60).join("")}`),
    ],
  ];
  for (const [reason, after] of costly) {
    forger.forge = (told) => ({ ...told, after });
    const { form } = await world.openBrowser().toProvider("mallory");
    const { refused } = await receive(form["SAMLResponse"] ?? "", { certificates: [], private_key: null });
    expect(refused?.message).toContain(reason);
  }
});

test("an answer is written out once, however many certificates might have signed it, and not at all for another key", async () => {
  const kinds = ["listed", "p256", "p384", "next"] as const;
  const certificates = kinds.map((by) => forger.keys[by].certificate);
  const checked = spyOn(SignedXml.prototype, "checkSignature");
  const counts: [boolean, number][] = [];
  for (const by of [...kinds, "stranger"] as const) {
    forger.forge = (told) => ({ ...told, by });
    const { form } = await world.openBrowser().toProvider("mallory");
    const { refused } = await receive(form["SAMLResponse"] ?? "", { certificates, private_key: null });
    counts.push([refused === null, checked.mock.calls.length]);
  }
  checked.mockRestore();
  expect(counts).toEqual([...kinds.map((_, at): [boolean, number] => [true, at + 1]), [false, 4]]);
});

test("a cipher that proves nothing is not opened within a response that is not believed, and the answer is the same whatever is in it", async () => {
  const own = forger.keys.next;
  const trust = { certificates: [forger.keys.listed.certificate], private_key: own.private_key };
  const receiveSealed = async (change: Partial<SamlForgery>) => {
    const sealed = { encrypted: { to: own.certificate, cipher: "cbc" }, signed: ["response"] } as const;
    forger.forge = (told) => ({ ...told, ...sealed, ...change });
    const { form } = await world.openBrowser().toProvider("mallory");
    const { refused, facts } = await receive(form["SAMLResponse"] ?? "", trust);
    return { why: refused && `${refused.refusal}: ${refused.message}`, isOpened: facts?.assertion !== null };
  };
  const end = /[^<]{8}(?=<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/;
  const spoil: SamlForgery["after"] = (xml) => xml.replace(end, "AAAAAAA=");
  const unopened = { why: "signature: The signature of the provider's answer does not hold", isOpened: false };
  expect(await receiveSealed({ by: "stranger" })).toEqual(unopened);
  expect(await receiveSealed({ by: "stranger", after: spoil })).toEqual(unopened);
  // Signed by the provider, but another text than this.
  expect(await receiveSealed({ after: spoil })).toEqual(unopened);
  expect(await receiveSealed({})).toEqual({ why: null, isOpened: true });
});

test("a group with hidden characters, and thousands of groups, make nobody more than they are", async () => {
  const many = Array.from({ length: 600 }, (_, index) => `g${index}`);
  for (const groups of [[...many, "ops"], ["ops\u200b"], []]) {
    forger.people.set("odd", { name_id: "odd@target.example", attributes: { groups } });
    expect((await world.signIn("odd")).body.cause).toBe("role");
  }
});
