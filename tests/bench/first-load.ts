import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { endChromium, openBrowser } from "../kit/browser.ts";
import { withoutKey } from "../kit/page-key.ts";
import { type Bench, type Measure, ownerHeaders } from "./bench.ts";
import { dockerAttached, startBare, startNode } from "./programs.ts";
import { type Figure, median } from "./table.ts";

const RUNS = 5;
/** Time in which whatever a first screen loads later has come; its polls never end. */
const SETTLE_MS = 2_000;

/** Runs in the page, so it is text: this program knows no DOM types. */
const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const last = list.getEntries().at(-1);
    resolve({ at: last.startTime, element: last.element?.tagName.toLowerCase() ?? "" });
  }).observe({ type: "largest-contentful-paint", buffered: true });
})`;

/** One visit with an empty cache. */
interface Visit {
  lcpMs: number;
  /** Element of the largest paint. */
  element: string;
  /** Paths of the files of the dashboard, and of the API calls. */
  files: string[];
  calls: string[];
}

/** Visits `url` in a new browser with a new profile. */
async function visit(url: string, cookies: Record<string, string>): Promise<Visit> {
  const browser = await openBrowser();
  try {
    const { page, context } = browser;
    await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
    // The first page of a new browser also pays for its start; an empty one takes that off.
    await page.goto("about:blank");
    const paths: string[] = [];
    page.on("request", (request) => void paths.push(withoutKey(new URL(request.url()).pathname)));
    await page.goto(url, { waitUntil: "load" });
    await page.waitForTimeout(SETTLE_MS);
    const paint = await page.evaluate<{ at: number; element: string }>(LARGEST_PAINT);
    const isCall = (path: string) => path.startsWith("/api/");
    return {
      lcpMs: paint.at,
      element: paint.element,
      files: paths.filter((path) => !isCall(path)),
      calls: paths.filter(isCall),
    };
  } finally {
    await browser.close();
    await endChromium();
  }
}

/** Bytes of the files as a browser that knows gzip gets them. */
async function gzipBytes(url: string, files: readonly string[]): Promise<number> {
  let sum = 0;
  for (const file of new Set(files)) {
    const response = await fetch(url + file, { headers: { "accept-encoding": "gzip" }, decompress: false });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isPacked = response.headers.has("content-encoding") || file.endsWith(".woff2");
    sum += isPacked ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  }
  return sum;
}

function toFigures(name: string, visits: readonly Visit[], bytes: number, plainMs: number): Figure[] {
  const files = median(visits.map((one) => one.files.length));
  const calls = median(visits.map((one) => one.calls.length));
  return [
    {
      measure: `first load, ${name}: size`,
      value: bytes / 1000,
      unit: "kB gzip",
      limit: { kind: "most", value: 130 },
      baseline: null,
      note: [...new Set(visits[0]?.files)].map((file) => file.replace(/^.*\//, "") || "page").join(" "),
    },
    {
      measure: `first load, ${name}: requests`,
      value: files,
      unit: "files",
      limit: { kind: "most", value: 8 },
      baseline: null,
      note: `besides ${calls} calls of the API`,
    },
    {
      measure: `first load, ${name}: largest paint`,
      value: median(visits.map((one) => one.lcpMs)),
      unit: "ms",
      limit: { kind: "most", value: 400 },
      baseline: plainMs,
      note: `median of ${visits.length} new browsers: ${visits.map((one) => one.lcpMs.toFixed(0)).join(" ")}; <${visits[0]?.element}>; baseline: one line of text`,
    },
  ];
}

async function measure(bench: Bench): Promise<Figure[]> {
  const running = await startNode(bench.folder.path, { probe: "/api/apps", headers: await ownerHeaders(bench) });
  await dockerAttached(running);
  const text = join(bench.folder.path, "plain.html");
  writeFileSync(text, "<!doctype html><title>plain</title><p>One line of text.");
  const baseline = await startBare(text, "text/html");
  const { access } = await bench.folder.signIn();
  const [signIn, home, plain]: [Visit[], Visit[], Visit[]] = [[], [], []];
  for (let round = 0; round < RUNS; round++) {
    plain.push(await visit(baseline.url, {}));
    signIn.push(await visit(running.url, {}));
    home.push(await visit(running.url, { access_token: access }));
  }
  const plainMs = median(plain.map((one) => one.lcpMs));
  const figures = [
    ...toFigures("sign-in", signIn, await gzipBytes(running.url, signIn[0]?.files ?? []), plainMs),
    ...toFigures("home", home, await gzipBytes(running.url, home[0]?.files ?? []), plainMs),
  ];
  await running.stop();
  await baseline.stop();
  return figures;
}

/** Size, requests and largest paint of a first visit, signed out and signed in. */
export const firstLoad: Measure = { name: "load", run: measure };
