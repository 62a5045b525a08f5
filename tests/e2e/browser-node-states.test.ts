import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";

const HOUR_MS = 3_600_000;

suite("what a node has been through, in a browser", ["chromium"], () => {
  let fleet: SeededPanel;
  let browser: TestBrowser;
  beforeAll(async () => {
    fleet = await startSeededPanel(madeUpNodes(3));
    browser = await openBrowser();
    await browser.page.goto(fleet.panel.url);
    await enterPanel(browser.page, ADA);
    await browser.page.getByRole("link", { name: "Fleet" }).first().waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await fleet?.dispose();
  });

  test("the newest first, with reasons and how long", async () => {
    const db = new Database(join(fleet.panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    const insert = db.prepare("INSERT INTO node_transitions VALUES (?, 'seed-2', ?, ?, ?, ?)");
    const now = Date.now();
    insert.run(fleet.tenantId, now - 2 * HOUR_MS, "online", "offline", '["heartbeat_missing"]');
    insert.run(fleet.tenantId, now - HOUR_MS, "offline", "degraded", '["cpu_high","disk_high"]');
    insert.finalize();
    db.close();
    await browser.page.goto(`${fleet.panel.url}/nodes/seed-2`);
    const states = browser.page.getByRole("list", { name: "States, the newest first" });
    await states.waitFor();
    const told = await states.getByRole("listitem").allTextContents();
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/^Degraded, processor, disk.*for 1.h/);
    expect(told[1]).toMatch(/^Offline, silent.*for 1.h/);
    await look(browser.page);
    expect(browser.complaints).toEqual([]);
  }, 120_000);
});
