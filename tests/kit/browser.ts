import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { testEnv } from "./env.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface BrowserOptions {
  width?: number;
  height?: number;
  colorScheme?: "dark" | "light";
  reducedMotion?: "reduce" | "no-preference";
  /** Another host name or address that the page may speak with, besides 127.0.0.1. */
  host?: string;
}

/** A real Chromium with a new profile. */
export interface TestBrowser {
  context: BrowserContext;
  page: Page;
  /** Errors that the page threw or wrote to its console, and requests that left for another host. */
  complaints: string[];
  /** Answers above 399 as `404 /path`; which of them are right is for the test to say. */
  refusals: string[];
  close(): Promise<void>;
}

/** Opens a browser with one page. Only one at a time: the machine is small. */
export async function openBrowser(options: BrowserOptions = {}): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "orrery-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: testEnv().chromium,
    headless: true,
    args: FLAGS,
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.colorScheme ?? "dark",
    reducedMotion: options.reducedMotion ?? "reduce",
  });
  const complaints: string[] = [];
  context.on("weberror", (event) => void complaints.push(String(event.error())));
  context.on("console", (message) => {
    // A refused request is also written to the console; the tests that provoke one look at the page instead.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  const refusals: string[] = [];
  context.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400) refusals.push(`${response.status()} ${pathname}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isHome = hostname === "127.0.0.1" || hostname === options.host;
    if (protocol.startsWith("http") && !isHome) complaints.push(`left for ${request.url()}`);
  });
  // What a person waits for at most; a hanging page fails soon and says what it waited for.
  context.setDefaultTimeout(20_000);
  const page = context.pages()[0] ?? (await context.newPage());
  keepGoing(page);
  return {
    context,
    page,
    complaints,
    refusals,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/**
 * Repeats a navigation that Chromium gave up because a network appeared on this machine at that moment: each app has one,
 * and other suites make theirs too. A visitor's machine has none of that.
 */
function keepGoing(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    for (let left = 5; ; left--) {
      try {
        return await goto(url, options);
      } catch (error) {
        if (left === 0 || !String(error).includes("ERR_NETWORK_CHANGED")) throw error;
      }
    }
  };
}
