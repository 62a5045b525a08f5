import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { leftovers, NOTHING } from "../kit/apps.ts";
import { arrives, collectTexts, type Dashboard, sees, startDashboard, temporaryFolder } from "../kit/dashboard.ts";
import { docker, forgetImage, removeLabelled } from "../kit/docker.ts";
import { suite, testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";

suite("an app in a browser", ["chromium", "docker", "registry", "images"], () => {
  let dashboard: Dashboard;
  let page: Page;
  let id: string;
  let name: string;
  const shelf = temporaryFolder("shelf");
  const shelfProject = `shelf-${process.pid}`;
  const chip = (word: string) => page.locator("header").getByText(word, { exact: true });
  /** Clicks the tile of the app on the home page, and gives the tab that opens. */
  const openFromHome = async () => {
    await page.goto(dashboard.apps.node.url);
    const tile = page.locator(".appgrid a.go").filter({ hasText: "Test layers" });
    await tile.getByText("Running").waitFor({ timeout: 30_000 });
    const [tab] = await Promise.all([page.context().waitForEvent("page"), tile.click()]);
    return tab;
  };
  const detail = () => dashboard.apps.owner.ok(`GET /api/apps/${id}`);

  beforeAll(async () => {
    dashboard = await startDashboard({}, [{ name: "test-player", image: "web", hostPath: `${shelf.path}/music` }]);
    page = dashboard.page;
    name = dashboard.apps.freshName("layers");
    await forgetImage(testEnv().images.layers);
  });
  afterAll(async () => {
    await dashboard?.dispose();
    await removeLabelled(`com.docker.compose.project=${shelfProject}`);
    shelf.remove();
  });

  // A try that failed may have left the window of a phone.
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  test("is found in the store and checked before anything happens", async () => {
    await dashboard.visit("/store", "App store");
    await page.getByRole("searchbox", { name: "Search apps" }).fill("layers");
    await sees(page, "1 found");
    await page.getByRole("button", { name: "Install Test layers" }).click();
    const dialog = page.getByRole("dialog", { name: "Install Test layers" });
    await dialog.getByRole("heading", { name: "Checks" }).waitFor();
    for (const check of [/memory/i, /disk/i, /port/i, /image/i])
      await dialog.getByRole("listitem").filter({ hasText: check }).first().waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Greeting").fill("salve");
    await dialog.getByText("A secret of the app").waitFor();
    expect((await dashboard.apps.owner.ok("GET /api/apps")).length).toBe(0);
  });

  test("installs with steps and bytes, also while the reader is elsewhere", async () => {
    const bytesSeen = await collectTexts(page, /[\d.]+\s[kM]B of [\d.]+\s[kM]B/);
    const other = await page.context().newPage();
    await other.goto(`${dashboard.apps.node.url}/settings`);
    await other.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(await other.getByRole("button", { name: /^Running|Recent work/ }).count()).toBe(0);
    const dialog = page.getByRole("dialog");
    await until(() => dialog.getByRole("button", { name: "Install", exact: true }).isEnabled());
    await dialog.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("dialog", { name: "Installing Test layers" }).waitFor();
    await dialog.getByText(/Step \d of \d/).waitFor();
    await other.getByRole("button", { name: "Running: Install Test layers" }).click();
    await other
      .getByRole("dialog", { name: "Running and recent work" })
      .getByText(/^\d+%$/)
      .waitFor();
    await until(async () => (await bytesSeen()).length > 0, { what: "bytes of the download" });
    await dialog.getByRole("button", { name: "Run in background" }).click();
    id = (await dashboard.apps.owner.ok("GET /api/apps"))[0].id;

    await page.getByRole("link", { name: /^Apps/ }).first().click();
    await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: /Test layers/ }).click();
    await arrives(page, `/apps/${id}`);
    await chip("Running").waitFor({ timeout: 30_000 });
    await other.getByRole("dialog", { name: "Running and recent work" }).getByText(/^Done/).waitFor();
    await other.close();
  });

  test("opens at its address with the answers that were given", async () => {
    const link = page.getByRole("link", { name: "Open", exact: true });
    const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await sees(tab, "Greeting: salve");
    await tab.close();
    await sees(page, "A secret of the app");
    await page
      .getByRole("region", { name: "Memory" })
      .getByText(/limit 64/)
      .waitFor();
  });

  test("writes its log live, and holds still while one reads", async () => {
    const container = (await detail()).services[0].container_id;
    const write = (word: string) =>
      docker("exec", container, "sh", "-c", `for n in $(seq 60); do echo "${word} $n" >/proc/1/fd/1; done`);
    const release = Promise.withResolvers<void>();
    await page.route(/\/logs\?follow=true/, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.getByRole("navigation", { name: "Test layers" }).getByRole("link", { name: "Logs" }).click();
    const log = page.getByRole("log", { name: "Test layers log" });
    await log.getByText("INFO listening on port 8080").waitFor();
    // What is written between the first answer and the stream is not lost.
    await write("between");
    release.resolve();
    await log.getByText("between 60").waitFor();
    await page.unroute(/\/logs\?follow=true/);
    await write("burst");
    await log.getByText("burst 60").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const lowest = await log.evaluate(
      "Math.min(...[...document.querySelectorAll('.ln-row .msg')].map((line) => line.clientHeight))",
    );
    expect(lowest).toBeGreaterThan(15);
    await page.setViewportSize({ width: 1280, height: 800 });
    await log.hover();
    await page.mouse.wheel(0, -400);
    await page.getByRole("button", { name: "Follow" }).waitFor();
    // The wheel may still be turning.
    let place = -1;
    const rests = async (): Promise<boolean> => {
      const before = place;
      place = await log.evaluate((box) => box.scrollTop);
      return place === before;
    };
    await until(rests, { everyMs: 100, what: "the log to hold still" });
    await write("later");
    const pill = page.getByRole("button", { name: /\d\d new lines/ });
    await pill.waitFor();
    expect(await log.evaluate((box) => box.scrollTop)).toBe(place);
    await pill.click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await log.getByText("later 60").waitFor();
  });

  test("renews a secret after it has said what restarts", async () => {
    const secretNow = async () => (await dashboard.apps.owner.ok(`GET /api/apps/${id}/secrets`))[0].value;
    const before = await secretNow();
    await page.getByRole("link", { name: "Settings" }).last().click();
    await page.getByRole("button", { name: "Renew A secret of the app" }).click();
    const dialog = page.getByRole("dialog", { name: "Renew a secret of Test layers" });
    await dialog.getByText("Restarts web; it does not answer for a moment.").waitFor();
    await dialog.getByRole("button", { name: "Renew", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await chip("Running").waitFor({ timeout: 30_000 });
    expect(await secretNow()).not.toBe(before);
  });

  test("stops and starts by its buttons", async () => {
    await page.getByRole("link", { name: "Overview" }).click();
    if ((await detail()).status === "running") await page.getByRole("button", { name: "Stop" }).click();
    await chip("Stopped").waitFor({ timeout: 20_000 });
    expect((await detail()).status).toBe("stopped");
    await page.getByRole("button", { name: "Start" }).click();
    await chip("Running").waitFor({ timeout: 20_000 });
  });

  test("a crash is on the page within two seconds, with the cause and the way on", async () => {
    let took = Number.POSITIVE_INFINITY;
    // A machine that does other things at that moment says nothing about the page: the quickest of three counts.
    for (let round = 0; round < 3 && took >= 2_000; round++) {
      await page.goto(`${dashboard.apps.node.url}/apps/${id}`);
      if ((await detail()).status !== "running") await page.getByRole("button", { name: "Start" }).click();
      await chip("Running").waitFor();
      const container = (await detail()).services[0].container_id;
      const begin = performance.now();
      await docker("kill", container);
      await chip("Failed").waitFor();
      took = performance.now() - begin;
    }
    expect(took).toBeLessThan(2_000);
    const { cause, next_step } = await detail();
    await sees(page, cause);
    await sees(page, next_step);
    // The lines that it wrote last stay to be read beside it.
    await page.locator("summary").filter({ hasText: cause }).first().click();
    await page
      .getByRole("region", { name: /^Last lines of / })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Start" }).waitFor();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await sees(page, "Test layers was stopped");
    await page.getByRole("button", { name: "Start" }).click();
    await page.goBack();
    await chip("Running").waitFor({ timeout: 20_000 });
  });

  test("its tile on the home page opens the app itself", async () => {
    const tab = await openFromHome();
    await sees(tab, "Greeting: salve");
    expect(new URL(tab.url()).origin).toBe(new URL((await detail()).url).origin);
    await tab.close();
    await page.getByRole("button", { name: "Manage Test layers" }).click();
    await page.getByRole("menuitem", { name: "Manage" }).click();
    await arrives(page, `/apps/${id}`);
  });

  test("goes, and comes back with what it knew", async () => {
    const visits = async () => {
      const tab = await openFromHome();
      const text = await tab.getByText(/Visits: \d+/).textContent();
      await tab.close();
      return Number(/Visits: (\d+)/.exec(text ?? "")?.[1]);
    };
    const before = await visits();
    await page.goto(`${dashboard.apps.node.url}/apps/${id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Uninstall…" }).click();
    const leaving = page.getByRole("dialog", { name: "Uninstall Test layers?" });
    await leaving.getByRole("button", { name: "Uninstall" }).click();
    await arrives(page, "/apps");
    await sees(page, "Nothing in orbit yet", 20_000);
    await dashboard.visit("/store", "App store");
    await page.getByRole("searchbox", { name: "Search apps" }).fill("layers");
    await page.getByRole("button", { name: "Install Test layers" }).click();
    const dialog = page.getByRole("dialog", { name: "Install Test layers" });
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByRole("combobox", { name: "Data" }).selectOption(id);
    await sees(page, /Its volumes and its secrets are taken up again/);
    const install = dialog.getByRole("button", { name: "Install", exact: true });
    await until(() => install.isEnabled(), { what: "the checks to be done" });
    await install.click();
    await dashboard.apps.reaches(id, "running", 60_000);
    expect(await visits()).toBeGreaterThan(before);
    await page.goto(`${dashboard.apps.node.url}/apps/${id}`);
    await chip("Running").waitFor();
  });

  test("goes and leaves its data, which then can be deleted by name", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Uninstall…" }).click();
    const dialog = page.getByRole("dialog", { name: "Uninstall Test layers?" });
    expect(await dialog.getByRole("checkbox").isChecked()).toBe(false);
    await dialog.getByRole("button", { name: "Uninstall" }).click();
    await arrives(page, "/apps");
    await sees(page, "Nothing in orbit yet", 20_000);
    expect(await leftovers(id)).toEqual({ ...NOTHING, volumes: 1 });

    await page.getByRole("button", { name: "Delete now…" }).click();
    const confirm = page.getByRole("dialog", { name: "Delete the data of Test layers?" });
    const remove = confirm.getByRole("button", { name: "Delete" });
    expect(await remove.isDisabled()).toBe(true);
    await confirm.getByRole("textbox").fill(name);
    await remove.click();
    await until(async () => (await leftovers(id)).volumes === 0, { what: "the data to be deleted" });
  });

  test("goes with its data once its name is typed, from a page in another window too", async () => {
    const second = await dashboard.apps.installed("test-web", dashboard.apps.freshName("web"));
    id = second.id;
    const { name: called } = await detail();
    await dashboard.visit(`/apps/${id}`, "Test web");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText("Running").first().waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Uninstall…" }).click();
    const dialog = page.getByRole("dialog", { name: "Uninstall Test web?" });
    await dialog.getByRole("checkbox", { name: /Delete the data too/ }).check();
    const button = dialog.getByRole("button", { name: "Uninstall" });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(called.slice(0, -1));
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(called);
    await button.click();
    await arrives(page, "/apps");
    await sees(page, "Nothing in orbit yet", 20_000);
    expect(await leftovers(id)).toEqual(NOTHING);
    await sees(other, "This app is not here any more");
    await other.close();
    expect(new Set(dashboard.browser.refusals.splice(0))).toEqual(new Set([`404 /api/apps/${id}`]));
  });

  test("an install that wanted more memory gets it on the page; a phone shows whole lines of its log", async () => {
    const { apps } = dashboard;
    const failed = await apps.installed("test-oom", apps.freshName("oom"));
    expect(failed.end.event).toBe("error");
    await page.goto(`${apps.node.url}/apps/${failed.id}`);
    await page.getByRole("link", { name: "Change limits" }).click();
    await page.getByLabel("Memory limit of web").fill("48");
    await page.getByRole("button", { name: "Save and try again" }).click();
    // This app eats whatever it is given.
    await sees(page, "memory limit of 48 MB", 70_000);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${apps.node.url}/apps/${failed.id}?tab=logs`);
    const line = page.getByRole("log").getByText("INFO").first();
    await line.waitFor();
    // A row that is lower than its text cuts every line in half.
    expect(
      await line.evaluate(
        (text) => text.getBoundingClientRect().bottom <= (text.parentElement?.getBoundingClientRect().bottom ?? 0) + 1,
      ),
    ).toBe(true);
  });

  test("what others have come to be able to replace is allowed on the page, and the app starts", async () => {
    const { owner, freshName, installed, node } = dashboard.apps;
    mkdirSync(`${shelf.path}/music`);
    const config = { permissions: [`host_path:${shelf.path}/music`] };
    const player = await installed("test-player", freshName("player"), config);
    expect(player.end.event).toBe("done");
    const file = `services: { keeper: { image: "${testEnv().images.web}", volumes: ["${shelf.path}:/shelf"] } }\n`;
    const plan = await owner.ok("POST /api/containers/compose/plan", { name: shelfProject, file });
    const confirmed = plan.dangers.map((danger: { id: string }) => danger.id);
    const deployed = await owner.ok("POST /api/containers/compose", {
      name: shelfProject,
      file,
      plan: plan.hash,
      confirmed,
    });
    expect((await dashboard.apps.follow(deployed.op_id)).at(-1)?.event).toBe("done");
    await page.goto(`${node.url}/apps/${player.id}`);
    await sees(page, /Others have come to be able to replace a path/);
    await page.getByRole("link", { name: "Settings" }).last().click();
    await page.getByRole("button", { name: "Renew A secret of the app" }).click();
    const renewing = page.getByRole("dialog", { name: "Renew a secret of Test player" });
    const allowed = renewing.getByRole("checkbox", { name: /A path that others can replace/ });
    await allowed.waitFor();
    const renew = renewing.getByRole("button", { name: "Renew", exact: true });
    expect(await renew.isDisabled()).toBe(true);
    await allowed.check();
    await until(() => renew.isEnabled(), { what: "what is allowed" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Restart" }).click();
    await sees(page, /was left as it is/);
    await chip("Running").waitFor();
    await page.getByRole("button", { name: "Look at it" }).click();
    const dialog = page.getByRole("dialog", { name: /^Allow what / });
    const allow = dialog.getByRole("button", { name: "Allow and restart" });
    expect(await allow.isDisabled()).toBe(true);
    await dialog.getByRole("checkbox", { name: /A path that others can replace/ }).check();
    await allow.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/Others have come to be able/).waitFor({ state: "detached" });
    await dashboard.apps.reaches(player.id, "running");
    const removed = await owner.ok(`DELETE /api/containers/compose/${shelfProject}`);
    await dashboard.apps.follow(removed.op_id);
    // What was refused is what the page has asked about.
    expect(dashboard.browser.refusals.splice(0)).toEqual([`409 /api/apps/${player.id}/restart`]);
  });

  test("nothing went wrong in the page all the while", () => {
    expect(dashboard.browser.complaints).toEqual([]);
    expect(dashboard.browser.refusals).toEqual([]);
  });
});
