import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { type EndlessPulls, startEndlessPulls } from "../kit/endless-pulls.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { until } from "../kit/until.ts";

suite("pulls that send nothing, in the browser", ["chromium"], () => {
  let engine: EndlessPulls;
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let owner: Client;
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  beforeAll(async () => {
    engine = startEndlessPulls();
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: engine.socket } });
    owner = await setUp(node.url);
    await until(async () => (await owner.ok("GET /api/system/runtime")).state === "ok", { what: "the engine" });
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    engine?.stop();
  });

  test("one that a container waits for is cancelled where its steps are", async () => {
    await page.goto(`${node.url}/containers`);
    await button("Run").first().click();
    const dialog = page.getByRole("dialog", { name: "Run a container" });
    await dialog.getByLabel("Image").fill("10.0.0.1:5000/web:1");
    await dialog.getByLabel("Name", { exact: true }).fill("kiosk");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await button("Cancel the pull").waitFor();
    await look(page);
    await button("Cancel the pull").click();
    await sees(page, /10\.0\.0\.1:5000\/web:1/);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await until(async () => (await owner.ok("GET /api/operations"))[0].error?.code === "pull_cancelled");
  });

  test("one that a project waits for as well, which then says so and what to do", async () => {
    await page.goto(`${node.url}/containers?tab=compose`);
    await button("New project").first().click();
    await page.getByLabel("Name", { exact: true }).fill("wiki");
    await page.getByLabel("Compose file").fill("services:\n  web:\n    image: 10.0.0.1:5000/wiki:1\n");
    await button("Show what this does").click();
    await button("Deploy").click();
    await button("Cancel the pull").click();
    await sees(page, /It was cancelled before the image was here.*Begin again when you like/);
    expect(await button("Cancel the pull").count()).toBe(0);
    await look(page);
  });
});
