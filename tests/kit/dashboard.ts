import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type AppsNode, startAppsNode } from "./apps.ts";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { OWNER } from "./client.ts";
import type { TestApp } from "./templates.ts";
import { until } from "./until.ts";

/** Signs in through the API, as a browser that has been here before would be; the page is not touched. */
export async function enter({ context }: Pick<TestBrowser, "context">, url: string, user = OWNER): Promise<void> {
  const reply = await context.request.post(`${url}/api/auth/login`, { data: user });
  if (!reply.ok()) throw new Error(`sign-in answered ${reply.status()}: ${await reply.text()}`);
}

/** Says yes to the session of `enter`, on the page that asks because somebody else was signed in there before. */
export async function goOnAs(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Go on as ${name}` }).click();
}

/** Fills the sign-in page and sends it. */
export async function signInByHand(page: Page, user = OWNER): Promise<void> {
  await page.getByLabel("User name").fill(user.username);
  await page.getByLabel("Passphrase", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Waits until the text is on the page (at most `timeoutMs`). */
export async function sees(page: Page, text: string | RegExp, timeoutMs = 20_000): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor({ timeout: timeoutMs });
}

/** Waits until the page is at this path, with its query. */
export async function arrives(page: Page, path: string, timeoutMs = 20_000): Promise<void> {
  await until(
    () => {
      const { pathname, search } = new URL(page.url());
      return pathname + search === path;
    },
    { timeoutMs, what: `the page to be at ${path}, it is at ${page.url()}` },
  );
}

/** Goes to a path as a click on a link does, without loading the program anew, and waits until its screen has been drawn. */
export async function stepTo(page: Page, path: string): Promise<void> {
  // Two frames on, the screen has been drawn and has begun to ask.
  await page.evaluate(`new Promise((done) => {
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
    scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  })`);
}

/** Where the program is open and nothing lies over its screen. */
const IS_OPEN = `document.querySelector(".shell") !== null && document.querySelector("dialog[open], :popover-open") === null`;

/** Shows a screen: from the one before where the program is open already, by its address otherwise. Loading it again is the dear part. */
export async function show(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  if (new URL(page.url()).origin === origin && (await page.evaluate<boolean>(IS_OPEN)))
    await stepTo(page, pathname + search);
  else await page.goto(url);
}

/** A node with the test catalogue and a browser whose owner is signed in. */
export interface Dashboard {
  apps: AppsNode;
  browser: TestBrowser;
  page: Page;
  /** Shows a path of this node and waits for its heading. */
  visit(path: string, heading?: string | RegExp): Promise<void>;
  /** Ends everything and removes what the apps of this node left on the engine. */
  dispose(): Promise<void>;
}

/** Starts both; the settings go into the node's environment, `more` into its catalogue. */
export async function startDashboard(
  env: Record<string, string> = {},
  more: readonly TestApp[] = [],
): Promise<Dashboard> {
  const apps = await startAppsNode(env, more);
  const browser = await openBrowser();
  await enter(browser, apps.node.url);
  const { page } = browser;
  return {
    apps,
    browser,
    page,
    async visit(path, heading) {
      await show(page, apps.node.url + path);
      const name = heading === undefined ? {} : { name: heading };
      await page.getByRole("heading", { level: 1, ...name }).waitFor();
    },
    async dispose() {
      await browser.close();
      // Also what was installed by hand; a test may have left the node dead, though.
      const known = await apps.owner.ok("GET /api/apps").catch(() => []);
      for (const { id } of known) apps.adopt(id);
      await apps.dispose();
    },
  };
}

/** A folder that goes away with the test. */
export function temporaryFolder(stem: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `orrery-${stem}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Notes every text on the page that matches, however short it is there; ask for the list with the returned function. */
export async function collectTexts(page: Page, pattern: RegExp): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.textsSeen = new Set();
    new MutationObserver(() => {
      for (const [text] of document.body.textContent.matchAll(${pattern}g)) window.textsSeen.add(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  return () => page.evaluate("[...window.textsSeen]");
}
