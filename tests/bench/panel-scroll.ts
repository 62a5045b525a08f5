import type { CDPSession, Page } from "playwright-core";
import { endChromium, openBrowser } from "../kit/browser.ts";
import { enterPanel } from "../kit/panel-visitor.ts";
import { ADA, madeUpNodes, startSeededPanel } from "../kit/seeded-panel.ts";
import type { Measure } from "./bench.ts";
import { buildPanel } from "./programs.ts";
import type { Figure } from "./table.ts";

const NODES = 10_000;
const FRAMES = 180;
/** Three and a half rows a frame: a hand that turns the wheel fast. */
const STEP_PX = 120;

/** Runs in the page, so it is text: this program knows no DOM types. */
const SCROLL = `(async () => {
  const frames = [];
  let last = performance.now();
  for (let frame = 0; frame < ${FRAMES}; frame++) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    scrollBy({ top: ${STEP_PX}, behavior: "instant" });
  }
  frames.sort((a, b) => a - b);
  return { p95: frames[Math.floor(frames.length * 0.95)], elements: document.querySelectorAll("*").length };
})()`;
const JUMP = `(async () => {
  const start = performance.now();
  scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: "instant" });
  do await new Promise(requestAnimationFrame);
  while (document.querySelector("tr[aria-busy]") !== null || Number(document.querySelector("tr[data-row]")?.dataset.row ?? 0) < ${NODES / 3});
  return performance.now() - start;
})()`;
const WALK = `(async () => {
  const picture = document.querySelector(".heat");
  picture.focus();
  for (let frame = 0; frame < ${FRAMES}; frame++) {
    picture.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
})()`;

const parts = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];

/**
 * What the page's own program, its styles and its layout take while `work` runs, in ms of processor time a frame. Painting is left out:
 * here it is done without a graphics card, and takes as long for a page that stands still.
 */
async function costPerFrame(session: CDPSession, work: () => Promise<unknown>): Promise<number> {
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.filter(({ name }) => parts.includes(name)).reduce((sum, { value }) => sum + value, 0);
  };
  const before = await taken();
  await work();
  return (((await taken()) - before) * 1000) / FRAMES;
}

async function look(page: Page, url: string): Promise<Figure[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${url}/fleet`);
  await page.locator("tr[data-row]").first().waitFor();
  await page.waitForTimeout(3_000);
  let scrolled = { p95: Number.NaN, elements: Number.NaN };
  const perFrame = await costPerFrame(session, async () => {
    scrolled = await page.evaluate(SCROLL);
  });
  const jumpMs = await page.evaluate<number>(JUMP);
  await page.goto(`${url}/heatmap`);
  await page.locator("canvas.heatblock").first().waitFor();
  await page.waitForTimeout(1_000);
  const perStep = await costPerFrame(session, () => page.evaluate(WALK));
  const how = `${NODES} nodes, ${FRAMES} frames`;
  return [
    figure(
      "panel list, work per frame of scrolling",
      perFrame,
      "ms",
      8,
      `${how} of ${STEP_PX} px; processor time without painting`,
    ),
    figure("panel list, elements of the page", scrolled.elements, "", 1_500, `${how}, at the end`),
    figure("panel list, jump to the middle", jumpMs, "ms", 300, "until its rows are there"),
    { ...figure("panel list, frame p95", scrolled.p95, "ms", 0, `${how}; with whatever else runs`), limit: null },
    figure("panel heatmap, work per step", perStep, "ms", 8, `${how}, one key each; processor time without painting`),
  ];
}

function figure(measure: string, value: number, unit: string, most: number, note: string): Figure {
  return { measure, value, unit, limit: { kind: "most", value: most }, baseline: null, note };
}

async function measure(): Promise<Figure[]> {
  await buildPanel();
  const fleet = await startSeededPanel(madeUpNodes(NODES));
  const browser = await openBrowser({ width: 1440, height: 900 });
  try {
    const { page } = browser;
    await page.goto(fleet.panel.url);
    await enterPanel(page, ADA);
    await page.getByRole("link", { name: "Fleet" }).first().waitFor();
    return await look(page, fleet.panel.url);
  } finally {
    await browser.close();
    await endChromium();
    await fleet.dispose();
  }
}

/** What ten thousand nodes cost the page that shows them. */
export const panelScroll: Measure = { name: "scroll", run: measure };
