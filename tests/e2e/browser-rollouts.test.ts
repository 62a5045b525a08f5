import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";

const LONG = "To every rack in the north and the south, with a name that is as long as names may";

suite("rollouts in a browser", ["chromium"], () => {
  let fleet: SeededPanel;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    fleet = await startSeededPanel(madeUpNodes(60).map((node) => ({ ...node, status: "online" })));
    browser = await openBrowser();
    page = browser.page;
    await page.goto(`${fleet.panel.url}/rollouts`);
    await enterPanel(page, ADA);
    await page.getByRole("heading", { level: 1, name: "Rollouts" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await fleet?.dispose();
  });

  test("one is composed with its nodes in sight, paused, taken back, and found again", async () => {
    await sees(page, "No rollout yet");
    await page.getByRole("button", { name: "New rollout" }).click();
    await page.getByLabel("Name", { exact: true }).fill(LONG);
    await page.getByLabel("Version", { exact: true }).fill("9.9.9");
    await page.getByText("60 nodes take part").waitFor();
    await look(page);
    await page.getByRole("button", { name: "Begin with 60 nodes" }).click();
    await page.getByRole("heading", { level: 1, name: LONG }).waitFor();
    await sees(page, "Stage 1 started: 1 new node");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("dialog").getByLabel("Why").fill("Lunch");
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await look(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page);
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await sees(page, "Rolling back 1 node");
    await page.getByText("Table", { exact: true }).click();
    await page.getByRole("table", { name: "Nodes" }).waitFor();
    await page.goto(`${fleet.panel.url}/rollouts`);
    await page.getByRole("link", { name: LONG }).waitFor();
    await look(page);
    expect(await page.getByText("Rolling back").count()).toBeGreaterThan(0);
  });
});
