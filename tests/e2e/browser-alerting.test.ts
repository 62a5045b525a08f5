import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";

suite("alerts in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let owner: Client;

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
  });

  // A try that failed may have left the window of a phone.
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  test("a rule is built by keyboard alone, with what it would have done", async () => {
    await page.goto(`${node.url}/alerts`);
    await page.getByRole("button", { name: "Add rule" }).first().focus();
    await page.keyboard.press("Enter");
    await sees(page, /The past cannot tell yet|would not have fired/);
    // From "Value" to "Event": the five kinds are one stop with arrow keys.
    for (let press = 0; press < 4; press++) await page.keyboard.press("ArrowRight");
    await sees(page, "is reported");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Crash loop");
    await sees(page, /would not have fired|Nothing was watching/);
    await look(page);
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type("Loops");
    await page.keyboard.press("Enter");
    await sees(page, "Loops");
    const rules = await owner.ok("GET /api/alerting/rules");
    expect(rules.at(-1)).toMatchObject({ name: "Loops", type: "state", metric: "app_crash_loop", entity: "app:*" });
  });

  test("a rule with a long name leaves the switches of all on the screen of a phone", async () => {
    const name = "Wolkenkuckucksheim".repeat(5).slice(0, 80);
    await owner.ok("POST /api/alerting/rules", {
      ...{ name, type: "threshold", metric: "cpu_percent", op: ">", threshold: 99 },
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${node.url}/alerts`);
    const box = await page.getByRole("switch", { name }).boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThan(375);
  });

  test("an address of an event opens it, on a phone too, and says why it ended", async () => {
    const db = new Database(join(node.dataDir, "main.db"));
    const now = Date.now();
    db.query(
      `INSERT OR REPLACE INTO alert_events (id, rule_key, rule_id, rule_name, type, severity, entity, entity_name, metric, unit,
         message, started_at, fired_at, resolved_at, resolution, channel_ids, cooldown_s, repeat_s)
       VALUES ('alr_1', 'r', 'r', 'A disk reports trouble', 'disk_health', 'critical', 'disk:sdz', 'sdz', 'disk_health', 'none',
         'The disk sdz reports: Failing.', ?1, ?1, ?2, 'entity_removed', '"all"', 0, 0)`,
    ).run(now - 600_000, now);
    db.close();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${node.url}/alerts?tab=events&event=alr_1`);
    const drawer = page.getByRole("dialog");
    await drawer.getByText("The disk was taken out").waitFor();
    await look(page);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?tab=events");
    await sees(page, /lasted 10\smin/);
    await look(page);
    await page.goto(`${node.url}/alerts?tab=events&event=alr_gone`);
    await sees(page, /There is no alert event alr_gone/);
  });
});
