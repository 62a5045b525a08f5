import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient, OWNER, setUp, signIn } from "../kit/client.ts";
import { enter, stepTo } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { withoutKey } from "../kit/page-key.ts";
import { addMember, enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, type SeededPanel, startSeededPanel } from "../kit/seeded-panel.ts";
import { until } from "../kit/until.ts";

const PASSWORD = "other horse battery";
const BOB = { name: "Bob", email: "bob@example.org", password: PASSWORD };

/**
 * What is asked for again and again or stays open, and the sign that the server is there. Who is here changes with each page that is
 * opened or left.
 */
const REPEATED =
  /^(HEAD |GET \/api\/(system\/metrics\/live|events\/stream|logs\/stream|changes|presence|onboarding\/first-heartbeat))/;

/** What a page asks for while it loads; `settle` waits until nothing is on its way. */
function watch(page: Page) {
  let asked: string[] = [];
  const open = new Set<Request>();
  const lineOf = (request: Request): string => {
    const { pathname, search } = new URL(request.url());
    return `${request.method()} ${withoutKey(pathname)}${search}`;
  };
  page.on("request", (request) => {
    if (REPEATED.test(lineOf(request))) return;
    // Whoever leaves a page does not wait for its answers, and not every one of them is told to have failed.
    if (request.isNavigationRequest()) open.clear();
    // Nobody reads what a renewal of the session answers besides its cookies, and a browser may not tell the end of what is not read.
    if (lineOf(request) !== "POST /api/auth/refresh") open.add(request);
    asked.push(lineOf(request));
  });
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event as "requestfinished", (request) => open.delete(request));
  return {
    begin: () => {
      asked = [];
    },
    async settle(): Promise<string[]> {
      let quiet = 0;
      await until(
        async () => {
          quiet = open.size === 0 ? quiet + 1 : 0;
          return quiet > 5;
        },
        { what: "the page to have all that it asked for" },
      ).catch((cause: unknown) => {
        throw new Error(`${page.url()} still waits for ${[...open].map(lineOf).join(", ")}`, { cause });
      });
      return asked;
    },
  };
}

const twice = (asked: string[]): string[] => [
  ...new Set(asked.filter((line, index) => line.startsWith("GET /api/") && asked.indexOf(line) !== index)),
];

