import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";

const HOUR_MS = 3_600_000;

suite("what a node has been through and said, in a browser", ["chromium"], () => {
  let fleet: SeededPanel;
  let browser: TestBrowser;
  beforeAll(async () => {
    fleet = await startSeededPanel(madeUpNodes(3));
    browser = await openBrowser();
    await browser.page.goto(fleet.panel.url);
    await enterPanel(browser.page, ADA);
    await browser.page.getByRole("link", { name: "Fleet" }).first().waitFor();
  });
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
  });

  test("what a node said at length is shown whole when it is opened, and that the rest is not kept where it is gone", async () => {
    const { page } = browser;
    await fleet.client.ok("POST /api/fleet/commands", {
      ...{ instance_ids: ["seed-0", "seed-1"], command: "inventory.refresh", params: {} },
    });
    const whole = Array.from({ length: 200 }, (_, no) => `line ${no}`).join("\n");
    const db = new Database(join(fleet.panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run(
      "UPDATE commands SET status = 'succeeded', sent_at = created_at, finished_at = created_at, output = ?, is_output_cut = 1",
      [`${whole.slice(0, 499)}…`],
    );
    db.run(
      `INSERT INTO command_outputs (tenant_id, command_id, bytes, output)
       SELECT tenant_id, id, ?, ? FROM commands WHERE node_id = 'seed-0'`,
      [whole.length, whole],
    );
    db.close();
    await page.goto(`${fleet.panel.url}/commands`);
    await page.getByRole("button", { name: /^What it said.*edge-00000/ }).click();
    await page.getByText("line 199").waitFor();
    await page.getByRole("button", { name: /^What it said.*web-00001/ }).click();
    await page.getByText("The rest is not kept any more").waitFor();
    await look(page);
    expect(browser.complaints).toEqual([]);
  });

  test("what was asked of several nodes at once stands in a list, with how far it is", async () => {
    const { page } = browser;
    await fleet.client.ok("POST /api/fleet/bulk", {
      ...{ action: "run_command", instance_ids: ["seed-0", "seed-1"], params: { type: "inventory.refresh" } },
    });
    await page.goto(`${fleet.panel.url}/jobs`);
    await page.getByRole("link", { name: /2 nodes/ }).waitFor();
    await look(page);
    expect(browser.complaints).toEqual([]);
  });
});
