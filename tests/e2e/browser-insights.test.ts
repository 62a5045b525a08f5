import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { days } from "../../src/lib/duration.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { accessFaults, sidewaysFaults } from "../kit/look.ts";
import { makeScratch } from "../kit/scratch.ts";
import { seedSeries } from "../kit/series.ts";

const quietEngine = { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" };

suite("insights and cost in the browser", ["chromium"], () => {
  let browser: TestBrowser;
  let node: NodeProcess | null = null;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  /** A node with a disk that was a little fuller each day, and its owner signed in. */
  async function open(plan: string): Promise<string> {
    await node?.dispose();
    const dataDir = makeScratch("insights");
    const metrics = openDatabase(`${dataDir}/metrics.db`, "normal");
    migrateMetrics(metrics, "2026-01-01T00:00:00.000Z");
    const to = Math.floor(Date.now() / days(1)) * days(1);
    seedSeries(metrics, {
      entity: "fs:/data",
      tier: "d1",
      from: to - days(20),
      to,
      valuesAt: (t) => ({ used_percent: 80 + (t - to) / days(1) }),
    });
    metrics.close();
    node = await startNode({ dataDir, env: { ORRERY_PLAN: plan, ...quietEngine } });
    await setUp(node.url);
    await browser.context.clearCookies();
    await enter(browser, node.url);
    return node.url;
  }

  test("a disk that fills has its day; what another plan has is said kindly and leads on", async () => {
    const url = await open("community");
    const { page } = browser;
    await page.goto(`${url}/insights`);
    await sees(page, /Disk \/data will be full in (19|20|21) days\./);
    await sees(page, /It reaches 90% in (9|10|11) days, around/);
    await sees(page, "See the hour before it comes");
    expect(await accessFaults(page)).toEqual([]);
    expect(await sidewaysFaults(page)).toEqual([]);
    await page.goto(`${url}/cost`);
    await sees(page, "From the pro plan");
    await page.getByRole("link", { name: "What the plans include" }).click();
    await page.getByRole("heading", { level: 1, name: "Plan" }).waitFor();
    await sees(page, "0 of 25");
    await sees(page, /Cost: what each app costs/);
    expect(await accessFaults(page)).toEqual([]);
    expect(await sidewaysFaults(page)).toEqual([]);
    await page.goBack();
    await page.getByRole("link", { name: "See the apps" }).click();
    await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
    expect(browser.refusals.every((refusal) => refusal.startsWith("402 "))).toBe(true);
    expect(browser.complaints).toEqual([]);
  });

  test("with the plan the owner sets rates, and a price that is none is refused", async () => {
    const url = await open("pro");
    const { page } = browser;
    browser.refusals.length = 0;
    await page.goto(`${url}/cost`);
    const core = page.getByLabel("One processor core, an hour");
    const save = page.getByRole("button", { name: "Save rates" });
    await core.fill("-1");
    await sees(page, "A number from 0 up, with a point.");
    expect(await save.isDisabled()).toBe(true);
    await core.fill("0.25");
    await page.getByLabel("Currency").fill("chf");
    await save.click();
    await sees(page, "Rates saved");
    await page.reload();
    expect(await page.getByLabel("One processor core, an hour").inputValue()).toBe("0.25");
    expect(await page.getByLabel("Currency").inputValue()).toBe("CHF");
    expect(await accessFaults(page)).toEqual([]);
    expect(await sidewaysFaults(page)).toEqual([]);
    expect(browser.refusals).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
