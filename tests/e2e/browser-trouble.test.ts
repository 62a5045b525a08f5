import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startNode } from "../kit/binary.ts";
import { openBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { type Dashboard, enter, sees, startDashboard } from "../kit/dashboard.ts";
import { suite, testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";

suite("apps that fail, in a browser", ["chromium", "docker", "registry", "images"], () => {
  let dashboard: Dashboard;
  let page: Page;
  beforeAll(async () => {
    dashboard = await startDashboard({}, [
      { name: "test-absent", image: testEnv().images.web.replace(/web:.*/, "absent:1") },
      { name: "test-gone", image: testEnv().images.web.replace(/web:.*/, "gone:1") },
    ]);
    page = dashboard.page;
  });
  afterAll(() => dashboard?.dispose());

  async function install(title: string): Promise<void> {
    await dashboard.visit(`/store?q=${encodeURIComponent(title)}`, "App store");
    await page.getByRole("button", { name: `Install ${title}` }).click();
    const go = page.getByRole("dialog").getByRole("button", { name: "Install", exact: true });
    await until(() => go.isEnabled(), { what: "the checks to pass" });
    await go.click();
  }

  test("a failed install says why, what to do next, and can be tried again", async () => {
    await install("Test oom");
    await page.getByRole("dialog", { name: "Test oom could not be installed" }).waitFor({ timeout: 40_000 });
    const app = (await dashboard.apps.owner.ok("GET /api/apps")).find(
      ({ template }: { template: string }) => template === "test-oom",
    );
    expect(app.cause).toContain("memory limit");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(app.cause).first().waitFor();
    await dialog.getByText(app.next_step).first().waitFor();
    await dialog.getByRole("button", { name: "See app" }).click();
    await page.getByRole("heading", { level: 1, name: "Test oom" }).waitFor();
    await sees(page, app.cause);
    await page.getByRole("button", { name: "Install again" }).click();
    await page.locator("header").getByText("Installing…", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Progress" }).waitFor();
    await page.locator("header").getByText("Failed", { exact: true }).waitFor({ timeout: 40_000 });
  });

  test("each way to fail has its own words, on the app's page and on the home page", async () => {
    const { apps } = dashboard;
    const failed = await Promise.all(
      ["test-crash", "test-sick"].map((template) => apps.installed(template, apps.freshName("bad"))),
    );
    for (const [at, words] of [/ended|exit code/, /health|answer/].entries()) {
      const id = failed[at]?.id;
      const { cause, next_step } = await apps.owner.ok(`GET /api/apps/${id}`);
      expect(cause).toMatch(words);
      await dashboard.visit(`/apps/${id}`);
      await sees(page, cause);
      await sees(page, next_step);
      await page.getByRole("button", { name: "Install again" }).waitFor();
      // Neither failed for want of memory, and nothing of them was ever made.
      expect(await page.getByRole("link", { name: "Change limits" }).count()).toBe(0);
      await sees(page, "Not yet");
      await dashboard.visit(`/apps/${id}?tab=settings`);
      await page.getByRole("heading", { name: "Limits" }).waitFor();
      expect(await page.getByRole("heading", { name: "Try again with more memory" }).count()).toBe(0);
      await dashboard.visit(`/apps/${id}?tab=files`);
      await sees(page, "They come with the install.");
      expect(await page.getByRole("button", { name: "New folder" }).count()).toBe(0);
    }
    const { id } = await apps.installed("test-gone", apps.freshName("bad"));
    await dashboard.visit(`/apps/${id}`);
    await page.getByRole("link", { name: "See the store" }).waitFor();
    const [entry] = await apps.owner.ok("GET /api/audit/logs?action=app.work_failed");
    expect(entry).toMatchObject({ resource: `app:${id}`, details: { work: "install" } });
    await dashboard.visit("/");
    await sees(page, "Test crash could not be installed");
    await sees(page, "Test sick could not be installed");
  });

  test("an image that is nowhere is told before anything is installed", async () => {
    await dashboard.visit("/store?q=absent", "App store");
    await page.getByRole("button", { name: "Install Test absent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("listitem")
      .filter({ hasText: "Image" })
      .getByText(/not|absent/)
      .first()
      .waitFor();
    await sees(page, /One check does not pass|checks do not pass/);
    expect(await dialog.getByRole("button", { name: "Install", exact: true }).isDisabled()).toBe(true);
  });

  test("a name that is taken comes with one that is free", async () => {
    const name = dashboard.apps.freshName("twin");
    await dashboard.apps.installed("test-web", name);
    await dashboard.visit("/store?q=slow", "App store");
    await page.getByRole("button", { name: "Install Test slow" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByText(new RegExp(`${name}-2`)).waitFor();
    expect(await dialog.getByRole("button", { name: "Install", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Name", { exact: true }).fill(`${name}-2`);
    await until(() => dialog.getByRole("button", { name: "Install", exact: true }).isEnabled());
  });

  test("a server that is killed and comes back is noticed, and nothing typed is lost", async () => {
    const { apps } = dashboard;
    await dashboard.visit("/users", "Users");
    await page.getByRole("button", { name: "Add user" }).click();
    await page.getByText("Set one").click();
    await page.getByLabel("User name").fill("half-typed");
    await page.getByLabel("First passphrase").fill("comets at noon");
    await page.evaluate("window.sameDocument = true");
    await apps.node.kill();
    await page.getByRole("dialog").getByRole("button", { name: "Add user" }).click();
    const bar = page.getByRole("dialog").getByText(/Server unreachable since/);
    await bar.waitFor();
    // A trial finds out whether a click would reach it: what lies behind a dialog gets none.
    await page.getByRole("dialog").getByRole("button", { name: "Try now" }).click({ trial: true });
    await apps.comeBack(apps.node.url);
    await bar.waitFor({ state: "detached" });
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect(await page.getByLabel("User name").inputValue()).toBe("half-typed");
    await page.getByRole("dialog").getByRole("button", { name: "Add user" }).click();
    await sees(page, "half-typed can sign in now.");
  });

  test("a page that asks for nothing by itself notices too", async () => {
    const { apps } = dashboard;
    await dashboard.visit("/store?q=slow", "App store");
    await page.getByRole("button", { name: "Install Test slow" }).click();
    const dialog = page.getByRole("dialog");
    await until(() => dialog.getByRole("button", { name: "Install", exact: true }).isEnabled());
    await apps.node.kill();
    const bar = dialog.getByText(/Server unreachable since/);
    await bar.waitFor();
    await apps.comeBack(apps.node.url);
    await bar.waitFor({ state: "detached" });
  });

  test("a page that is only looked at notices too, and its figures move again", async () => {
    const { apps } = dashboard;
    await dashboard.visit("/");
    await apps.node.kill();
    const bar = page.getByText(/Server unreachable since/);
    await bar.waitFor();
    await apps.comeBack(apps.node.url);
    await bar.waitFor({ state: "detached" });
    const figure = page.getByRole("region", { name: "Live metrics" });
    const first = await figure.textContent();
    await until(async () => (await figure.textContent()) !== first, { what: "a live figure to move" });
    expect(dashboard.browser.complaints).toEqual([]);
  });
});

suite("a node without Docker, in a browser", ["chromium"], () => {
  test("says so with the way on wherever apps are, and does all the rest", async () => {
    const node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    const browser = await openBrowser();
    try {
      const { page } = browser;
      await enter(browser, node.url);
      for (const path of ["/", "/apps", "/store"]) {
        await page.goto(node.url + path);
        await sees(page, /Docker/);
        await sees(page, /install|start/i);
        await page.getByRole("button", { name: "Check again" }).first().waitFor();
      }
      await page.getByRole("button", { name: "Install" }).first().click();
      await page
        .getByRole("dialog")
        .getByRole("listitem")
        .filter({ hasText: /Docker is (not|missing)/ })
        .waitFor();
      await sees(page, /does not pass|do not pass/);
      await page.getByRole("button", { name: "Cancel" }).click();
      for (const [path, sign] of [
        ["/users", "Since"],
        ["/security", "Where you are signed in"],
        ["/settings", "Appearance"],
      ] as const) {
        await page.goto(node.url + path);
        await sees(page, sign);
      }
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
      await node.dispose();
    }
  });
});
