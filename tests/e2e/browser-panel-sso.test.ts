import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { days } from "../../src/lib/duration.ts";
import { makeOwnKey } from "../../src/panel/people/sso/saml/own-key.ts";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient } from "../kit/client.ts";
import { sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { OIDC_CLIENT, OIDC_SECRET, type OidcProvider, startOidcProvider } from "../kit/oidc.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { type SamlIdp, startSamlIdp } from "../kit/saml-idp.ts";

const ADA = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

suite("single sign-on of a workspace", ["chromium"], () => {
  let panel: NodeProcess;
  let provider: OidcProvider;
  let idp: SamlIdp;
  let browser: TestBrowser;
  let page: Page;
  const isIn = () => page.getByRole("button", { name: /account of/ }).waitFor();
  /** Signs in at the provider, whose page this is. */
  const signInThere = async (login: string): Promise<void> => {
    await page.locator("input[name=login]").fill(login);
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.getByRole("button", { name: "Continue" }).click();
  };

  beforeAll(async () => {
    provider = await startOidcProvider();
    idp = await startSamlIdp();
    const claims = { email: "ida@northwind.example", name: "Ida", groups: "ops" };
    provider.people.set("ida", { sub: "sub-ida", claims });
    const env = { CP_DEFAULT_PLAN: "business", CP_OUTGOING_ALLOW_CIDRS: "127.0.0.0/8" };
    panel = await startNode({ binary: PANEL_BINARY, env });
    await createClient(panel.url).ok("POST /api/auth/register", ADA);
    browser = await openBrowser();
    page = browser.page;
    await page.goto(panel.url);
    await enterPanel(page, ADA);
    await isIn();
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.dispose();
    await provider?.close();
    await idp?.close();
  });

  test("it is set up step by step, and a try shows what the provider said and what is wrong", async () => {
    await page.goto(`${panel.url}/settings`);
    await page.getByRole("link", { name: "Set up single sign-on" }).click();
    await page.getByLabel("What people call it").fill("Northwind");
    await page.getByLabel(/Address of the provider/).fill(provider.issuer);
    await page.getByLabel("Client ID").fill(OIDC_CLIENT);
    await page.getByLabel("Client secret").fill(OIDC_SECRET);
    await page.getByRole("button", { name: "Save and go on" }).click();
    await page.getByLabel("Domain", { exact: true }).fill("northwind.example");
    await page.getByRole("button", { name: "Add the domain" }).click();
    await sees(page, "_orrery-challenge.northwind.example");
    await look(page);
    // The DNS of the world cannot be changed from here.
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE sso_domains SET verified_at = 1, checked_at = ?", [Date.now()]);
    db.close();
    await page.goto(`${panel.url}/settings/sign-on?step=roles`);
    await page.getByLabel("Where the provider tells groups").fill("groups");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Group 1", { exact: true }).fill("ops");
    await page.getByLabel("Role of group 1").selectOption("org_manager");
    await look(page);
    await page.getByRole("button", { name: "Save and go on" }).click();

    await page.getByRole("button", { name: /^Test/ }).click();
    await page.getByRole("button", { name: "Test it" }).click();
    await signInThere("ida");
    await sees(page, "The provider does not say that the address is verified");
    await look(page);
    const known = provider.people.get("ida");
    if (known) known.claims["email_verified"] = true;
    await page.getByRole("button", { name: "Test again" }).click();
    await page.getByText("Everything that is needed is there").waitFor();
    await page.getByRole("button", { name: /^.?Turn on/ }).click();
    await page.getByRole("button", { name: "Turn on", exact: true }).last().click();
    await sees(page, "Northwind is on.");
    await look(page);
  });

  test("a directory is given a token, brings somebody in, and what its groups are here is chosen", async () => {
    await page.goto(`${panel.url}/settings`);
    await page.getByRole("link", { name: "Set up a directory" }).click();
    await page.getByLabel("Name of a new token").fill("Entra");
    await page.getByRole("button", { name: "Make a token" }).click();
    await sees(page, "Shown only now.");
    const token = (await page.locator(".code.line code").last().textContent()) ?? "";
    await page.getByText("I saved it").click();
    await page.getByRole("button", { name: "Done" }).click();
    const scim = async (path: string, body: object): Promise<{ id: string }> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
      const answer = await fetch(`${panel.url}/scim/v2/${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      if (answer.status !== 201) throw new Error(await answer.text());
      return (await answer.json()) as { id: string };
    };
    const { id } = await scim("Users", { userName: "bo@northwind.example", displayName: "Bo Berg" });
    await scim("Groups", { displayName: `Platform ${"x".repeat(70)}`, members: [{ value: id }] });
    await page.reload();
    await page.getByLabel(/^What Platform/).selectOption("org_manager");
    await sees(page, "has that role now");
    await look(page);
    // As if whoever made it had left.
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE scim_tokens SET made_by = 'mem_gone'");
    db.close();
    await page.reload();
    await sees(page, "Take it over, or delete it.");
    await look(page);
    await page.getByLabel("More about Entra").click();
    await page.getByRole("menuitem", { name: "Take over" }).click();
    await sees(page, "You answer for Entra now");
    await page.goto(`${panel.url}/team`);
    await sees(page, "Bo Berg");
  });

  test("a room of a chat is added, tested, and says what went wrong", async () => {
    const got: string[] = [];
    const chat = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        got.push(await request.text());
        return new Response("no such room", { status: got.length > 1 ? 404 : 200 });
      },
    });
    await page.goto(`${panel.url}/settings`);
    await page.getByRole("button", { name: "Add a room" }).click();
    await page.getByLabel("Name", { exact: true }).fill("#operations");
    await page.getByLabel("Address of the webhook").fill(`http://127.0.0.1:${chat.port}/hook`);
    await look(page);
    await page.getByRole("button", { name: "Add it" }).click();
    for (const words of ["A test arrived in #operations.", "no such room"]) {
      await page.getByRole("button", { name: "More about #operations" }).click();
      await page.getByRole("menuitem", { name: "Send a test" }).click();
      await sees(page, new RegExp(words));
    }
    expect(JSON.parse(got[0] ?? "").text).toContain("This is a test");
    // As if whoever added it had left.
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE chat_channels SET created_by = 'mem_gone'");
    db.close();
    await page.reload();
    await sees(page, /^Paused/);
    await look(page);
    await page.getByRole("button", { name: "More about #operations" }).click();
    await page.getByRole("menuitem", { name: "Take over" }).click();
    await page.getByText(/^Paused/).waitFor({ state: "detached" });
    await chat.stop(true);
  });

  test("staff sees every workspace, and comes in where support is let in", async () => {
    await page.goto(`${panel.url}/settings`);
    await page.getByRole("button", { name: "Let support in" }).click();
    await page.getByLabel("What it is about").fill("A disk is full");
    await page.getByRole("button", { name: "Let them in" }).click();
    await sees(page, "Support is let in");
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE email = ?", [ADA.email]);
    await page.goto(`${panel.url}/staff`);
    await sees(page, "Open, lets staff in");
    await look(page);
    await page.getByRole("button", { name: /^More about/ }).click();
    await page.getByRole("menuitem", { name: "Suspend" }).click();
    await page.getByLabel("Reason").fill("Not paid");
    await page.getByRole("button", { name: "Suspend it" }).click();
    await page.getByRole("button", { name: /^More about/ }).click();
    await page.getByRole("menuitem", { name: "Open again" }).click();
    await sees(page, "Open, lets staff in");
    db.run("UPDATE accounts SET global_role = NULL, has_factor = 0 WHERE email = ?", [ADA.email]);
    db.close();
    await page.goto(`${panel.url}/settings`);
    await page.getByRole("button", { name: "End it now" }).click();
    await page.getByRole("button", { name: "Let support in" }).waitFor();
  });

  test("the page of signing in leads there by the address, and back into the workspace", async () => {
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Email").fill("ida@northwind.example");
    await page.getByRole("button", { name: "Continue with Northwind" }).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Continue with Northwind" }).click();
    await isIn();
    expect(new URL(page.url()).hash).toBe("");
    await page.goto(`${panel.url}/sso#error=clock`);
    await sees(page, "You are not signed in");
    await look(page);
  });

  test("where it is the only way in, whoever came another way is led to it", async () => {
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    const ofIda = "(SELECT id FROM accounts WHERE email = 'ida@northwind.example')";
    db.run(`UPDATE accounts SET has_factor = 1 WHERE id = ${ofIda}`);
    db.run(`UPDATE members SET role = 'org_owner' WHERE account_id = ${ofIda}`);
    await page.goto(panel.url);
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await sees(page, /You are signed out here. The session at the sign-in of/);
    await look(page);
    await enterPanel(page, ADA);
    await isIn();
    await page.goto(`${panel.url}/settings/sign-on?step=turn-on`);
    await page.getByRole("button", { name: "Let nobody in another way" }).click();
    await sees(page, "Sign in with your company");
    await look(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await isIn();
    await page.getByRole("button", { name: "account of Ida" }).waitFor();
    await page.goto(`${panel.url}/settings`);
    await sees(page, "Northwind is the only way in");
    db.run("UPDATE tenants SET sign_in = NULL");
    db.run("UPDATE sso_connectors SET state = 'on'");
    db.close();
  });

  test("a provider of SAML is set up from its metadata, tried, turned on, and lets somebody in", async () => {
    await page.goto(panel.url);
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await enterPanel(page, ADA);
    await isIn();
    await page.goto(`${panel.url}/settings/sign-on?step=provider`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("SAML 2.0", { exact: true }).click();
    await page.getByLabel("What people call it").fill("Contoso");
    await look(page);
    await page.getByRole("button", { name: "Begin" }).click();
    const download = page.getByRole("link", { name: "Download our metadata" });
    const metadata = (await download.getAttribute("href")) ?? "";
    await page.getByLabel("Address of the metadata").fill(idp.metadata_url);
    await page.getByRole("button", { name: "Read it" }).click();
    await sees(page, "SHA-256");
    await page.getByText("Sign what we ask").click();
    await look(page);
    await page.getByRole("button", { name: "Save and go on" }).click();
    await page.getByRole("button", { name: "Add the domain" }).waitFor();
    idp.register(await (await fetch(metadata)).text());
    idp.people.set("uma", { name_id: "id-of-uma", attributes: { email: ["uma@elsewhere.example"], cn: ["Uma"] } });

    await page.getByRole("button", { name: /^.?Test/ }).click();
    await page.getByRole("button", { name: "Test it" }).click();
    const signInAsUma = async (): Promise<void> => {
      await page.locator("input[name=login]").fill("uma");
      await page.locator("button[type=submit]").click();
    };
    await signInAsUma();
    await sees(page, "The mail address is not at a domain of this workspace");
    await look(page);
    idp.people.set("uma", { name_id: "id-of-uma", attributes: { email: ["uma@northwind.example"], cn: ["Uma"] } });
    await page.getByRole("button", { name: "Test again" }).click();
    await signInAsUma();
    await page.getByText("Everything that is needed is there").waitFor();
    await look(page);
    await page.getByRole("button", { name: /^.?Turn on/ }).click();
    await page.getByRole("button", { name: "Turn on", exact: true }).last().click();
    await sees(page, "Contoso is on.");
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    // Somebody has taken Uma's address, and never proved that it is theirs.
    const email = "uma@northwind.example";
    await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Squatter", email });
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Continue with Contoso" }).click();
    await signInAsUma();
    await sees(page, "One more step");
    await look(page);
    await page.getByRole("button", { name: "This account is not mine" }).click();
    await sees(page, "Begin with an account of your own?");
    await look(page);
    await page.getByRole("button", { name: "Back to the passphrase" }).click();
    await page.getByRole("button", { name: "This account is not mine" }).click();
    await page.getByRole("button", { name: "Go on with an account of my own" }).click();
    await page.getByRole("button", { name: "account of Uma" }).waitFor();
  });

  test("the page of single sign-on says what to do about a certificate that has ended", async () => {
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await enterPanel(page, ADA);
    await isIn();
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    const { certificate } = makeOwnKey(Date.now() - days(3_700));
    const set = "UPDATE sso_connectors SET saml = json_set(saml, '$.certificates', json(?), '$.metadata_url', NULL)";
    db.run(set, [JSON.stringify([certificate])]);
    db.close();
    await page.goto(`${panel.url}/settings/sign-on?step=roles`);
    await page.getByRole("alert").filter({ hasText: "The certificate of Contoso ended on" }).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Add the next certificate" }).click();
    await page.getByLabel("The next certificate").waitFor();
  });
});
