import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AppsNode, leftovers, NOTHING, startAppsNode } from "../kit/apps.ts";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { OWNER } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { overflow } from "../kit/look.ts";
import { until } from "../kit/until.ts";

suite("the first visit in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  beforeAll(async () => {
    // Without an engine: everything but apps has to work.
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("the wizard makes the owner and leads to the dashboard", async () => {
    const { page } = browser;
    await page.goto(node.url);
    await page.getByLabel("User name").fill(OWNER.username);
    const next = page.getByRole("button", { name: "Continue" });
    await page.getByRole("textbox", { name: "Passphrase" }).fill("short");
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Passphrase" }).fill(OWNER.password);
    await browser.look();
    await next.click();
    await page.getByRole("heading", { name: "Name your server" }).waitFor();
    await next.click();
    await page.getByRole("heading", { name: "Start with a few apps" }).waitFor();
    await page.getByRole("button", { name: "Skip for now" }).click();
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
  }, 60_000);

  test("the dashboard says what is missing and how to get it", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/store`);
    await page.getByText("Docker", { exact: false }).first().waitFor();
    expect(await page.locator("body").textContent()).toMatch(/docker/i);
    await browser.look();
  }, 30_000);

  test("live figures move without a reload", async () => {
    const { page } = browser;
    await page.goto(node.url);
    const figure = page.getByRole("region", { name: "Live metrics" });
    await figure.waitFor();
    const first = await figure.textContent();
    await until(async () => (await figure.textContent()) !== first, { timeoutMs: 15_000, what: "a figure to change" });
  }, 30_000);

  test("signing out leads to the sign-in page, a wrong passphrase is told, the right one opens", async () => {
    const { page } = browser;
    await page.context().clearCookies();
    await page.goto(node.url);
    await page.getByLabel("User name").fill(OWNER.username);
    await page.getByRole("textbox", { name: "Passphrase" }).fill("not the passphrase");
    await page.getByRole("button", { name: /sign in/i }).click();
    await page.getByText(/wrong/i).waitFor();
    await browser.look();
    await page.getByRole("textbox", { name: "Passphrase" }).fill(OWNER.password);
    await page.getByRole("button", { name: /sign in/i }).click();
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
  }, 30_000);

  test("nothing was asked of another host, nothing complained, everybody can use it", () => {
    expect(browser.complaints).toEqual([]);
    expect(browser.faults).toEqual([]);
  });
});

suite("an app in the browser", ["chromium", "docker", "registry", "images"], () => {
  let apps: AppsNode;
  let browser: TestBrowser;
  let name: string;
  beforeAll(async () => {
    apps = await startAppsNode();
    browser = await openBrowser();
    name = apps.freshName("page");
    const { page } = browser;
    await page.goto(apps.node.url);
    await page.getByLabel("User name").fill(OWNER.username);
    await page.getByRole("textbox", { name: "Passphrase" }).fill(OWNER.password);
    await page.getByRole("button", { name: /sign in/i }).click();
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await apps?.dispose();
  });
  const installedId = async (): Promise<string> =>
    (await apps.owner.ok("GET /api/apps")).find((app: { name: string }) => app.name === name)?.id;

  test("is found, checked and installed with its steps in sight", async () => {
    const { page } = browser;
    await page.goto(`${apps.node.url}/store`);
    await page.getByRole("searchbox", { name: "Search apps" }).fill("test");
    await browser.look();
    await page.getByRole("button", { name: "Install Test web" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Greeting").fill("ahoy");
    await dialog.getByText("Docker is running").waitFor();
    await browser.look();
    await dialog.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("heading", { name: "Test web is running" }).waitFor({ timeout: 40_000 });
    await page.getByRole("button", { name: "See app" }).click();
    await page.getByRole("heading", { name: "Test web", level: 1 }).waitFor();
    apps.adopt(await installedId());
  }, 90_000);

  test("opens in a tab of its own", async () => {
    const { page } = browser;
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Open", exact: true }).click(),
    ]);
    await tab.waitForLoadState();
    expect(await tab.locator("body").textContent()).toContain("Greeting: ahoy");
    await tab.close();
  }, 30_000);

  test("shows its log as it is written", async () => {
    const { page } = browser;
    await page.getByRole("link", { name: "Logs" }).click();
    await page.getByText("listening on port 8080").waitFor();
    await page
      .getByText(/tick \d+/)
      .first()
      .waitFor();
    await browser.look();
  }, 30_000);

  test("its death shows without a reload, with cause and a way out", async () => {
    const { page } = browser;
    await page.goto(`${apps.node.url}/apps/${await installedId()}`);
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    const { services } = await apps.owner.ok(`GET /api/apps/${await installedId()}`);
    Bun.spawnSync(["docker", "kill", services[0].container_id]);
    await page
      .getByText(/SIGKILL|exit code 137/)
      .first()
      .waitFor({ timeout: 10_000 });
    await page
      .getByRole("button", { name: /^(Start|Restart|Retry|Try again)$/ })
      .first()
      .click();
    await apps.reaches(await installedId(), "running");
  }, 60_000);

  test("fits a phone", async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/", "/store", "/apps", `/apps/${await installedId()}`, "/users", "/settings"]) {
      await page.goto(apps.node.url + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 60_000);

  test("is uninstalled with its data only after its name was typed", async () => {
    const { page } = browser;
    const id = await installedId();
    await page.goto(`${apps.node.url}/apps/${id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: /uninstall/i }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Delete the data too").click();
    const confirm = dialog.getByRole("button", { name: /uninstall|delete/i }).last();
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(name);
    await confirm.click();
    await until(async () => (await apps.owner.call(`GET /api/apps/${id}`)).status === 404, { timeoutMs: 20_000 });
    expect(await leftovers(id)).toEqual(NOTHING);
  }, 60_000);

  test("nothing was asked of another host, nothing complained, everybody can use it", () => {
    expect(browser.complaints).toEqual([]);
    expect(browser.faults).toEqual([]);
  });
});
