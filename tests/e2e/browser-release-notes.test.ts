import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, setUp } from "../kit/client.ts";
import { arrives, enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { freePort } from "../kit/free-port.ts";
import { focusOf, pressOn } from "../kit/keyboard.ts";
import { look } from "../kit/look.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery staple" };
const LONG = `A title of ${"many words ".repeat(12)} and one with${"out".repeat(40)} a break`;

suite("what is new, in the browser", ["chromium"], () => {
  let panel: NodeProcess;
  let node: NodeProcess;
  let owner: Client;
  let browser: TestBrowser;
  let page: Page;
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });

  beforeAll(async () => {
    const port = freePort();
    const env = { CP_PUBLIC_URL: `http://127.0.0.1:${port}`, CP_AGENT_LISTEN: "127.0.0.1:0" };
    panel = await startNode({ binary: PANEL_BINARY, listen: `127.0.0.1:${port}`, env });
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    owner = await setUp(node.url);
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    await panel?.dispose();
  });

  const hint = () => page.getByRole("link", { name: /take the tour/ });
  /** Goes home and makes sure that no hint is there, once the page knows all that decides about it. */
  async function unhintedAfter(goHome: () => Promise<unknown>): Promise<void> {
    const answers = ["/api/feature-tour", "/api/profile/last-seen-release"].map((path) =>
      page.waitForResponse(`**${path}`),
    );
    await goHome();
    for (const answer of answers) await (await answer).finished();
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await hint().isVisible()).toBe(false);
  }

  test("the home page hints at the tour until one has seen it", async () => {
    const { version, slides } = await owner.ok("GET /api/feature-tour");
    await owner.ok("PUT /api/profile/last-seen-release", { version: "0.0.0" });
    await page.goto(node.url);
    await hint().waitFor();
    await look(page);
    await pressOn(page, `New in ${version}: take the tour`);
    await arrives(page, "/news");
    for (const { title, path, action } of slides) {
      await heading(title).waitFor();
      expect(await page.getByRole("link", { name: action, exact: true }).getAttribute("href")).toBe(path);
      await pressOn(page, /^(Next|Start over)$/);
    }
    await heading(slides[0].title).waitFor();
    await pressOn(page, "Next");
    await heading(slides[1].title).waitFor();
    await pressOn(page, "Back");
    await heading(slides[0].title).waitFor();
    await until(async () => (await focusOf(page)).name === "Next", { what: "the focus to have a place" });
    expect((await focusOf(page)).isSeen).toBe(true);
    await look(page);
    await unhintedAfter(() => page.getByRole("link", { name: "Home", exact: true }).click());
    await unhintedAfter(() => page.reload());
  });

  test("a panel brings its notes, by itself when the server joins it and then by a press", async () => {
    await page.goto(`${node.url}/news`);
    await sees(page, "No notes yet");
    expect(await page.getByRole("button", { name: "Fetch notes" }).count()).toBe(0);
    await look(page);
    const visitor = createClient(panel.url);
    await visitor.ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    const { token } = await visitor.ok("POST /api/auth/login", ADA);
    const { command } = await createClient(panel.url, token).ok("POST /api/onboarding/enroll-token");
    await owner.ok("POST /api/cp/connect", { line: command });
    const note = await until(async () => (await owner.ok("GET /api/release-notes"))[0]);
    const [told] = await visitor.ok("GET /api/v1/release-notes?product=os");
    expect(told).toMatchObject({ id: note.id, items: note.items });
    // As if the panel had told something else an hour ago.
    using db = new Database(`${node.dataDir}/main.db`);
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE release_notes SET title = ?, items = '[]'", [LONG]);
    await page.reload();
    await heading(`${told.version}: ${LONG}`).waitFor();
    await look(page);
    await pressOn(page, "Fetch notes");
    for (const text of [`${told.version}: ${told.title}`, told.summary, ...told.items]) await sees(page, text);
    expect(await heading(`${told.version}: ${LONG}`).count()).toBe(0);
    await look(page);
    await panel.kill();
    await pressOn(page, "Fetch notes");
    await page.getByRole("alert").filter({ hasText: "What was fetched earlier is kept." }).waitFor();
    await look(page);
    await page.reload();
    await heading(`${told.version}: ${told.title}`).waitFor();
    expect(browser.refusals).toEqual(["502 /api/release-notes/sync"]);
    expect(browser.complaints).toEqual([]);
  });
});
