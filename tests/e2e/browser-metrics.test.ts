import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { days, hours, minutes } from "../../src/lib/duration.ts";
import { writeThreads } from "../../src/node/monitoring/metrics/series/thread-store.ts";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { seedSeries } from "../kit/series.ts";
import { until } from "../kit/until.ts";

const WARNING = "The attic got warm";
const LANES = ["Processor", "Threads", "Memory", "Disks", "Network"];
/** A crowd of events within minutes. */
const CROWD = 12;

suite("metrics and network in the browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let iface: string;
  let owner: Awaited<ReturnType<typeof setUp>>;
  const plot = (name: string | RegExp) => page.getByRole("slider", { name });
  const spoken = async (name: string): Promise<string> => (await plot(name).getAttribute("aria-valuetext")) ?? "";

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    owner = await setUp(node.url);
    const interfaces = await owner.ok("GET /api/system/network/interfaces");
    iface = interfaces.find(({ is_default }: { is_default: boolean }) => is_default)?.name ?? "eth0";
    const db = openDatabase(join(node.dataDir, "metrics.db"), "normal");
    const now = Date.now();
    // A processor that is as busy as the hour of the day; half as much the day before.
    const valuesAt = (t: number) => {
      const share = (t > now - hours(24) ? 2 : 1) * 20 * (1.2 + Math.sin((t / hours(12)) * Math.PI));
      const [used, bytes] = [4e9 + share * 1e7, share * 1e5];
      return {
        cpu_percent: share,
        mem_used_bytes: used,
        mem_percent: 50,
        swap_used_bytes: 1e8,
        disk_read_bps: bytes,
        disk_write_bps: bytes / 2,
        net_rx_bps: bytes,
        net_tx_bps: bytes / 3,
      };
    };
    seedSeries(db, { entity: "host", tier: "m1", from: now - hours(24), to: now, valuesAt });
    seedSeries(db, { entity: "host", tier: "h1", from: now - hours(72), to: now, valuesAt });
    seedSeries(db, { entity: "host", tier: "d1", from: now - days(200), to: now - days(3), valuesAt });
    db.transaction(() => {
      for (let minute = Math.floor((now - hours(24)) / minutes(1)); minute < now / minutes(1) - 1; minute++) {
        const shares = Array.from({ length: 4 }, (_, thread) => 6 * 10 * ((minute / 7 + thread * 30) % 100));
        writeThreads(db, minute, { n: 6, sums: Uint32Array.from(shares) });
      }
    })();
    seedSeries(db, {
      entity: `iface:${iface}`,
      tier: "m1",
      from: now - hours(24),
      to: now,
      valuesAt: () => ({ rx_bps: 2e6, tx_bps: 5e5 }),
    });
    db.close();
    const main = new Database(join(node.dataDir, "main.db"));
    main
      .query(
        `INSERT INTO timeline_events (id, at, count, category, type, severity, title, subject_kind, subject_id, least_rank,
           is_inbox) VALUES ('evt_warm', ?, 1, 'system', 'disk.health_changed', 'warning', ?, '', '', 0, 0)`,
      )
      .run(now - hours(3), WARNING);
    for (let index = 0; index < CROWD; index++) {
      main
        .query(
          `INSERT INTO timeline_events (id, at, count, category, type, severity, title, subject_kind, subject_id,
             least_rank, is_inbox) VALUES (?, ?, 1, 'app', 'app.updated', 'info', ?, '', '', 0, 0)`,
        )
        .run(`evt_${index}`, now - hours(12) + index * 1000, `${"Long ".repeat(16)}app ${index} was updated`);
    }
    main.close();
    browser = await openBrowser({ width: 1440, height: 900 });
    page = browser.page;
    await enter(browser, node.url);
    await page.goto(`${node.url}/metrics`);
    await plot("Network").waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("all charts point at one moment, by pointer and by keys", async () => {
    const newest = await spoken("Memory");
    const box = await plot("Processor").boundingBox();
    // The part that draws, and so hears of the pointer, comes a moment after the figures.
    const point = async (): Promise<boolean> => {
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2 - 1, (box?.y ?? 0) + 20);
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20);
      return page.locator(".timepill").isVisible();
    };
    await until(point, { what: "the charts to show the moment" });
    const isOneMoment = async (): Promise<boolean> => {
      const moments = await Promise.all(LANES.map(async (lane) => (await spoken(lane)).split(": ")[0]));
      return new Set(moments).size === 1;
    };
    await until(isOneMoment, { what: "all charts to tell of one moment" });
    expect(await spoken("Memory")).not.toBe(newest);
    // Away first: scrolling to the last chart would take the chart from under the pointer later than the keys are pressed.
    await page.mouse.move(0, 0);
    await page.locator(".timepill").waitFor({ state: "detached" });
    const end = await spoken("Processor");
    await plot("Network").focus();
    const moves = async (key: string, from: string): Promise<string> => {
      await page.keyboard.press(key);
      await until(async () => (await spoken("Processor")) !== from, {
        what: `${key} to move the crosshair of every chart`,
      });
      return spoken("Processor");
    };
    await moves("ArrowRight", await moves("Home", end));
    expect(await spoken("Threads")).toMatch(/busiest thread \d/);
    await page.keyboard.press("Escape");
    await page.locator(".timepill").waitFor({ state: "detached" });
    expect(browser.complaints).toEqual([]);
  });

  test("what happened stands at its time, in the row of events and in the charts' tables", async () => {
    const mark = page.getByRole("link", { name: WARNING });
    const [row, box] = [await page.locator(".events").boundingBox(), await mark.boundingBox()];
    const share = ((box?.x ?? 0) + (box?.width ?? 0) / 2 - (row?.x ?? 0)) / (row?.width ?? 1);
    expect(Math.abs(share - 21 / 24)).toBeLessThan(0.02);
    const twin = page.getByRole("region", { name: "Processor" }).locator("details.twin");
    await twin.locator("summary").click();
    const table = twin.getByRole("table", { name: "Processor" });
    await table.getByText(WARNING).waitFor();
    expect(await table.getByRole("row").count()).toBeGreaterThan(50);
    await look(page);
    await twin.locator("summary").click();
  });

  test("the day before stands beside today, and a shorter range in its place", async () => {
    await page.getByRole("button", { name: "Compare with the day before" }).click();
    const values = async () => /All threads ([\d.]+)%.*Day before ([\d.]+)%/.exec(await spoken("Processor"));
    await page.getByRole("region", { name: "Processor" }).getByText("Day before").waitFor();
    await plot("Processor").focus();
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    const [, today = "", before = ""] = (await values()) ?? [];
    // Twice as much; small figures are rounded on the way.
    expect(Number(today) / Number(before)).toBeGreaterThan(1.4);
    expect(Number(today) / Number(before)).toBeLessThan(2.8);
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "6 h" }).check({ force: true });
    await sees(page, "1 point = 1 min");
    expect(new URL(page.url()).search).toContain("range=6h");
    await page.getByRole("radio", { name: "7 d" }).check({ force: true });
    await sees(page, "1 point = 1 h");
    expect(await page.getByRole("button", { name: "Compare with the day before" }).count()).toBe(0);
  });

  test("events that would overlap are one mark that opens a list", async () => {
    await page.goto(`${node.url}/metrics?range=24h`);
    const mark = page.getByRole("button", { name: new RegExp(`^${CROWD} events around`) });
    await mark.click();
    const list = page.getByRole("dialog", { name: new RegExp(`^${CROWD} events`) });
    expect(await list.getByRole("link").count()).toBe(CROWD);
    await look(page);
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
  });

  test("any time of the last year can be chosen, by keys, and Back shows what was there before", async () => {
    const choose = page.getByRole("button", { name: /choose another time/ });
    await choose.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Show a time" });
    await dialog.getByLabel("To").fill("2020-01-01T00:00");
    await dialog.getByRole("button", { name: "Show", exact: true }).click();
    await dialog.getByText("Choose a time after the first one.").waitFor();
    await look(page);
    await dialog.getByRole("button", { name: "Last 90 days" }).click();
    await sees(page, "1 point = 1 day");
    await plot("Processor").waitFor();
    expect(new URL(page.url()).search).toMatch(/from=\d+&to=\d+/);
    expect(await spoken("Processor")).toContain("All threads");
    await page.reload();
    await sees(page, "1 point = 1 day");
    await page.goBack();
    await sees(page, "1 point = 5 min");
    await plot("Threads").waitFor();
  });

  test("a chart gives the rule that somebody who looks at it may want", async () => {
    await page.getByRole("link", { name: /Alert on this.*Memory/ }).click();
    const dialog = page.getByRole("dialog", { name: "Add rule" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("What is watched").inputValue()).toBe("host mem_percent");
    expect(await dialog.getByLabel("Threshold").inputValue()).toBe("55");
    await dialog.getByRole("button", { name: "Add rule" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?tab=rules");
    await page.goBack();
    await plot("Memory").waitFor();
  });

  test("a viewer sees all of it and is offered nothing that only others may do; without a network it stays, dimmed", async () => {
    const guest = { username: "grace", password: "a long enough phrase" };
    const visitor = await openBrowser({ width: 390, height: 844 });
    try {
      await owner.ok("POST /api/users", { ...guest, role: "viewer" });
      await enter(visitor, node.url, guest);
      await visitor.page.goto(`${node.url}/metrics?range=6h`);
      await visitor.page.getByRole("slider", { name: "Threads" }).waitFor();
      expect(await visitor.page.getByText("Alert on this").count()).toBe(0);
      await look(visitor.page);
      await visitor.context.setOffline(true);
      await visitor.page.locator("[data-stale]").waitFor();
      expect(await visitor.page.getByRole("slider").count()).toBe(LANES.length);
      expect(visitor.refusals).toEqual([]);
    } finally {
      await visitor.close();
    }
  });

  test("the network shows its history and every interface, with the figures as a table", async () => {
    await page.goto(`${node.url}/network`);
    await plot(/^Traffic of/).waitFor();
    await page.getByRole("radio", { name: "6 h" }).check({ force: true });
    await plot(/means of 5 min/).waitFor();
    await page.locator("details.twin summary").click();
    await page
      .getByRole("table", { name: /^Traffic of/ })
      .getByText("16 Mb/s")
      .first()
      .waitFor();
    await page.getByRole("table", { name: "Network interfaces" }).getByText(iface).waitFor();
    await look(page);
    expect(browser.complaints).toEqual([]);
    expect(browser.refusals).toEqual([]);
  });
});
