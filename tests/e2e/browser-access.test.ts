import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser } from "../kit/browser.ts";
import { OWNER } from "../kit/client.ts";
import { type Dashboard, sees, startDashboard } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { until } from "../kit/until.ts";

suite("who cannot see or point well can use", ["chromium", "docker", "registry", "images"], () => {
  let dashboard: Dashboard;
  let page: Page;
  let running: string;
  let failed: string;
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

  beforeAll(async () => {
    dashboard = await startDashboard();
    page = dashboard.page;
    const { apps } = dashboard;
    const done = await Promise.all([
      apps.installed("test-web", apps.freshName("web")),
      apps.installed("test-crash", apps.freshName("crash")),
    ]);
    [running, failed] = [done[0].id, done[1].id];
  });
  afterAll(() => dashboard?.dispose());

  /** Each: what it is, where, and how it comes up there. */
  const screens: [string, () => string, () => Promise<unknown>][] = [
    ["home", () => "/", () => page.getByRole("region", { name: "Live metrics" }).waitFor()],
    ["the list of apps", () => "/apps", () => sees(page, "Test web")],
    ["the store", () => "/store", () => page.getByRole("heading", { name: "All apps" }).waitFor()],
    ["a store without a hit", () => "/store?q=xyzzy", () => sees(page, "No app by that name")],
    ["an app of the store", () => "/store?app=nextcloud", () => sees(page, "What runs")],
    ["the install dialog", () => "/store?q=test", openInstall],
    ["an app", () => `/apps/${running}`, () => page.getByRole("region", { name: "Memory" }).waitFor()],
    ["the log of an app", () => `/apps/${running}?tab=logs`, () => sees(page, /tick \d/)],
    ["the settings of an app", () => `/apps/${running}?tab=settings`, () => sees(page, "Settings")],
    ["the storage of an app", () => `/apps/${running}?tab=storage`, () => page.getByRole("main").waitFor()],
    ["the uninstall dialog", () => `/apps/${running}`, openUninstall],
    ["the menu of an app", () => `/apps/${running}`, () => button("More actions").click()],
    [
      "an app that failed",
      () => `/apps/${failed}`,
      () => page.getByRole("button", { name: "Install again" }).waitFor(),
    ],
    ["users", () => "/users", () => page.getByRole("table", { name: "Users" }).waitFor()],
    ["the new user dialog", () => "/users", () => button("Add user").click()],
    ["security", () => "/security", () => page.getByRole("table", { name: "Sessions" }).waitFor()],
    ["settings", () => "/settings", () => page.getByRole("heading", { name: "Appearance" }).waitFor()],
    ["the command palette", () => "/apps", () => page.keyboard.press("Control+k")],
    ["the list of keys", () => "/apps", () => page.keyboard.press("?")],
    ["the account menu", () => "/apps", () => page.getByRole("button", { name: /account of owner/ }).click()],
    ["the list of work", () => "/apps", () => page.getByRole("button", { name: /Recent work/ }).click()],
    ["a page that is not there", () => "/nowhere", () => sees(page, "Nothing orbits here")],
    ["the demo of all parts", () => "/__ui", () => page.getByRole("main").waitFor()],
  ];
  async function openInstall(): Promise<void> {
    await page.getByRole("button", { name: "Install Test sick" }).click();
    await sees(page, "Checks");
  }
  async function openUninstall(): Promise<void> {
    await button("More actions").click();
    await page.getByRole("menuitem", { name: "Uninstall…" }).click();
    await page.getByRole("checkbox", { name: /Delete the data too/ }).check();
  }

  test.each(screens)(
    "%s",
    async (_name, path, open) => {
      await dashboard.visit(path());
      await open();
      await look(page);
    },
    120_000,
  );

  test("a calm page to whom the system asks for less motion", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await dashboard.visit("/");
    await page
      .getByRole("link", { name: /Test web/ })
      .first()
      .waitFor();
    const moving = (): Promise<number> =>
      page.evaluate(
        "document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getTiming().iterations === Infinity).length",
      );
    expect(await moving()).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    // So that the test can fail: without that wish something does move.
    await until(async () => (await moving()) > 0, { what: "something to move" });
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  test("a page in the colours of the system, with its borders", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    for (const path of ["/", `/apps/${failed}`, "/settings"]) {
      await dashboard.visit(path);
      const plain: string[] = await page.evaluate(`[...document.querySelectorAll("button.btn, .card")]
        .filter((part) => part.checkVisibility() && !part.closest(".waiting") && getComputedStyle(part).borderTopWidth === "0px")
        .map((part) => part.className)`);
      expect([path, plain]).toEqual([path, []]);
    }
    await page.emulateMedia({ forcedColors: null });
  });
});

suite("the way in for everybody", ["chromium"], () => {
  test("the wizard and the sign-in page", async () => {
    const node: NodeProcess = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    const browser = await openBrowser();
    try {
      const { page } = browser;
      await page.goto(node.url);
      await page.getByLabel("User name").fill(OWNER.username);
      await page.getByLabel("Passphrase", { exact: true }).fill("password1");
      await look(page);
      await page.getByRole("button", { name: "Continue" }).click();
      await sees(page, /attackers try first/);
      await look(page);
      await page.getByLabel("Passphrase", { exact: true }).fill(OWNER.password);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Name your server" }).waitFor();
      await look(page);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("checkbox").first().waitFor();
      await look(page);
      await page.getByRole("button", { name: "Skip for now" }).click();
      await sees(page, "Nothing in orbit yet");
      await look(page);
      await browser.context.clearCookies();
      await page.goto(node.url);
      await page.getByLabel("User name").fill("owner");
      await page.getByLabel("Passphrase", { exact: true }).fill("not this one");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await look(page);
      await page.getByRole("button", { name: "Appearance" }).click();
      await look(page);
      await node.kill();
      await page.getByRole("button", { name: "Sign in" }).click();
      await sees(page, /Server unreachable since/);
      await look(page);
    } finally {
      await browser.close();
      await node.dispose();
    }
  });
});
