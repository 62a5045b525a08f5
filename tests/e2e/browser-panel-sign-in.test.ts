import { afterAll, beforeAll, expect, test } from "bun:test";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, OWNER, setUp } from "../kit/client.ts";
import { enter, goOnAs } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { freePort } from "../kit/free-port.ts";
import { accessFaults, sidewaysFaults } from "../kit/look.ts";
import { OWN_PATH } from "../kit/page-key.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { until } from "../kit/until.ts";

const ADA = { name: "Ada", email: "ada@example.org", password: "correct horse battery staple" };

suite("signing in to a node with an account on its panel", ["chromium"], () => {
  let panel: NodeProcess;
  let node: NodeProcess;
  let owner: Client;
  let ada: Client;
  let browser: TestBrowser;

  beforeAll(async () => {
    const port = freePort();
    panel = await startNode({
      binary: PANEL_BINARY,
      listen: `127.0.0.1:${port}`,
      env: { CP_PUBLIC_URL: `http://127.0.0.1:${port}`, CP_AGENT_NAMES: "127.0.0.1", CP_AGENT_LISTEN: "127.0.0.1:0" },
    });
    await createClient(panel.url).ok("POST /api/auth/register", ADA);
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", {
      email: ADA.email,
      password: ADA.password,
    });
    ada = createClient(panel.url, token);
    node = await startNode();
    owner = await setUp(node.url);
    const { command } = await ada.ok("POST /api/onboarding/enroll-token");
    await owner.ok("POST /api/cp/connect", { line: command });
    await owner.ok("POST /api/cp/heartbeat");
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    await panel?.dispose();
  });

  /** Who is signed in, once the page has taken the session over that a link began. */
  const who = () =>
    until(() =>
      browser.page.evaluate<{ username: string } | null>(
        `fetch(${OWN_PATH} + "/api/auth/me").then((reply) => (reply.ok ? reply.json() : null))`,
      ),
    );

  test("the sign-in page leads to the panel, which asks, and back in as oneself", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/apps`);
    await page.getByRole("link", { name: /^Sign in with 127/ }).click();
    await enterPanel(page, ADA);
    await page.getByRole("button", { name: /^Sign in to / }).click();
    await page.waitForURL(`${node.url}/apps`);
    await page.getByRole("heading", { name: "Apps" }).first().waitFor();
    expect(await who()).toMatchObject({ username: ADA.email, role: "admin" });
    const audit = await owner.ok("GET /api/audit/logs?action=auth.signed_in");
    expect(audit[0]).toMatchObject({ details: { method: "panel" } });
    expect(browser.complaints).toEqual([]);
  });

  test("opened from the panel it lets its owner in once", async () => {
    const [{ id }] = await ada.ok("GET /api/fleet/instances");
    const { session_url } = await ada.ok(`POST /api/fleet/instances/${id}/impersonate`);
    const { page } = browser;
    await browser.context.clearCookies();
    await page.goto(session_url);
    await page.waitForURL(`${node.url}/`);
    expect(await who()).toMatchObject({ username: ADA.email });
    await browser.context.clearCookies();
    await page.goto(session_url);
    await page.getByText("That link has run out or was used already").waitFor();
  });

  test("whoever else is signed in is asked, with the keyboard too, and stays or gives way", async () => {
    const [{ id }] = await ada.ok("GET /api/fleet/instances");
    const { page } = browser;
    await browser.context.clearCookies();
    await enter(browser, node.url);
    const open = async () => {
      await page.goto((await ada.ok(`POST /api/fleet/instances/${id}/impersonate`)).session_url);
      await page.getByRole("heading", { name: `Sign in as ${ADA.email}?` }).waitFor();
    };
    await open();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([await accessFaults(page), await sidewaysFaults(page)]).toEqual([[], []]);
    }
    await page.getByRole("link", { name: `Stay ${OWNER.username}` }).click();
    await page.waitForURL(`${node.url}/`);
    await goOnAs(page, OWNER.username);
    expect(await who()).toMatchObject({ username: OWNER.username });
    await open();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${node.url}/`);
    // That the panel was answered proves nothing to the page, which had somebody else before.
    await goOnAs(page, ADA.email);
    expect(await who()).toMatchObject({ username: ADA.email });
    await browser.context.clearCookies();
  });

  test("no at the panel is said on the node's sign-in page", async () => {
    const { page } = browser;
    await page.goto(node.url);
    await page.getByRole("link", { name: /^Sign in with 127/ }).click();
    await enterPanel(page, ADA);
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("The panel did not confirm who you are").waitFor();
    expect(new URL(page.url()).search).toBe("");
  });
});
