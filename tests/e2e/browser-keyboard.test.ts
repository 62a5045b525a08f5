import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient, OWNER, signIn } from "../kit/client.ts";
import { sees, temporaryFolder } from "../kit/dashboard.ts";
import { removeLabelled } from "../kit/docker.ts";
import { suite } from "../kit/env.ts";
import { focusOf, pressOn, tabTo, typeInto } from "../kit/keyboard.ts";
import { writeTestTemplates } from "../kit/templates.ts";
import { until } from "../kit/until.ts";

suite("with the keyboard alone", ["chromium", "docker", "registry", "images"], () => {
  const templates = temporaryFolder("templates");
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let appPage = "";

  beforeAll(async () => {
    writeTestTemplates(templates.path);
    node = await startNode({ env: { ORRERY_TEMPLATES_DIR: templates.path } });
    browser = await openBrowser();
    page = browser.page;
  });
  afterAll(async () => {
    const apps = await (await signIn(node.url)).ok("GET /api/apps");
    await browser?.close();
    await node?.dispose();
    for (const { id } of apps) await removeLabelled(`orrery.app=${id}`);
    templates.remove();
  });

  test("one sets the node up", async () => {
    // A second try needs a node without an owner too.
    const facts = await createClient(node.url).ok("GET /api/auth/lock-info");
    if (!facts.setup_required) {
      await node.dispose();
      node = await startNode({ env: { ORRERY_TEMPLATES_DIR: templates.path } });
    }
    await page.goto(node.url);
    await sees(page, "Who owns this server?");
    await typeInto(page, "User name", OWNER.username);
    await typeInto(page, "Passphrase", OWNER.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Name your server" }).waitFor();
    await typeInto(page, "Name", "attic");
    await tabTo(page, /^Server/);
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("radio", { name: /Personal/ }).isChecked()).toBe(true);
    await pressOn(page, "Continue");
    await page.getByRole("heading", { name: "Start with a few apps" }).waitFor();
    await page.getByRole("checkbox").first().waitFor();
    await pressOn(page, "Skip for now");
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
  });

  test("one signs in", async () => {
    await browser.context.clearCookies();
    await page.goto(node.url);
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await typeInto(page, "User name", OWNER.username);
    await typeInto(page, "Passphrase", OWNER.password);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
  });

  test("one jumps over the menu, and goes by letters", async () => {
    await page.goto(node.url);
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
    await pressOn(page, "Skip to content", "Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { level: 1, name: "App store" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("test web");
    await sees(page, "1 found");
  });

  test("one installs an app; the dialog keeps the focus and gives it back", async () => {
    await page.goto(`${node.url}/store?q=test+web`);
    await sees(page, "1 found");
    await pressOn(page, "Install Test web");
    const dialog = page.getByRole("dialog", { name: "Install Test web" });
    await dialog.waitFor();
    await dialog.getByRole("heading", { name: "Checks" }).waitFor();
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"),
      ).toBe(true);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await until(async () => (await focusOf(page)).name === "Install Test web", { what: "the focus to come back" });
    await page.keyboard.press("Enter");
    await dialog.getByRole("heading", { name: "Checks" }).waitFor();
    await typeInto(page, "Name", `keys-${process.pid}-${Date.now() % 100_000}`);
    await page
      .getByText(/Takes about|^$/)
      .first()
      .waitFor({ state: "attached" });
    await dialog.getByRole("button", { name: "Install", exact: true }).and(page.locator(":enabled")).waitFor();
    await pressOn(page, "Install");
    await page.getByRole("dialog", { name: "Test web is running" }).waitFor({ timeout: 30_000 });
    await pressOn(page, "See app");
    await page.getByRole("heading", { level: 1, name: "Test web" }).waitFor();
    appPage = page.url();
  });

  test("one walks over the app's page, its tabs and its menu", async () => {
    await page.goto(appPage);
    await page.getByRole("heading", { level: 1, name: "Test web" }).waitFor();
    // The menu has a page of that name too; the app's tabs come after it.
    await tabTo(page, "Overview");
    await pressOn(page, "Logs");
    await sees(page, "listening on port 8080");
    await tabTo(page, "Test web log");
    await pressOn(page, "More actions", "Enter");
    await page.getByRole("menu").waitFor();
    await until(async () => (await focusOf(page)).role === "menuitem", { what: "the focus to be in the menu" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    expect((await focusOf(page)).name).toBe("Uninstall…");
    await page.keyboard.press("Escape");
    expect((await focusOf(page)).name).toBe("More actions");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("users");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
