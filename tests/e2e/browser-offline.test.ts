import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient, OWNER, setUp } from "../kit/client.ts";
import { enter } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { until } from "../kit/until.ts";

const ADA = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const WITHOUT_DOCKER = { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" };

/** Milliseconds within which a page must show that its server is gone. */
const NOTICED_MS = 5000;

const heading = (page: Page, name?: string | RegExp) =>
  page.getByRole("heading", { level: 1, ...(name === undefined ? {} : { name }) }).waitFor();
const isDimmed = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const shown = document.querySelector("#main > *");
    return shown !== null && Number(getComputedStyle(shown).opacity) < 0.9;
  })()`);
/** Looks in a row that find no new part of the program. */
const QUIET_LOOKS = 5;

/** Waits until every part of the program has come: `part`, which is loaded ahead, and then no other any more. */
async function hasAll(page: Page, part: string): Promise<void> {
  let last = 0;
  let quiet = 0;
  await until(
    async () => {
      const names = await page.evaluate<string[]>(`performance.getEntriesByType("resource").map(({ name }) => name)`);
      const parts = names.filter((name) => name.endsWith(".js"));
      quiet = parts.length === last ? quiet + 1 : 0;
      last = parts.length;
      return quiet >= QUIET_LOOKS && parts.some((name) => name.includes(`/${part}-`));
    },
    { everyMs: 200, what: `the page to load ${part} and all else ahead` },
  );
}

/** Stops a program as a cut cable would: connections stay and nothing answers. */
async function whileSilent(program: NodeProcess, work: () => Promise<void>): Promise<void> {
  process.kill(program.pid, "SIGSTOP");
  try {
    await work();
  } finally {
    process.kill(program.pid, "SIGCONT");
  }
}

suite("pages whose server is gone", ["chromium"], () => {
  let node: NodeProcess;
  let panel: NodeProcess;
  const browsers: TestBrowser[] = [];
  const open = async (options = {}) => {
    const browser = await openBrowser({ loadsAhead: true, ...options });
    browsers.push(browser);
    return browser;
  };
  beforeAll(async () => {
    node = await startNode({ env: WITHOUT_DOCKER });
    await setUp(node.url);
    panel = await startNode({ binary: PANEL_BINARY, env: { CP_AGENT_LISTEN: "127.0.0.1:0" } });
    await createClient(panel.url).ok("POST /api/auth/register", ADA);
  });
  afterAll(async () => {
    for (const browser of browsers) await browser.close();
    await node?.dispose();
    await panel?.dispose();
  });

  /** Goes through an outage on a page, and past one that was not open before. */
  async function outlast(program: NodeProcess, page: Page, next: { link: string; title: string }): Promise<void> {
    await page.evaluate("window.sameDocument = true");
    await whileSilent(program, async () => {
      const began = performance.now();
      await until(() => isDimmed(page), { what: "what is shown to be dimmed", timeoutMs: 20_000 });
      expect(performance.now() - began).toBeLessThan(NOTICED_MS);
      await page
        .getByText(/Server unreachable since/)
        .first()
        .waitFor();
      await page.getByRole("navigation").getByRole("link", { name: next.link }).first().click();
      await heading(page, next.title);
    });
    await page.getByText(/Server unreachable since/).waitFor({ state: "detached" });
    await until(async () => !(await isDimmed(page)), { what: "the page to be as before" });
    await page.getByText("updated").waitFor({ state: "detached" });
    expect(await page.evaluate<boolean>("window.sameDocument")).toBe(true);
  }

  test("a node that falls silent is noticed within 5 s on a page that asks for nothing, and every other page still opens", async () => {
    const browser = await open();
    await enter(browser, node.url);
    await browser.page.goto(`${node.url}/settings`);
    await heading(browser.page, "Settings");
    await hasAll(browser.page, "webhooks");
    await outlast(node, browser.page, { link: "Users", title: "Users" });
    await browser.page.getByRole("table", { name: "Users" }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("so is a panel", async () => {
    const { page, complaints } = await open();
    await page.goto(`${panel.url}/settings`);
    await enterPanel(page, ADA);
    await heading(page, "Settings");
    await hasAll(page, "heatmap");
    await outlast(panel, page, { link: "Team", title: "Team" });
    await page.getByText(ADA.email).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("a page that was never loaded says so instead of being empty, and opens by itself when the server is back", async () => {
    const browser = await open();
    const { page } = browser;
    await enter(browser, node.url);
    let isCut = true;
    await page.route(/\/assets\/users-[^/]*\.js$/, (route) =>
      isCut ? route.abort("connectionreset") : route.continue(),
    );
    await page.goto(`${node.url}/settings`);
    await heading(page, "Settings");
    await whileSilent(node, async () => {
      await page.getByText(/Server unreachable since/).waitFor();
      await page.getByRole("link", { name: "Users" }).first().click();
      await heading(page, "This page is not here yet");
      await page.getByRole("button", { name: "Try now" }).first().waitFor();
      isCut = false;
    });
    await page.getByRole("table", { name: "Users" }).waitFor();
  });

  test("a browser that keeps the program starts it without the server, with a nonce of its own, and goes on when it is back", async () => {
    const own = await startNode({ env: WITHOUT_DOCKER });
    await setUp(own.url);
    const { page, context, complaints } = await open({ keepsProgram: true });
    await enter({ context }, own.url, OWNER);
    const first = await page.goto(own.url);
    await heading(page);
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await own.kill();
    const kept = [await page.goto(`${own.url}/users`), await page.reload()];
    await heading(page, "This server does not answer");
    const policies = [first, ...kept].map((answer) => answer?.headers()["content-security-policy"] ?? "");
    expect(new Set(policies).size).toBe(3);
    for (const policy of policies) expect(policy).toMatch(/script-src 'self' 'nonce-[\w-]+'.*frame-ancestors 'none'/);
    const again = await startNode({ dataDir: own.dataDir, listen: new URL(own.url).host, env: WITHOUT_DOCKER });
    await page.getByRole("table", { name: "Users" }).waitFor();
    expect(complaints).toEqual([]);
    const answers = await page.evaluate<string[]>(
      "(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())()",
    );
    expect(answers).toContain("/");
    expect(answers.filter((path) => path !== "/" && !path.startsWith("/assets/"))).toEqual([]);
    await again.dispose();
  });
});
