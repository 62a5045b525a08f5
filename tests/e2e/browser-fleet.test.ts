import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page, Response } from "playwright-core";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { arrives, sees, show } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { cutTexts, look } from "../kit/look.ts";
import { enterPanel, runConnectLine } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";
import { until } from "../kit/until.ts";

const NODES = 10_000;

suite("a fleet in a browser", ["chromium"], () => {
  let fleet: SeededPanel;
  let browser: TestBrowser;
  let page: Page;
  const visit = async (path: string, heading: string | RegExp): Promise<void> => {
    await show(page, fleet.panel.url + path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  };
  const hosts = (): Promise<string[]> => page.locator("tr[data-row] a.host").allTextContents();

  beforeAll(async () => {
    fleet = await startSeededPanel(
      madeUpNodes(NODES).map((node) => (node.id === "seed-50" ? { ...node, daysLeft: -2 } : node)),
    );
    browser = await openBrowser();
    page = browser.page;
    await page.goto(fleet.panel.url);
    await enterPanel(page, ADA);
    await page.getByRole("link", { name: "Fleet" }).first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await fleet?.dispose();
  });

  // A try that failed may have left the window of a phone.
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  test("facets, words and columns narrow and order ten thousand nodes, and the address holds it all", async () => {
    await visit("/fleet", "Fleet");
    await sees(page, "10,000 nodes");
    await page.getByRole("button", { name: /^Degraded/ }).click();
    await sees(page, "400 of 10,000 nodes");
    await arrives(page, "/fleet?status=degraded");
    await page.getByRole("columnheader", { name: "Processor" }).getByRole("button").click();
    await arrives(page, "/fleet?status=degraded&sort=-cpu");
    await sees(page, "95%");
    expect(await page.getByRole("columnheader", { name: "Processor" }).getAttribute("aria-sort")).toBe("descending");
    await page.keyboard.press("/");
    await page.keyboard.type("reg");
    await page.getByRole("option", { name: /region:/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("eu-n");
    await page.getByRole("option", { name: /region:eu-north/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await arrives(page, "/fleet?status=degraded&region=eu-north&sort=-cpu");
    await page.getByRole("button", { name: "Remove status degraded" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("status:sleepy ");
    await sees(page, "No node has the status “sleepy”");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("web-00001");
    await arrives(page, "/fleet?region=eu-north&q=web-00001&sort=-cpu");
    await sees(page, "1 of 10,000 nodes");
    await until(async () => (await hosts()).join() === "web-00001", { what: "its row alone" });
    await look(page);
  });

  test("what is chosen beside the box while a word rests in it stays chosen", async () => {
    await page.goto(`${fleet.panel.url}/fleet`);
    const degraded = page.getByRole("button", { name: /^Degraded/ });
    await degraded.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("reg");
    await degraded.click();
    await until(() => page.url().includes("q=reg"), { what: "the word to be searched for" });
    await arrives(page, "/fleet?status=degraded&q=reg");
  });

  test("a list is kept as a view and opens again", async () => {
    await visit("/fleet?status=offline&sort=-last_seen", "Fleet");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.keyboard.type("Silent ones");
    await page.keyboard.press("Enter");
    const tab = page.getByRole("navigation", { name: "Saved views" }).getByRole("link", { name: "Silent ones" });
    await tab.waitFor();
    expect(await tab.getAttribute("aria-current")).toBe("page");
    await page.getByRole("link", { name: "All nodes" }).click();
    await sees(page, "10,000 nodes");
    await tab.click();
    await sees(page, "200 of 10,000 nodes");
    await tab.getByText("200", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Actions for the view Silent ones" }).click();
    await page.getByRole("menuitem", { name: "Remove this view" }).click();
    await tab.waitFor({ state: "detached" });
  });

  test("whoever chooses columns by the keyboard finds them again, and what has no room is told", async () => {
    const heads = () => page.getByRole("columnheader").allTextContents();
    await fleet.client.ok("PUT /api/fleet/views", { views: [], columns: null });
    let kept = 0;
    const count = (response: Response): void => {
      if (response.request().method() === "PUT" && response.url().endsWith("/api/fleet/views")) kept += 1;
    };
    page.on("response", count);
    await visit("/fleet", "Fleet");
    await page.locator("tr[data-row]").first().waitFor();
    const usual = await heads();
    const button = page.getByRole("button", { name: "Columns", disabled: false });
    await button.focus();
    await page.keyboard.press("Enter");
    for (const column of ["Region", "Memory", "Address"]) {
      await page.getByRole("checkbox", { name: column }).focus();
      await page.keyboard.press("Space");
    }
    await page.getByRole("columnheader", { name: "Address" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Columns");
    await until(() => kept === 3, { what: "the panel to know" });
    page.off("response", count);
    await page.reload();
    await page.getByRole("columnheader", { name: "Address" }).waitFor();
    expect(await heads()).not.toContain("Region");
    await page.setViewportSize({ width: 390, height: 844 });
    await button.click();
    await sees(page, "Address (no room here)");
    await look(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Usual columns" }).click();
    await page.getByRole("columnheader", { name: "Region" }).waitFor();
    expect(await heads()).toEqual(usual);
  });

  test("keys move through the list far beyond what is drawn, select, and open a node", async () => {
    await visit("/fleet", "Fleet");
    await page.locator("tr[data-row]").first().waitFor();
    for (let press = 0; press < 60; press++) await page.keyboard.press("j");
    const focused = () => page.evaluate("document.activeElement.textContent");
    await until(async () => (await focused()) === "app-00297", { what: "the focus to arrive" });
    await page.keyboard.press("x");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await sees(page, "2 selected");
    await page.keyboard.press("End");
    await page.locator(`tr[data-row="${NODES - 1}"] a.host`).waitFor();
    await sees(page, "2 selected");
    await page.getByRole("button", { name: "Select none" }).click();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "web-09996" }).waitFor();
  });

  test("several nodes get a tag and a new group, one its region", async () => {
    await visit("/fleet?q=build-0001", "Fleet");
    await page.getByRole("checkbox", { name: "Select build-00014" }).check();
    await page.getByRole("checkbox", { name: "Select build-00019" }).check();
    const bar = page.getByRole("region", { name: "Selected nodes" });
    await bar.getByRole("button", { name: "Tag" }).click();
    await page.keyboard.type("night shift");
    await page.keyboard.press("Enter");
    await sees(page, "2 nodes: the tags are changed.");
    await bar.getByRole("button", { name: "Group" }).click();
    await page.getByRole("dialog").getByLabel("Group", { exact: true }).selectOption({ label: "New group…" });
    await page.getByLabel("Name of the new group").fill("watch");
    await look(page);
    await page.keyboard.press("Enter");
    await sees(page, "2 nodes: the group is changed.");
    await visit("/fleet?group=watch&q=shift", "Fleet");
    await sees(page, "2 of 10,000 nodes");
    await page.getByRole("button", { name: "Actions for build-00019" }).click();
    await page.getByRole("menuitem", { name: "Region…" }).click();
    await page.keyboard.type("cellar");
    await page.keyboard.press("Enter");
    await sees(page, "build-00019: now in cellar.");
    await page.getByRole("link", { name: "build-00019" }).click();
    await page.getByRole("link", { name: "watch", exact: true }).waitFor();
    const { instance } = await fleet.client.ok("GET /api/fleet/instances/seed-19/detail");
    expect(instance).toMatchObject({ region: "cellar", tags: ["lab", "night", "shift"] });
  });

  test("a node says why it is not well, warns of its certificate, and goes only after its name was typed", async () => {
    await visit("/nodes/seed-1", "web-00001");
    await sees(page, "The processor is at 95%.");
    await sees(page, "Its certificate ends soon: 9 days left.");
    await sees(page, "AMD EPYC 7443P, 16 cores");
    await look(page);
    await page.getByRole("button", { name: "Actions for web-00001" }).click();
    await page.getByRole("menuitem", { name: "Mark as offline…" }).click();
    const dialog = page.getByRole("dialog");
    await look(page);
    await dialog.getByRole("button", { name: "Mark as offline" }).click();
    await sees(page, "It was marked offline by hand.");
    await page.getByRole("button", { name: "Actions for web-00001" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type web-00001 to confirm").fill("web-00001");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await arrives(page, "/fleet");
    await sees(page, "9,999 nodes");
    expect((await fleet.client.call("GET /api/fleet/instances/seed-1/detail")).status).toBe(404);
    await page.goto(`${fleet.panel.url}/nodes/seed-1`);
    await sees(page, "There is no such node");
  });

  test("a server that connects is in the list at once, where rows below the pointer keep their places, and opens", async () => {
    await visit("/fleet?status=online", "Fleet");
    await page.locator("tr[data-row]").first().waitFor();
    await page.locator("tr[data-row='2']").hover();
    const before = await hosts();
    const { command } = await fleet.client.ok("POST /api/onboarding/enroll-token");
    const door = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: ({ url }) => new Response(new URL(url).pathname) });
    const inventory = { sign_in_urls: [`http://127.0.0.1:${door.port}/api/oauth/callback`] };
    const patched = page.waitForResponse((response) => response.url().includes("ids="));
    await Promise.all([runConnectLine(command, "a-newcomer", { inventory }), patched]);
    expect((await hosts()).slice(0, 5)).toEqual(before.slice(0, 5));
    await page.getByRole("heading", { level: 1 }).hover();
    await page.locator("tr[data-row='0'] a.host", { hasText: "a-newcomer" }).click();
    const [tab] = await Promise.all([
      browser.context.waitForEvent("page"),
      page.getByRole("button", { name: "Open this server" }).click(),
    ]);
    await sees(tab, "/api/cp/session");
    expect(await tab.evaluate("window.opener")).toBeNull();
    await tab.close();
    await door.stop(true);
  });

  test("a node whose place was taken says so until somebody says that they know, and the audit log keeps it", async () => {
    const { command } = await fleet.client.ok("POST /api/onboarding/enroll-token");
    await runConnectLine(command, "a-newcomer", { hardware_fingerprint: "another-machine" });
    await page.goto(`${fleet.panel.url}/nodes/a-newcomer-1`);
    await sees(page, "Another machine has taken this node’s place.");
    await look(page);
    await page.getByRole("button", { name: "It was us" }).click();
    await sees(page, "Put away. The audit log keeps it.");
    await page.getByText("Another machine has taken").waitFor({ state: "detached" });
    await visit("/audit", "Audit log");
    await page.getByLabel("What").selectOption("Changes of nodes");
    await sees(page, "Notice about a node put away");
    await page.getByLabel("Who").selectOption("Nodes");
    await sees(page, "Nothing of this kind");
    await page.getByRole("link", { name: "Show everything" }).click();
    await sees(page, "Node enrolled again");
    await look(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    expect(await Bun.file(await file.path()).text()).toContain("fleet.node.notice,member,Ada,a-newcomer,a-newcomer-1");
  });

  test("a node says that its clock is off and how to set it, and that its certificate has ended", async () => {
    const { command } = await fleet.client.ok("POST /api/onboarding/enroll-token");
    await runConnectLine(command, "late-riser", {}, -7_500_000);
    await visit("/nodes/late-riser-1", "late-riser");
    await sees(page, "Its clock is 2 h 5 min behind.");
    await page.getByRole("button", { name: "Copy the command" }).waitFor();
    await look(page);
    await visit("/nodes/seed-50", "edge-00050");
    await sees(page, "Its certificate has ended, so this panel no longer lets it in.");
    await page.getByText("Expired", { exact: true }).waitFor();
    await look(page);
    await page.getByRole("link", { name: "Make a line" }).click();
    await arrives(page, "/enrol");
  });

  test("the heatmap is walked by keys, and is a table too", async () => {
    await visit("/heatmap", "Heatmap");
    const picture = page.getByRole("slider");
    await picture.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await picture.getAttribute("aria-valuetext")).toMatch(/^\S+, \w+, .*, ap-south$/);
    // Who walks by keys stays at their node when newer figures move the cells.
    const hostNow = async () => (await picture.getAttribute("aria-valuetext"))?.split(",")[0] ?? "";
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const [kept, cells] = [await hostNow(), await picture.getAttribute("aria-valuemax")];
    await page.route("**/api/fleet/heatmap*", async (route) => {
      const figures = await (await route.fetch()).json();
      figures.rows[0].cells.shift();
      await route.fulfill({ json: figures });
    });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await until(async () => (await picture.getAttribute("aria-valuemax")) !== cells, { what: "newer figures" });
    expect(await hostNow()).toBe(kept);
    await page.unroute("**/api/fleet/heatmap*");
    await page.getByText("Memory", { exact: true }).click();
    await arrives(page, "/heatmap?metric=mem");
    await page.getByText("The same as a table").click();
    const table = page.getByRole("table", { name: "Memory of every node" });
    expect(await table.getByRole("row").nth(1).textContent()).toContain("Offline");
    await look(page);
    await picture.focus();
    await page.keyboard.press("End");
    const host = await hostNow();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: host }).waitFor();
  });

  test("the overview says in a sentence how the fleet is, and leads to what is not well", async () => {
    await visit("/", /nodes are well/);
    await sees(page, "The change since yesterday is not known yet.");
    await look(page);
    await page.getByRole("link", { name: "Degraded", exact: true }).click();
    await arrives(page, "/fleet?status=degraded");
    expect(browser.complaints).toEqual([]);
  });

  test("every node of a filter is selected at once, and what is sent to them is confirmed, followed and taken back", async () => {
    await visit("/fleet?status=degraded&tag=lab&not=region:eu-north&where=disk%3E90", "Fleet");
    await page.locator("tr[data-row] input").first().check();
    const bar = page.getByRole("region", { name: "Selected nodes" });
    const all = bar.getByRole("button", { name: /^Select all \d+$/ });
    const count = Number((await all.textContent())?.match(/\d+/)?.[0]);
    await all.click();
    await sees(page, `${count} selected`);
    await bar.getByRole("button", { name: "Command" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Run a program").click();
    await dialog.getByLabel("Name of the program").fill("uptime");
    const run = dialog.getByRole("button", { name: `Run on ${count} nodes` });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${count} to confirm`).fill(String(count));
    await look(page);
    await run.click();
    await page.getByRole("heading", { level: 1, name: `Run uptime on ${count} nodes` }).waitFor();
    await look(page);
    // What was not begun yet is no command that could be taken back.
    await sees(page, `${count} under way.`);
    await page.getByRole("button", { name: "Cancel the rest" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the rest" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    await look(page);
    await visit("/commands", "Commands");
    await sees(page, /Run uptime\. Taken back/);
    await look(page);
    await visit("/nodes/seed-2", "app-00002");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("restart an app");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("App", { exact: true }).selectOption("gateway");
    await page.keyboard.press("Escape");
  });

  test("alerts stand by cause, and go behind the rest once somebody has them", async () => {
    await visit("/alerts", "Alerts");
    const open = page.getByRole("region", { name: /^Nobody has these/ });
    await open
      .getByRole("button", { name: /offline in \S+ since/, expanded: false })
      .first()
      .click();
    await sees(page, "Show such nodes in the fleet");
    await look(page);
    expect(await cutTexts(page, ".alertgroup .sub, .alertgroup .title")).toEqual([]);
    // Other causes come and go meanwhile, so that their number says nothing.
    const toTake = page.getByRole("button", { name: /^Acknowledge/ });
    const group = open.locator(".alertgroup", { has: toTake }).first();
    const [cause = ""] = (await group.locator(".title").first().textContent())?.split(" since ") ?? [];
    await group.locator(toTake).click();
    await sees(page, /^You have it: .* offline in/);
    const known = page.getByRole("region", { name: /^Somebody has these/ });
    await known.getByText("Ada has it.").waitFor();
    await open.locator(".alertgroup", { hasText: cause }).waitFor({ state: "detached" });
    await look(page);
  });

  test("an incident says who has it, and keeps what somebody wrote", async () => {
    await visit("/incidents", "Incidents");
    await page.getByRole("link", { name: /offline in \S+ since/ }).click();
    const incident = page.getByRole("region", { name: "Incident", exact: true });
    await incident.getByText("Ada has it", { exact: true }).first().waitFor();
    await incident.getByRole("button", { name: "Write a note" }).click();
    await page.getByLabel("What you found out, or did").fill("The switch of the rack is dead.");
    await page.getByRole("button", { name: "Keep it" }).click();
    await incident.getByText("The switch of the rack is dead.").waitFor();
    await look(page);
  });

  test("a word that nobody knows is named with the one that was meant, and facets take several values", async () => {
    await visit("/fleet?region=eu-north", "Fleet");
    await page.getByRole("button", { name: /^us-east/ }).click();
    await arrives(page, "/fleet?region=eu-north&region=us-east");
    await sees(page, /^(3,999|4,000) of 10,00\d nodes$/);
    await page.keyboard.press("/");
    await page.keyboard.type("regoin:eu ");
    await sees(page, "Did you mean region:?");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("-tag:lab cpu>80 ");
    await arrives(page, "/fleet?region=eu-north&region=us-east&not=tag%3Alab&where=cpu%3E80");
    await page.getByRole("button", { name: "Remove cpu>80" }).click();
    await arrives(page, "/fleet?region=eu-north&region=us-east&not=tag%3Alab");
    await visit("/fleet?status=offline", "Fleet");
    await sees(page, /Offline for \d+\smin/);
    await look(page);
  });
});
