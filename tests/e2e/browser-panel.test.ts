import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient } from "../kit/client.ts";
import { arrives, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { pressOn, tabTo, typeInto } from "../kit/keyboard.ts";
import { look } from "../kit/look.ts";
import { addMember, enterPanel, runConnectLine } from "../kit/panel-visitor.ts";

const ADA = { name: "Ada Byron", email: "ada@example.org", password: "correct horse battery" };
const BOB = { name: "Bob", email: "bob@example.org", password: "other horse battery" };

suite("on the panel", ["chromium"], () => {
  let panel: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

  beforeAll(async () => {
    panel = await startNode({ binary: PANEL_BINARY, env: { CP_AGENT_LISTEN: "127.0.0.1:0" } });
    browser = await openBrowser();
    await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    page = browser.page;
    await createClient(panel.url).ok("POST /api/auth/register", BOB);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.dispose();
  });

  test("one registers with the keyboard alone, and is in a workspace of one's own", async () => {
    await page.goto(panel.url);
    expect(browser.refusals).toEqual([]);
    await look(page);
    await pressOn(page, "Make an account");
    await heading("Bring your servers into one orbit");
    await typeInto(page, "Your name", ADA.name);
    await typeInto(page, "Email", BOB.email);
    await typeInto(page, "Passphrase", "short");
    await sees(page, "Too short: 3 more");
    await typeInto(page, "Passphrase", ADA.password);
    await sees(page, /Very strong/);
    await page.keyboard.press("Enter");
    await sees(page, /There is an account with this email address already/);
    await typeInto(page, "Email", ADA.email);
    await page.keyboard.press("Enter");
    await button(/^Workspace Ada/).waitFor();
    await arrives(page, "/");
  });

  test("a server appears while one watches, from the line that was copied", async () => {
    await page.goto(`${panel.url}/enrol`);
    await sees(page, /0 of 25\snodes of the free plan/);
    await sees(page, "No line is good at the moment.");
    await look(page);
    await button("Make a line").click();
    await sees(page, "Listening for its first heartbeat");
    await sees(page, /For one server, good until/);
    await tabTo(page, "Copy the line");
    await look(page);
    await page.keyboard.press("Enter");
    await button("Copied").waitFor();
    const line: string = await page.evaluate("navigator.clipboard.readText()");
    expect(line).toBe(
      (await page.getByRole("region", { name: "The line to run" }).locator("code").textContent()) ?? "",
    );
    const [id] = await Promise.all([runConnectLine(line, "atlas"), sees(page, "atlas is in orbit")]);
    expect(await page.getByRole("link", { name: "Open atlas" }).getAttribute("href")).toBe(`/nodes/${id}`);
    await look(page);
    await button("Add another").click();
    await sees(page, "Listening for its first heartbeat");
    await button("Copy the line").waitFor();
  });

  test("one line brings in several servers, and who waits for long is told what to check", async () => {
    await page.clock.install();
    await page.goto(`${panel.url}/enrol`);
    await button("Make a line").click();
    await sees(page, "Listening for its first heartbeat");
    await page.clock.fastForward(61_000);
    await sees(page, "Nothing heard yet");
    await sees(page, /nc -vz 127.0.0.1 \d+/);
    await look(page);
    await button("Add line").click();
    await page.getByLabel("Name", { exact: true }).fill("Rack 7");
    await page.getByLabel("Servers at most").fill("1");
    await sees(page, "A whole number from 2 to 10,000.");
    await page.getByLabel("Servers at most").fill("2");
    await page.getByLabel("Tags").fill("edge, eu");
    await page.getByRole("dialog").getByRole("button", { name: "Add line" }).click();
    const line = await page.getByRole("dialog").locator("code").textContent();
    await page.getByLabel("I saved it").check();
    await button("Done").click();
    await Promise.all([runConnectLine(line ?? "", "rack-1"), sees(page, "rack-1 is in orbit")]);
    await page.reload();
    await sees(page, /1 of 2 used.*tagged edge, eu/);
    await button("Take Rack 7 back").click();
    await sees(page, "Nobody gets in with Rack 7 any more.");
    expect(await runConnectLine(line ?? "", "rack-2").catch((error) => String(error))).toMatch(
      /unknown, used up or expired/,
    );
    await button("Make a line").click();
    const single = await page.getByRole("region", { name: "The line to run" }).locator("code").textContent();
    await runConnectLine(single ?? "", "lone");
    expect(await runConnectLine(single ?? "", "late").catch((error) => String(error))).toMatch(/used up/);
    await sees(page, "Turned away");
    await sees(page, /with the line .Enrol a server/);
    await look(page);
    await button("Add another").click();
    await button("Copy the line").waitFor();
  });

  test("a node learns who one is after a yes, and nothing after a no", async () => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("back at the node") });
    try {
      const redirect_uri = `http://127.0.0.1:${server.port}/api/oauth/callback`;
      const line = (await page.getByRole("region", { name: "The line to run" }).locator("code").textContent()) ?? "";
      const inventory = { sign_in_urls: [redirect_uri] };
      const client_id = await runConnectLine(line, "vega", { inventory, inventory_hash: "h" });
      const asked = { response_type: "code", client_id, redirect_uri, state: "state-of-the-node" };
      const query = new URLSearchParams({ ...asked, code_challenge: "c".repeat(43), code_challenge_method: "S256" });
      const address = `${panel.url}/oauth/authorize?${query}`;
      await page.goto(address);
      await heading("Sign in to vega?");
      await sees(page, /you are owner in Ada Byron's workspace/);
      await look(page);
      await pressOn(page, "Refuse");
      await sees(page, "back at the node");
      expect(new URL(page.url()).search).toBe("?state=state-of-the-node&error=access_denied");
      await page.goto(address);
      await pressOn(page, "Sign in to vega");
      await sees(page, "back at the node");
      expect(new URL(page.url()).searchParams.get("code")).toMatch(/^.{20,}$/);
      await page.goto(address.replace(client_id, "stranger"));
      await heading("This node is not in Ada Byron's workspace");
    } finally {
      await server.stop(true);
    }
  });

  test("the session outlives a reload but not its cookie, and one comes back to where one was", async () => {
    await page.goto(`${panel.url}/settings`);
    await heading("Settings");
    expect(
      await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"),
    ).not.toContain("eyJ");
    await browser.context.clearCookies();
    await page.reload();
    await heading("Sign in to your fleet");
    await enterPanel(page, { ...ADA, password: "wrong horse" });
    await sees(page, "Email address or password is wrong.");
    await enterPanel(page, ADA);
    await heading("Settings");
    await arrives(page, "/settings");
  });

  test("another workspace takes its place in every tab, and the first one is a press away", async () => {
    await page.getByRole("radio", { name: /Service provider/ }).check();
    await sees(page, "For service provider now.");
    const other = await browser.context.newPage();
    await other.goto(`${panel.url}/team`);
    await other.getByRole("table", { name: "Team" }).waitFor();
    await page.bringToFront();
    await button(/^Workspace Ada/).click();
    await button("Add workspace").click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Second site");
    await page.getByLabel(/A client’s workspace/).check();
    await look(page);
    await page.getByRole("dialog").getByRole("button", { name: "Add workspace" }).click();
    await sees(page, "Second site is ready. You own it.");
    await other.getByRole("button", { name: /^Workspace Second site/ }).waitFor();
    await other.close();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("switch to ada");
    await page.keyboard.press("Enter");
    await button(/^Workspace Ada/).waitFor();
    await button(/^Workspace Ada/).click();
    await look(page);
    await button(/Second site/).click();
    await button(/^Workspace Second site/).waitFor();
    await page.goto(`${panel.url}/settings`);
    await button("Leave Second site").click();
    await button("Leave").last().click();
    await sees(page, "This is the workspace's only owner. Make another member an owner first.");
    await page.keyboard.press("Escape");
    await button(/^Workspace Second site/).click();
    await page.getByRole("dialog", { name: "Workspaces" }).getByText("Ada Byron's workspace").click();
    await button(/^Workspace Ada/).waitFor();
  });

  test("the only owner stays one until another is made, and an owner who steps back may change no more", async () => {
    const me = await page.evaluate(`fetch("/api/auth/refresh", { method: "POST" }).then((answer) => answer.json())`);
    addMember(panel, (me as { user: { tenant_id: string } }).user.tenant_id, BOB.email, "org_viewer");
    await page.goto(`${panel.url}/team`);
    await sees(page, /Ada Byron is the only owner/);
    await look(page);
    const bobs = page.getByLabel("Role of Bob");
    await bobs.selectOption("Owner");
    await sees(page, "Bob is owner now.");
    await page.getByLabel("Role of Ada Byron").selectOption("Viewer");
    await sees(page, "Ada Byron is viewer now.");
    await bobs.waitFor({ state: "detached" });
    await page.goto(`${panel.url}/enrol`);
    await sees(page, "Not for your role");
    // Nobody is asked to do what their role does not let them.
    await page.goto(`${panel.url}/jobs`);
    await sees(page, "No job yet");
    expect(await page.getByRole("link", { name: "Select nodes" }).count()).toBe(0);
    await page.goto(`${panel.url}/settings`);
    expect(await page.getByRole("radio", { name: /Family/ }).isDisabled()).toBe(true);
  });

  test("name and passphrase are changed, and signing out ends it", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("profile");
    await page.keyboard.press("Enter");
    await heading("Profile");
    await typeInto(page, "Name", "Ada Lovelace");
    await page.keyboard.press("Enter");
    await button(/account of Ada Lovelace/).waitFor();
    await typeInto(page, "Current passphrase", "wrong horse");
    await typeInto(page, "New passphrase", "a new horse battery");
    await page.keyboard.press("Enter");
    await sees(page, "The current password is wrong.");
    await look(page);
    await typeInto(page, "Current passphrase", ADA.password);
    await page.keyboard.press("Enter");
    await sees(page, /Your passphrase is changed/);
    await button(/account of Ada/).click();
    await button("Sign out").click();
    await heading("Sign in to your fleet");
    await page.reload();
    await heading("Sign in to your fleet");
    expect(browser.complaints).toEqual([]);
  });
});
