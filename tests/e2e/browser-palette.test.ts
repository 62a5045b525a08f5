import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp, signIn } from "../kit/client.ts";
import { arrives, enter, goOnAs } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";
import { until } from "../kit/until.ts";

const PASSWORD = "other horse battery";

const chosen = (page: Page) => page.locator("[role=option][aria-selected=true] .cut");
/** Types into the palette, waits for what is to be chosen then, and runs it. */
async function run(page: Page, words: string, title: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(words);
  await until(async () => (await chosen(page).textContent())?.startsWith(title), {
    what: `${title} to be the first for ${words}, it is ${await chosen(page).textContent()}`,
  });
  await page.keyboard.press("Enter");
}
const focused = (page: Page, text: string) =>
  until(
    () => page.evaluate<boolean>(`document.activeElement?.textContent?.includes(${JSON.stringify(text)}) ?? false`),
    {
      what: `the focus to be on ${text}`,
    },
  );

suite("whatever has a name is found and done by it", ["chromium"], () => {
  let node: NodeProcess;
  let fleet: SeededPanel;
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    const owner = await signIn(node.url);
    await owner.ok("POST /api/users", { username: "grace", password: PASSWORD, role: "viewer" });
    await owner.ok("POST /api/keys", { name: "backup-script", scopes: "monitoring" });
    fleet = await startSeededPanel(madeUpNodes(300));
    await fleet.client.ok("POST /api/fleet/groups", { name: "Rack nine" });
    await fleet.client.ok("PUT /api/fleet/views", { views: [{ name: "Sick ones", query: "status=degraded" }] });
    browser = await openBrowser();
    page = browser.page;
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    await fleet?.dispose();
  });

  test("on a node: things are shown where they stand, dialogs open, the look changes", async () => {
    await enter(browser, node.url);
    await page.goto(node.url);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await run(page, "add user", "Add user");
    await page.getByRole("dialog", { name: "Add user" }).waitFor();
    await page.keyboard.press("Escape");
    await run(page, "grac", "grace");
    await page.locator("tr.revealed").getByText("grace").first().waitFor();
    await run(page, "new rule", "Add rule");
    await page.getByRole("dialog").getByRole("heading", { level: 2 }).first().waitFor();
    await page.keyboard.press("Escape");
    await run(page, "new webhook", "Add webhook");
    await page.getByRole("dialog", { name: /webhook/i }).waitFor();
    await page.keyboard.press("Escape");
    await run(page, "paskeys", "Passkeys");
    await arrives(page, "/security");
    await focused(page, "Passkeys");
    await run(page, "backup scr", "backup-script");
    await page.locator(".revealed").getByText("backup-script").first().waitFor();
    await run(page, "switch light", "Switch to light");
    await until(() => page.evaluate<boolean>(`document.documentElement.dataset.theme === "light"`));
    await run(page, "theme dark", "Switch to dark");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("half a sentence");
    await page.getByRole("option", { name: /Look for “half a sentence” in the audit log/ }).click();
    await arrives(page, "/audit?q=half%20a%20sentence");
    expect(browser.complaints).toEqual([]);
  });

  test("with a screen reader, on a phone and to a viewer", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("alert");
    await page
      .getByRole("status")
      .filter({ hasText: /^\d+ results$/ })
      .waitFor({ state: "attached" });
    await look(page);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("about:blank");
    await browser.context.clearCookies();
    await enter(browser, node.url, { username: "grace", password: PASSWORD });
    await page.goto(node.url);
    await goOnAs(page, "grace");
    await page.locator(".nav a").first().waitFor();
    browser.refusals.length = 0;
    await run(page, "paskeys", "Passkeys");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("user");
    expect(await page.getByRole("option", { name: /Add user|grace/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
    expect(browser.refusals).toEqual([]);
  });

  test("on the panel: nodes come from the server, groups, views, people and settings from its lists", async () => {
    await page.goto(fleet.panel.url);
    await enterPanel(page, ADA);
    await page.locator(".nav a").first().waitFor();
    await run(page, "db-00023", "db-00023");
    await arrives(page, "/nodes/seed-23");
    await run(page, "rack nine", "Rack nine");
    await arrives(page, "/fleet?group=Rack%20nine");
    await run(page, "sick", "Sick ones");
    await arrives(page, "/fleet?status=degraded");
    await run(page, "ada@example", "Ada");
    await page.locator("tr.revealed").waitFor();
    await run(page, "leave work", "Leave this workspace");
    await focused(page, "Leave this workspace");
    await run(page, "new workspace", "Add workspace");
    await page.getByRole("dialog", { name: /workspace/i }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("edge");
    await page
      .getByRole("option", { name: /edge-\d+/ })
      .first()
      .waitFor();
    await look(page);
    await page.getByRole("option", { name: /Show nodes with “edge”/ }).click();
    await arrives(page, "/fleet?q=edge");
    expect(browser.complaints).toEqual([]);
  });
});
