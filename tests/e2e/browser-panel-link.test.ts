import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery staple" };

suite("the link to a panel in the browser", ["chromium"], () => {
  let panel: NodeProcess;
  let node: NodeProcess;
  let ada: Client;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    panel = await startNode({ binary: PANEL_BINARY });
    await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    ada = createClient(panel.url, token);
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    await panel?.dispose();
  });

  test("a line that was cut off says so at its field; the whole one connects by Enter", async () => {
    const { command } = await ada.ok("POST /api/onboarding/enroll-token");
    await page.goto(`${node.url}/panel`);
    const field = page.getByLabel("Line from the panel");
    await field.fill(command.slice(0, -10));
    await field.press("Enter");
    await sees(page, /--pin is cut off/);
    await look(page);
    await field.fill(command);
    await field.press("Enter");
    await sees(page, "Connected");
    await sees(page, "just now");
    await look(page);
  });

  test("deleted on the panel, the page says so by itself and offers to connect again", async () => {
    const [{ id }] = await ada.ok("GET /api/fleet/instances");
    await ada.ok(`DELETE /api/fleet/instances/${id}`);
    await sees(page, /deleted from its fleet/, 10_000);
    await look(page);
    const field = page.getByLabel("Line from the panel");
    await field.fill((await ada.ok("POST /api/onboarding/enroll-token")).command);
    await field.press("Enter");
    await sees(page, "Connected");
  });

  test("leaving asks first, and says who came in over the panel and is put out", async () => {
    const [{ id }] = await ada.ok("GET /api/fleet/instances");
    // The panel learns the server's addresses from a heartbeat.
    const { session_url } = await until(() => ada.ok(`POST /api/fleet/instances/${id}/impersonate`));
    const { search } = new URL(session_url);
    const opened = await fetch(`${node.url}/api/cp/session${search}`, { redirect: "manual" });
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const visit = () => fetch(`${node.url}/api/auth/me`, { headers: { cookie } }).then(({ status }) => status);
    expect(await visit()).toBe(200);
    await page.reload();
    await sees(page, "Connected");
    await page.getByRole("button", { name: "Disconnect" }).click();
    const dialog = page.getByRole("dialog", { name: "Disconnect from the panel?" });
    await sees(page, /1 person came in over this panel/);
    await look(page);
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await sees(page, "Connected");
    await page.getByRole("button", { name: "Disconnect" }).click();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await sees(page, "Connect to a panel");
    await sees(page, /1.account and 1.session of its people ended/);
    expect(await visit()).toBe(401);
    expect(browser.complaints).toEqual([]);
    expect(browser.refusals).toEqual(["400 /api/cp/connect"]);
  });
});
