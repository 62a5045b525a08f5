import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { arrives } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";

suite("the picture of a fleet leads to what it shows", ["chromium"], () => {
  const fleets: SeededPanel[] = [];
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    for (const fleet of fleets) await fleet.dispose();
  });

  async function open(count: number): Promise<Page> {
    const fleet = await startSeededPanel(madeUpNodes(count));
    fleets.push(fleet);
    const { page } = browser;
    await page.goto(fleet.panel.url);
    await enterPanel(page, ADA);
    await page.getByRole("region", { name: /well/ }).waitFor();
    return page;
  }

  test("with few nodes each dot is its node", async () => {
    const page = await open(60);
    const dot = page.getByRole("link", { name: "db-00023, online" });
    await dot.waitFor();
    await look(page);
    await dot.locator("circle").hover();
    const shown = `[...document.querySelectorAll("svg.orrery text.late")].some((text) => text.textContent === "db-00023" && getComputedStyle(text).opacity === "1")`;
    expect(await page.evaluate<boolean>(shown)).toBe(true);
    await dot.locator("circle").click();
    await arrives(page, "/nodes/seed-23");
    expect(browser.complaints).toEqual([]);
  });

  test("with many nodes the dots of a ring and a state are the list of those nodes", async () => {
    const page = await open(400);
    const dots = page.getByRole("link", { name: "ap-south, offline" });
    await dots.waitFor();
    const href = await dots.getAttribute("href");
    await look(page);
    await dots.dispatchEvent("click");
    await arrives(page, href ?? "");
    expect(href).toBe("/fleet?region=ap-south&status=offline&status=pending");
    await page.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
