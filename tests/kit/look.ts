import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "./env.ts";

/** Serious faults that axe finds on the page, one line each; an empty list is good. */
export async function accessFaults(page: Page): Promise<string[]> {
  const source = readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");
  // Through the debugger, as the page's own content security policy rightly forbids foreign scripts.
  await page.evaluate(source);
  const found = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes[0].target.join(' ') })))",
  );
  return (found as { id: string; impact: string; at: string }[])
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, at }) => `${id}: ${at}`);
}

/** By how many pixels the page is wider than the window; 0 is good. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("Math.max(0, document.documentElement.scrollWidth - window.innerWidth)") as Promise<number>;
}
