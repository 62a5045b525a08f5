import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { pressOn } from "../kit/keyboard.ts";
import { startHttpReceiver } from "../kit/log-receivers.ts";
import { look } from "../kit/look.ts";

/** As long as names may be. */
const NAME = "Collector of all log lines of this house and of the shed behind it, since 2026".padEnd(80, "-");

suite("log forwarders in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let owner: Client;
  const receiver = startHttpReceiver(() => new Response("thanks"));

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    owner = await setUp(node.url);
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    await receiver.stop();
  });

  test("a forwarder is added by keys, tested, and deleted", async () => {
    await page.goto(`${node.url}/logs`);
    await page.getByRole("link", { name: "Forwarders" }).click();
    await sees(page, "Logs stay on this server");
    await look(page);
    await pressOn(page, "Add log forwarder");
    // From Syslog, which is chosen, to the third kind.
    await page.getByRole("radio", { name: "Syslog" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByLabel("Name", { exact: true }).fill(NAME);
    await page.getByLabel("Address", { exact: true }).fill("http://169.254.169.254/");
    await page.keyboard.press("Enter");
    await sees(page, /which is not called/);
    await look(page);
    await page.getByLabel("Address", { exact: true }).fill(receiver.url);
    await page.keyboard.press("Enter");
    await sees(page, NAME);
    await page.getByRole("button", { name: /^Send a test to/ }).click();
    await sees(page, "The line was sent");
    expect(await page.locator("pre.answer").textContent()).toBe("thanks");
    expect(receiver.got[0]?.json.lines[0].text).toContain("This is a test.");
    await look(page);
    await page.getByRole("button", { name: "Done" }).click();
    await look(page);
    await page.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete log forwarder" }).click();
    await sees(page, "Logs stay on this server");
    expect(await owner.ok("GET /api/log-forwarders")).toEqual([]);
  });
});
