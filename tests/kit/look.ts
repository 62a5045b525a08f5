import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** The short form of axe: every page that is examined has to read it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The narrowest phone, and a laptop's window at 200 % zoom. */
const NARROW = [320, 640];

/** Faults that axe finds on the page in both themes, one line each; an empty list is good. */
export async function accessFaults(page: Page): Promise<string[]> {
  // Through the debugger, as the page's own content security policy rightly forbids foreign scripts.
  if (!(await page.evaluate("Boolean(window.axe)"))) await page.evaluate(AXE);
  return page.evaluate(`(async () => {
    const root = document.documentElement;
    const own = root.dataset.theme;
    const sheets = [...document.adoptedStyleSheets];
    // Colours that are on their way from the other theme are nobody's, and each step of that way is a page to draw.
    const still = new CSSStyleSheet();
    still.replaceSync("*, *::before, *::after { transition: none !important; }");
    document.adoptedStyleSheets = [...sheets, still];
    const faults = [];
    // What lies under a dialog is out of everybody's reach and darkened; it is looked at where nothing lies over it.
    const examined = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
    // What a theme changes is colours; all else is the same page, and is looked at once.
    const colours = { runOnly: ["color-contrast", "link-in-text-block"] };
    const all = { rules: { "target-size": { enabled: true } } };
    try {
      for (const [theme, rules] of [["dark", all], ["light", colours]]) {
        root.dataset.theme = theme;
        const { violations } = await axe.run(examined, { resultTypes: ["violations"], ...rules });
        for (const { id, impact, nodes } of violations)
          for (const node of nodes.slice(0, 3)) faults.push(theme + ", " + impact + ", " + id + ": " + node.target.join(" "));
      }
    } finally {
      root.dataset.theme = own;
      // The page has its own colours back before anything may move again.
      getComputedStyle(root).color;
      document.adoptedStyleSheets = sheets;
    }
    return faults;
  })()`);
}

/** What is drawn to measure, such as a chart, follows the window some frames later; nothing that stays too wide gets away. */
const WIDE = `(async () => {
  const find = () => [...document.querySelectorAll("html, main, dialog[open], .dialog-b")]
    .filter((box) => Math.min(box.scrollWidth, innerWidth * 9) > box.clientWidth + 1)
    .map((box) => box.tagName.toLowerCase() + "." + box.className + " is " + (box.scrollWidth - box.clientWidth) + " px too wide");
  let found = find();
  for (let frame = 0; frame < 30 && found.length > 0; frame++) {
    await new Promise(requestAnimationFrame);
    found = find();
  }
  return found;
})()`;

/** Parts that are wider than windows of these widths, on a phone or at 200 % zoom unless told, one line each; an empty list is good. */
export async function sidewaysFaults(page: Page, widths: readonly number[] = NARROW): Promise<string[]> {
  const before = page.viewportSize();
  const faults: string[] = [];
  try {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 720 });
      const found: string[] = await page.evaluate(WIDE);
      faults.push(...found.map((fault) => `at ${width} px: ${fault}`));
    }
  } finally {
    // What looks at the page next, a second try too, finds the window as it was.
    if (before) await page.setViewportSize(before);
  }
  return faults;
}

/** Examines the page as it is now; throws with every fault. */
export async function look(page: Page): Promise<void> {
  const faults = [...(await accessFaults(page)), ...(await sidewaysFaults(page))];
  if (faults.length > 0) throw new Error(`this page has faults:\n${faults.join("\n")}`);
}
