import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Forgery, type ForgingProvider, startForgingProvider } from "../../../../tests/kit/forging-provider.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS, type SsoWorld } from "../../../../tests/kit/sso-world.ts";
import { minutes } from "../../../lib/duration.ts";

const databases = panelDatabases("sqlite");
const texts = new Map<string, string[]>();
let panel: TestPanel;
let provider: ForgingProvider;
let world: SsoWorld;

beforeAll(async () => {
  panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
  panel.clock.jump(Date.now() - panel.clock.now());
  provider = await startForgingProvider();
  world = await makeSsoWorld(panel, provider, texts, "target");
  world.addPerson("mallory");
});
afterAll(() => provider.close());
afterEach(() => {
  provider.forge = (right) => right;
  provider.back = () => {};
  panel.clock.jump(Date.now() - panel.clock.now());
});

/** How many were refused for this, as scrapers read it, and how many people there are. */
async function tally(cause: string): Promise<{ counted: number; logged: number; members: number }> {
  const measures = await Promise.all(panel.ctx.lists.measures.all().map(async (ask) => ask()));
  const figures = measures.flat().find(({ name }) => name === "orrery_panel_sso_sign_ins_total")?.figures ?? [];
  const members = await panel.system.all("SELECT id FROM members WHERE tenant_id = ?", [world.owner.tenant_id]);
  return {
    counted: figures.find(({ labels }) => labels?.["result"] === cause)?.value ?? 0,
    logged: (await world.audited()).filter((action) => action === "sso.refused").length,
    members: members.length,
  };
}

/** The answer must be refused for this reason, counted and written down, and bring nobody in. */
async function mustRefuse(cause: string, act: () => Promise<URLSearchParams>): Promise<void> {
  const before = await tally(cause);
  const told = await act();
  expect([told.get("error"), told.has("code")]).toEqual([cause, false]);
  expect(await tally(cause)).toEqual({ ...before, counted: before.counted + 1, logged: before.logged + 1 });
}

const claims =
  (change: Record<string, unknown>) =>
  (right: Forgery): Forgery => ({ ...right, claims: { ...right.claims, ...change } });
const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;

const FORGERIES: [string, string, (right: Forgery) => Forgery][] = [
  ["no signature at all (alg none)", "signature", (right) => ({ ...right, header: { alg: "none" }, by: "nobody" })],
  ["alg NONE in capitals", "signature", (right) => ({ ...right, header: { alg: "NONE" }, by: "nobody" })],
  [
    "RS256 with an empty signature",
    "signature",
    (right) => ({ ...right, header: { alg: "RS256", kid: "listed" }, by: "nobody" }),
  ],
  [
    "a secret that both know, in place of a key",
    "signature",
    (right) => ({ ...right, header: { alg: "HS256" }, by: "secret" }),
  ],
  ["the key of somebody else under the listed name", "signature", (right) => ({ ...right, by: "stranger" })],
  [
    "a key that is not listed",
    "answer",
    (right) => ({ ...right, by: "stranger", header: { alg: "RS256", kid: "other" } }),
  ],
  [
    "a token whose subject was changed after it was signed",
    "signature",
    (right) => ({
      ...right,
      after: (token) => {
        const [head, , signature] = token.split(".");
        const body = Buffer.from(JSON.stringify({ ...right.claims, sub: "sub-admin" })).toString("base64url");
        return `${head}.${body}.${signature}`;
      },
    }),
  ],
  ["another audience", "claims", claims({ aud: "another-program" })],
  ["several audiences, made for another one of them", "claims", claims({ aud: ["orrery", "another"], azp: "another" })],
  ["several audiences that do not have ours", "claims", claims({ aud: ["one", "another"] })],
  ["another issuer", "claims", claims({ iss: "https://login.elsewhere.example" })],
  ["the issuer with one more slash", "claims", (right) => claims({ iss: `${right.claims.iss}/` })(right)],
  ["the nonce of another sign-in", "claims", claims({ nonce: "the nonce of another sign-in" })],
  ["no nonce", "claims", claims({ nonce: undefined })],
  ["a token that ran out", "clock", claims({ iat: seconds(-7200), exp: seconds(-3600) })],
  ["a token that ran out two minutes ago", "clock", claims({ iat: seconds(-300), exp: seconds(-120) })],
  ["a token of tomorrow", "clock", claims({ iat: seconds(86_400), nbf: seconds(86_400), exp: seconds(90_000) })],
  ["a token that never runs out", "clock", claims({ exp: undefined })],
  ["a token about nobody", "answer", claims({ sub: undefined })],
  ["a subject that is no text", "answer", claims({ sub: { $ne: null } })],
  ["text that is no token", "answer", (right) => ({ ...right, after: () => "not.a.token" })],
  [
    "a token of two parts",
    "answer",
    (right) => ({ ...right, after: (token) => token.split(".").slice(0, 2).join(".") }),
  ],
];

for (const [name, cause, forge] of FORGERIES) {
  test(`forged: ${name}`, async () => {
    provider.forge = forge;
    await mustRefuse(cause, async () => {
      const browser = world.openBrowser();
      return browser.land(await browser.toProvider("mallory"));
    });
  });
}

test("a clock that is off by less than a minute is let pass", async () => {
  world.addPerson("early");
  provider.forge = claims({ iat: seconds(40), nbf: seconds(40), exp: seconds(400) });
  expect((await world.signIn("early")).status).toBe(200);
});