/** Every page that the menu and the tabs lead to. */
const linked = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...new Set([...document.querySelectorAll(".nav a, [role=tablist] a, .tabs a")].map((link) => link.getAttribute("href")))]`,
  );

suite("pages ask once, and for nothing that is refused", ["chromium"], () => {
  let node: NodeProcess;
  let fleet: SeededPanel;
  const browsers: TestBrowser[] = [];
  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    const owner = await signIn(node.url);
    for (const role of ["member", "viewer"])
      await owner.ok("POST /api/users", { username: role, password: PASSWORD, role });
    fleet = await startSeededPanel(madeUpNodes(120));
    await createClient(fleet.panel.url).ok("POST /api/auth/register", BOB);
    addMember(fleet.panel, fleet.tenantId, BOB.email, "org_viewer");
  });
  afterAll(async () => {
    for (const browser of browsers) await browser.close();
    await node?.dispose();
    await fleet?.dispose();
  });
  const open = async (): Promise<TestBrowser> => {
    const browser = await openBrowser({ loadsAhead: true });
    browsers.push(browser);
    // What is asked for again after a while is not asked for twice; a busy machine draws a page for longer than that while.
    await browser.page.addInitScript(
      `const now = performance.now.bind(performance); performance.now = () => now() / 20;`,
    );
    return browser;
  };

  /** Opens every page by its address or, as people do, from the page before; what that one has is not asked for again then. */
  async function visitAll(
    { page, refusals }: TestBrowser,
    url: string,
    more: string[],
    way: "by address" | "from page to page",
  ): Promise<void> {
    const watched = watch(page);
    await page.goto(url);
    await page.locator(".nav a").first().waitFor();
    const paths = [...new Set([...(await linked(page)), ...more])];
    expect(paths.length).toBeGreaterThan(4);
    const faults: string[] = [];
    if (way === "from page to page") await watched.settle();
    for (const path of paths) {
      if (way === "by address") {
        // What the page before still asks for is not this page's: a file lies between them, and the browser's process stays.
        await page.goto(`${url}/worker.js`);
        watched.begin();
        await page.goto(url + path);
      } else {
        watched.begin();
        await stepTo(page, path);
      }
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      const asked = await watched.settle();
      faults.push(...twice(asked).map((line) => `${path} asked twice: ${line}`));
      // 503 is no refusal: this node has no engine and no journal, and the page says so.
      const refused = refusals.splice(0).filter((line) => !line.startsWith("503 "));
      faults.push(...refused.map((line) => `${path} was refused: ${line}`));
    }
    expect(faults).toEqual([]);
  }

  for (const role of ["owner", "member", "viewer"]) {
    test(`a node, as ${role}`, async () => {
      const browser = await open();
      await enter(browser, node.url, role === "owner" ? OWNER : { username: role, password: PASSWORD });
      await visitAll(
        browser,
        node.url,
        ["/security", "/profile", "/news", "/settings/plan", "/alerts?tab=rules", "/alerts?tab=channels"],
        role === "owner" ? "by address" : "from page to page",
      );
    });
  }

  for (const who of [ADA, BOB]) {
    test(`the panel, as ${who.name}`, async () => {
      const browser = await open();
      await browser.page.goto(fleet.panel.url);
      await enterPanel(browser.page, who);
      await browser.page.locator(".nav a").first().waitFor();
      const own = browser.page.getByRole("button", { name: /^Workspace Bob/ });
      await browser.page.getByRole("button", { name: /^Workspace / }).waitFor();
      // The workspace is that of the visit before, when this is tried again.
      if (who === BOB && (await own.isVisible())) {
        await own.click();
        await browser.page.getByRole("dialog", { name: "Workspaces" }).getByText("Ada's workspace").click();
        await browser.page.getByRole("button", { name: /^Workspace Ada/ }).waitFor();
      }
      await visitAll(
        browser,
        fleet.panel.url,
        ["/profile", "/enrol", "/nodes/seed-5", "/fleet?status=offline"],
        who === ADA ? "by address" : "from page to page",
      );
    });
  }

  test("a page of the panel that hears late what there is has asked for nothing before, and asks once", async () => {
    const { page } = await open();
    await page.goto(fleet.panel.url);
    await enterPanel(page, ADA);
    await page.locator(".nav a").first().waitFor();
    // What the page before still asks for is not this page's.
    await page.goto(`${fleet.panel.url}/worker.js`);
    const watched = watch(page);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/changes", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.clock.install();
    await Promise.all([
      page.waitForRequest("**/api/changes"),
      page.goto(`${fleet.panel.url}/profile`),
      page.getByRole("button", { name: /^Notifications/ }).waitFor(),
    ]);
    // All that waits for its time is done before the stream begins.
    await page.clock.runFor(5_000);
    const isCount = (line: string) => line.includes("/api/notifications/count");
    const before = (await watched.settle()).filter(isCount);
    const counted = page.waitForResponse("**/api/notifications/count");
    held.resolve();
    await counted;
    expect([before, (await watched.settle()).filter(isCount).length]).toEqual([[], 1]);
  });

  test("who was never here, or whose hour is over, is not refused either", async () => {
    const { page, context, refusals } = await open();
    for (const url of [node.url, fleet.panel.url]) {
      await page.goto(url);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
    }
    expect(refusals).toEqual([]);
    await enter({ context }, node.url);
    await context.clearCookies({ name: /^access_token/ });
    await page.goto(node.url);
    await page.locator(".nav a").first().waitFor();
    expect(refusals).toEqual([]);
  });
});
