import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { ROOT, testEnv } from "./env.ts";
import { withoutKey } from "./page-key.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--font-render-hinting=none",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page lives for seconds here: what its scripts and axe win by being compiled a second and a third time costs more than it saves.
  "--js-flags=--no-maglev --no-opt",
];

export interface BrowserOptions {
  width?: number;
  height?: number;
  colorScheme?: "dark" | "light";
  reducedMotion?: "reduce" | "no-preference";
  /** Another host name or address that the page may speak with, besides 127.0.0.1. */
  host?: string;
  /** True where the service worker is to keep the program; it answers before tests can come between. */
  keepsProgram?: boolean;
  /** True where all other screens are to be loaded a second after the first one; most pages of tests are gone by then, or want none. */
  loadsAhead?: boolean;
}

/** A window of a real Chromium, with a profile of its own. */
export interface TestBrowser {
  context: BrowserContext;
  page: Page;
  /** Errors that the page threw or wrote to its console, and requests that left for another host. */
  complaints: string[];
  /** Answers above 399 as `404 /path`; which of them are right is for the test to say. */
  refusals: string[];
  close(): Promise<void>;
}

let running: Promise<Browser> | null = null;

/** The one Chromium of this run: to start another one takes seconds. It ends with the run. */
async function chromiumOfThisRun(): Promise<Browser> {
  const before = await running;
  if (before?.isConnected()) return before;
  running = chromium.launch({
    executablePath: join(ROOT, "tests/kit/chromium.sh"),
    env: { ...process.env, TEST_BUN: process.execPath, TEST_CHROMIUM: testEnv().chromium },
    headless: true,
    args: FLAGS,
  });
  return running;
}

/** Ends that Chromium; for programs that go on, or end by themselves, after their last page. */
export async function endChromium(): Promise<void> {
  const before = await running;
  running = null;
  await before?.close();
}

/** Opens a browser with one page; it knows nothing of what another one was told. */
export async function openBrowser(options: BrowserOptions = {}): Promise<TestBrowser> {
  const browser = await chromiumOfThisRun();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.colorScheme ?? "dark",
    reducedMotion: options.reducedMotion ?? "reduce",
    serviceWorkers: options.keepsProgram === true ? "allow" : "block",
  });
  if (options.loadsAhead !== true) await context.addInitScript("window.requestIdleCallback = () => 0;");
  const complaints: string[] = [];
  context.on("weberror", (event) => void complaints.push(String(event.error())));
  context.on("console", (message) => {
    // A refused request is also written to the console; the tests that provoke one look at the page instead.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  const refusals: string[] = [];
  context.on("response", (response) => {
    const pathname = withoutKey(new URL(response.url()).pathname);
    if (response.status() >= 400) refusals.push(`${response.status()} ${pathname}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isHome = hostname === "127.0.0.1" || hostname === options.host;
    if (protocol.startsWith("http") && !isHome) complaints.push(`left for ${request.url()}`);
  });
  // What a person waits for at most; a hanging page fails soon and says what it waited for.
  context.setDefaultTimeout(20_000);
  return { context, page: await context.newPage(), complaints, refusals, close: () => context.close() };
}