test("an answer that nobody asked for, and one that was used, are refused", async () => {
  await mustRefuse("unsolicited", () => world.openBrowser().land(`/api/sso/${world.id}/callback?code=x&state=made-up`));
  await mustRefuse("unsolicited", () => world.openBrowser().land(`/api/sso/${world.id}/callback`));
  world.addPerson("once");
  const browser = world.openBrowser();
  const path = await browser.toProvider("once");
  expect((await browser.land(path)).has("code")).toBe(true);
  await mustRefuse("unsolicited", () => browser.land(path));
});

test("an answer that took longer than ten minutes is refused", async () => {
  const browser = world.openBrowser();
  const path = await browser.toProvider("mallory");
  await panel.clock.advance(minutes(10));
  await world.renewOwner();
  await mustRefuse("unsolicited", () => browser.land(path));
});

test("a state that stands there twice is no state", async () => {
  const browser = world.openBrowser();
  const path = await browser.toProvider("mallory");
  await mustRefuse("unsolicited", () => browser.land(`${path}&state=another`));
});

test("whoever is sent somebody else's answer is not signed in by it", async () => {
  const path = await world.openBrowser().toProvider("mallory");
  await mustRefuse("other_browser", () => world.openBrowser().land(path));
  const victim = world.openBrowser();
  await victim.begin();
  const another = await world.openBrowser().toProvider("mallory");
  await mustRefuse("other_browser", () => victim.land(another));
});

test("the answer of one provider does not pass for that of another", async () => {
  provider.back = (query) => query.set("iss", "https://login.elsewhere.example");
  await mustRefuse("mix_up", async () => {
    const browser = world.openBrowser();
    return browser.land(await browser.toProvider("mallory"));
  });
  provider.back = (query) => query.delete("iss");
  // The provider says that it always names itself, so an answer without is not its own.
  await mustRefuse("answer", async () => {
    const browser = world.openBrowser();
    return browser.land(await browser.toProvider("mallory"));
  });
  provider.back = () => {};
  const other = await makeSsoWorld(panel, provider, texts, "bystander");
  const browser = world.openBrowser();
  const path = await browser.toProvider("mallory");
  expect((await browser.land(path.replace(world.id, other.id))).get("error")).toBe("mix_up");
  // It is written down where it came in.
  expect(await other.audited()).toContain("sso.refused");
});

test("a provider that changes its name between two questions is not believed", async () => {
  const forger = await startForgingProvider();
  forger.describe = (right) => ({ ...right, issuer: "https://login.elsewhere.example" });
  const other = await makeSsoWorld(panel, forger, texts, "renamed");
  expect(await other.openBrowser().begin()).toBe("/sso#error=unreachable");
  await forger.close();
});

test("what was begun with a connector as it was before is refused after it is another one", async () => {
  const other = await makeSsoWorld(panel, provider, texts, "moved");
  other.addPerson("mover");
  const browser = other.openBrowser();
  const path = await browser.toProvider("mover");
  const pass = await browser.land(await browser.toProvider("mover"));
  await other.call(`POST /api/sso/connectors/${other.id}/turn-off`);
  await other.call(`PUT /api/sso/connectors/${other.id}`, { ...other.connector, oidc_client: "another" });
  expect((await browser.land(path)).get("error")).toBe("changed");
  const traded = await browser.exchange(pass.get("code") ?? "");
  expect([traded.status, traded.body.cause]).toEqual([403, "changed"]);
});

test("nobody is sent to another site afterwards", async () => {
  for (const to of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/%0d%0aLocation: x",
    "javascript:x",
    "\\/evil",
  ]) {
    const browser = world.openBrowser();
    world.addPerson("walker");
    const told = await browser.land(await browser.toProvider("walker", `?return_to=${encodeURIComponent(to)}`));
    const where = told.get("to") ?? "";
    expect([to, new URL(where, "http://localhost").origin]).toEqual([to, "http://localhost"]);
    expect(where.startsWith("//")).toBe(false);
  }
});

test("an answer that says no is told in words, without anything of the query becoming part of the page's address", async () => {
  provider.back = (query) => {
    query.delete("code");
    query.set("error", "access_denied");
    query.set("error_description", "<script>alert(1)</script>");
  };
  await mustRefuse("provider", async () => {
    const browser = world.openBrowser();
    const told = await browser.land(await browser.toProvider("mallory"));
    expect([...told.keys()]).toEqual(["error"]);
    return told;
  });
});

test("a group or a name with hidden characters, and thousands of groups, make nobody more than they are", async () => {
  world.addPerson("odd", {
    groups: [...Array.from({ length: 5000 }, (_, index) => `g${index}`), "ops"],
    name: "Ida\u202eda",
  });
  expect((await world.signIn("odd")).body.cause).toBe("role");
  world.addPerson("odd", { groups: { ops: true }, name: "Ida\u202e Day" });
  expect((await world.signIn("odd")).body.cause).toBe("role");
  world.addPerson("odd", { groups: "ops", name: "Ida\u202e Day" });
  expect((await world.signIn("odd")).body.user).toMatchObject({ role: "org_manager", display_name: "Ida Day" });
});

test("a flood of answers that nobody asked for fills no log", async () => {
  const other = await makeSsoWorld(panel, provider, texts, "flooded");
  for (let count = 0; count < 130; count++) await other.openBrowser().get(`/api/sso/${other.id}/callback?state=x`);
  const rows = await panel.system.all("SELECT 1 FROM audit_entries WHERE tenant_id = ? AND action = 'sso.refused'", [
    other.owner.tenant_id,
  ]);
  expect(rows.length).toBe(100);
});
