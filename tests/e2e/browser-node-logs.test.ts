import { afterAll, beforeAll, expect, test } from "bun:test";
import type { WebSocketRoute } from "playwright-core";
import type { ServedStream } from "../../src/shared/agent-client/index.ts";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { type HeldNode, holdSessionBy } from "../kit/stream-nodes.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery staple" };
const LONG_NAME = `web-${"of-a-host-with-a-long-name-".repeat(2)}eu-1`;

suite("the log of a node, in a browser", ["chromium"], () => {
  let panel: NodeProcess;
  let browser: TestBrowser;
  let node: HeldNode;
  let sleepy: HeldNode;
  /** What the node finds, when it answers. */
  let answer: (opened: ServedStream) => Promise<void> = async () => {};
  let stream: ServedStream | null = null;
  const begun = Date.now() - 60_000;
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, no) => ({
      ts: new Date(begun + (from + no) * 10).toISOString(),
      level: (from + no) % 10 === 0 ? "error" : "info",
      source: "web.service",
      message: `line ${from + no}`,
    }));

  beforeAll(async () => {
    panel = await startNode({
      binary: PANEL_BINARY,
      env: { CP_PUBLIC_URL: "https://panel.example", CP_AGENT_NAMES: "127.0.0.1", CP_AGENT_LISTEN: "127.0.0.1:0" },
    });
    const port = Number(panel.log.find(({ msg }) => msg === "listening")?.["agent_port"]);
    await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    await createClient(panel.url, token).ok("PUT /api/v1/workspace/settings", { record_terminal_sessions: true });
    const line = async () => {
      const { command } = await createClient(panel.url, token).ok("POST /api/onboarding/enroll-token");
      return command.replace(/--panel \S+/, `--panel https://127.0.0.1:${port}`);
    };
    const never = ({ signal }: ServedStream) =>
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    sleepy = await holdSessionBy(await line(), "sleepy", { search: never });
    node = await holdSessionBy(
      await line(),
      LONG_NAME,
      {
        search: (opened) => answer(opened),
        async logs(opened) {
          stream = opened;
          for (let at = 0; at < 1_000; at += 100) await opened.send({ lines: lines(at, 100) });
          if (opened.params["follow"] === false) return;
          await new Promise<void>((resolve) => opened.signal.addEventListener("abort", () => resolve()));
        },
        async terminal({ params, input, send }) {
          await send({ word: { type: "ready", command: ["sh"] } });
          await send({ bytes: Buffer.from(`welcome to ${params["app"]}\r\n`).toString("base64") });
          for await (const item of input) {
            const typed = Buffer.from((item as { bytes?: string }).bytes ?? "", "base64").toString();
            if (typed === "\u0004") return send({ word: { type: "exit", exit_code: 0 } });
            await send({ bytes: Buffer.from(typed).toString("base64") });
          }
        },
      },
      {
        inventory: { sign_in_urls: [`${panel.url}/api/oauth/callback`] },
        apps: [
          {
            app_id: "app_1",
            name: "blog",
            status: "running",
            image: "blog:1",
            restart_count: 0,
            cpu_percent: 1,
            mem_bytes: 1,
          },
        ],
      },
    );
    browser = await openBrowser();
    await browser.page.goto(panel.url);
    await enterPanel(browser.page, { ...ADA, name: "Ada" });
    await browser.page.getByRole("link", { name: "Fleet" }).first().waitFor();
  });
  afterAll(async () => {
    node?.close();
    sleepy?.close();
    await browser?.close();
    await panel?.dispose();
  });

  test("the palette shows what servers find below what is there, tells who has not answered, and opens them", async () => {
    const { page } = browser;
    const row = (name: RegExp | string) => page.getByRole("option", { name });
    const hit = (title: string, source = "containers") => ({ source, id: title, title, snippet: "nginx:1, Up" });
    let go = () => {};
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    answer = async ({ send }) => {
      await wait;
      await send({ hits: [hit("blog-proxy"), hit("blog-\u202Ecache")] });
      await send({ hits: [hit("Blog is down", "alert_rules"), hit("blog".repeat(50)), hit("Pay 5 coins")] });
    };
    await page.goto(`${panel.url}/fleet`);
    await page.getByRole("link", { name: "Fleet" }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("blog");
    await row(/^blog.*App$/).waitFor();
    // The panel waits three seconds for servers, so nothing else is looked at before they answer.
    await page.keyboard.press("ArrowDown");
    const chosen = page.locator("[role=option][aria-selected=true]");
    const text = await chosen.textContent();
    const place = await chosen.boundingBox();
    go();
    await row(/^blog-proxy.*Container$/).waitFor();
    await row(/^Blog is down.*Alert rule$/).waitFor();
    expect([await chosen.textContent(), await chosen.boundingBox()]).toEqual([text, place]);
    await page.getByText("1 server has not answered", { exact: true }).waitFor();
    const status = page.getByRole("dialog").getByRole("status");
    await status.filter({ hasText: /^\d+ results\. 1 server has not answered$/ }).waitFor({ state: "attached" });
    await row(/^blog-cache/).waitFor();
    expect(await row(/Pay 5 coins/).count()).toBe(0);
    await look(page);
    const [tab] = await Promise.all([page.waitForEvent("popup"), row(/^blog-proxy/).click()]);
    await tab.waitForURL(/\/api\/cp\/session\?token=[^&]+&next=%2Fcontainers%3Fcontainer%3Dblog-proxy$/);
    await tab.close();
  });

  test("pages that were opened by name stand first the next time, until somebody signs out", async () => {
    const { page } = browser;
    await page.goto(`${panel.url}/fleet`);
    await page.getByRole("link", { name: "Fleet" }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sleepy");
    await page.getByRole("option", { name: /^sleepy.*Node$/ }).click();
    await page.waitForURL("**/nodes/sleepy");
    await page.goto(`${panel.url}/fleet`);
    await page.getByRole("link", { name: "Fleet" }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^sleepy.*Recent, Node$/ }).waitFor();
    await look(page);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/nodes/sleepy");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sign out");
    await page.keyboard.press("Enter");
    await until(async () => !(await page.evaluate<string>("JSON.stringify(localStorage)")).includes("sleepy"));
    await enterPanel(page, { ...ADA, name: "Ada" });
    await page.getByRole("link", { name: "Fleet" }).first().waitFor();
  });

  test("a terminal opens in an app, says back what is typed, and tells its end", async () => {
    const { page } = browser;
    await page.goto(`${panel.url}/nodes/${LONG_NAME}`);
    await page.getByRole("link", { name: "Terminal", exact: true }).click();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.locator(".xterm-rows", { hasText: "welcome to blog" }).waitFor();
    await page.keyboard.type("echo grüße");
    await page.locator(".xterm-rows", { hasText: "echo grüße" }).waitFor();
    await look(page);
    await page.getByLabel("Terminal in blog").focus();
    await page.keyboard.press("Control+d");
    await page.getByText("The shell has ended.").waitFor();
    await page.getByRole("button", { name: "Open again" }).waitFor();
  });

  test("a terminal whose way broke opens a new shell by itself, below what was there", async () => {
    const { page } = browser;
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/terminal\/ws/, (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto(`${panel.url}/nodes/${LONG_NAME}/terminal`);
    // For the page, hours pass in seconds.
    await page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() * 100; }");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const rows = page.locator(".xterm-rows");
    await rows.filter({ hasText: "welcome to blog" }).waitFor();
    await page.keyboard.type("make all");
    await rows.filter({ hasText: "make all" }).waitFor();
    await sockets[0]?.close({ code: 1001 });
    await rows.filter({ hasText: /welcome.*make all.*welcome/s }).waitFor();
    expect(sockets).toHaveLength(2);
    await page.keyboard.type("and on");
    await rows.filter({ hasText: "and on" }).waitFor();
    await page.unrouteAll();
    await page.getByLabel("Terminal in blog").focus();
    await page.keyboard.press("Control+d");
    await page.getByText("The shell has ended.").waitFor();
  });

  test("what a terminal showed was recorded, and is played from any moment", async () => {
    const { page } = browser;
    await page.goto(`${panel.url}/nodes/${LONG_NAME}/recordings`);
    // The first that was opened is the last of the list.
    await page
      .getByRole("button", { name: /^blog, / })
      .last()
      .click();
    const shown = page.locator(".recording-host .xterm-rows");
    await page.getByRole("button", { name: "Play" }).waitFor();
    const position = page.getByLabel("Position");
    await position.press("End");
    // However short after a whole step the last word came.
    expect(await position.inputValue()).toBe((await position.getAttribute("max")) ?? "");
    await shown.filter({ hasText: "echo grüße" }).waitFor();
    await look(page);
    await position.press("Home");
    await until(async () => !(await shown.textContent())?.includes("echo grüße"), { what: "the beginning" });
    await page.getByLabel("Find in the recording").fill("WELCOME");
    await page.getByRole("button", { name: "Next" }).click();
    await shown.filter({ hasText: "welcome to blog" }).waitFor();
    await page.getByLabel("Speed").selectOption("10");
    await page.getByRole("button", { name: "Play" }).click();
    await shown.filter({ hasText: "echo grüße" }).waitFor();
  });

  test("lines come, follow, pause, lead to their moment, and the end is told", async () => {
    const { page } = browser;
    await page.goto(`${panel.url}/nodes/${LONG_NAME}`);
    await page.getByRole("link", { name: "Logs", exact: true }).click();
    const log = page.getByRole("log");
    await log.getByText("line 999", { exact: false }).waitFor();
    await stream?.send({ lines: lines(1_000, 5) });
    await log.getByText("line 1004", { exact: false }).waitFor();
    expect(await log.locator(".ln-row").count()).toBeLessThan(200);
    await page.getByRole("button", { name: "Pause" }).click();
    await stream?.send({ lines: lines(1_005, 5) });
    await page.getByRole("button", { name: "5 new lines" }).waitFor();
    await look(page);
    await page.getByLabel("Level").selectOption("error");
    await until(() => stream?.params["level"] === "error", { everyMs: 20, what: "the level" });
    await page.goto(
      `${panel.url}/nodes/${LONG_NAME}/logs?at=${encodeURIComponent(new Date(begun + 5_000).toISOString())}`,
    );
    await page.locator(".is-hit", { hasText: "line 500" }).waitFor();
    expect(stream?.params).toMatchObject({ follow: false, lines: 5_000 });

    await page.goto(`${panel.url}/nodes/${LONG_NAME}/logs`);
    await log.getByText("line 999", { exact: false }).waitFor();
    node.close();
    await page.getByText("No new lines come").waitFor();
    await page.getByRole("button", { name: "Read again" }).click();
    await page.getByText("This node is not connected to the panel at this moment", { exact: false }).waitFor();
    expect(browser.complaints.filter((each) => !each.includes("409"))).toEqual([]);
  });
});
