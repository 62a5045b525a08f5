import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { arrives, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";
import { type MadeUpSwarm, seedSwarms } from "../kit/seeded-swarms.ts";

const LONG = "Warehouses-of-a-customer-with-much-to-store-in-the-north";
const SWARMS: MadeUpSwarm[] = [
  {
    id: "shop",
    name: "shop",
    members: [
      { host: "web-1", role: "manager", node: 0 },
      { host: "web-2", role: "manager", node: 1 },
      { host: "web-3", role: "manager", node: null },
      { host: "work-1", role: "worker", node: 2 },
    ],
  },
  {
    id: "media",
    name: "media",
    members: [
      { host: "hub-1", role: "manager", node: 3 },
      { host: "box-1", role: "worker", node: 4, state: "down" },
    ],
  },
  {
    id: "warehouses",
    name: LONG,
    members: [
      { host: "warehouse-controller-01.internal.example.org", role: "manager", node: 5 },
      { host: "warehouse-controller-02.internal.example.org", role: "worker", node: 6 },
    ],
  },
];

/** That a word of a row is on the screen from its first letter to its last. */
async function isWhole(row: Locator, word: string): Promise<void> {
  const box = await row.getByText(word, { exact: true }).boundingBox();
  expect(box?.width).toBeGreaterThan(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390);
}

suite("clusters in a browser", ["chromium"], () => {
  let fleet: SeededPanel;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    fleet = await startSeededPanel(seedSwarms(8, SWARMS));
    browser = await openBrowser();
    page = browser.page;
    await page.goto(fleet.panel.url);
    await enterPanel(page, ADA);
    await page.getByRole("link", { name: "Clusters" }).first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await fleet?.dispose();
  });

  // A try that failed may have left the window of a phone.
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  test("are listed with the worst first, and each has a picture and tables that tell the same", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await arrives(page, "/clusters");
    await sees(page, "3 clusters");
    const names = () => page.locator("a.host").allTextContents();
    expect(await names()).toEqual(["media", "shop", LONG]);
    await look(page);
    await page.getByRole("link", { name: "shop" }).click();
    await page.getByRole("heading", { level: 1, name: "All 4 members are well." }).waitFor();
    await sees(page, "web-1 leads.");
    const picture = page.getByRole("img", { name: /^Cluster shop: 4 of 4 members online, web-1 leads. Links: 6 up/ });
    await picture.waitFor();
    expect(await names()).toEqual(["web-1", "web-2", "work-1"]);
    await page.getByText("Links as a table").click();
    const links = page.getByRole("table", { name: "Links between members" });
    await links.waitFor();
    expect(await links.locator("tbody tr").count()).toBe(6);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("a lost member is the first that is seen, and a server leads to its cluster", async () => {
    await page.goto(`${fleet.panel.url}/nodes/seed-3`);
    await page.getByRole("link", { name: "media" }).click();
    await arrives(page, "/clusters/media");
    await page.getByRole("heading", { level: 1, name: "1 member of 2 is offline." }).waitFor();
    expect(await page.getByRole("table").first().locator("tbody tr").first().textContent()).toContain("box-1Offline");
    await look(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await sees(page, "link down");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("a long name on a phone leaves how a cluster and its members are in sight", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${fleet.panel.url}/clusters`);
    await isWhole(page.getByRole("row", { name: /^Warehouses/ }), "Well");
    await page.getByRole("link", { name: "Warehouses" }).click();
    await isWhole(page.getByRole("row", { name: /^warehouse-controller-01/ }), "Leader");
    expect(await page.locator("figure tspan:visible").allTextContents()).toEqual(["wareh…er-01", "wareh…er-02"]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("a cluster that is not there says so, and leads to all others", async () => {
    await page.goto(`${fleet.panel.url}/clusters/nowhere`);
    await sees(page, "There is no such cluster");
    await look(page);
    await page.getByRole("link", { name: "See all clusters" }).click();
    await arrives(page, "/clusters");
    await sees(page, "3 clusters");
    expect(browser.complaints).toEqual([]);
  });
});
