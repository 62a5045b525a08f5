import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { until } from "./until.ts";

/** The short form of axe: every page that is examined has to read it. */
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")};
  axe.configure({ noHtml: true });
  void 0;`;

/** The narrowest phone, and a laptop's window at 200 % zoom. */
const NARROW = [320, 640];

/** Marks of letters whose colours axe has found good in this run, each with all that its colours come from. */
const goodColours = new Set<string>();

/** What one examination found: faults in words, and marks of letters whose colours are good. */
interface Found {
  faults: string[];
  good: string[];
}

/** What is there instead of a page that is whole, or null. What loads beneath a dialog is nobody's yet. */
const UNFINISHED = `(() => {
  const top = [...document.querySelectorAll("dialog:modal")].at(-1);
  if (!top && !document.querySelector("h1")) return "no heading";
  // The page of all parts shows what loading looks like.
  const loading = location.pathname !== "/__ui" && (top ?? document).querySelector("[role=status][aria-label=Loading]");
  return loading ? "something that loads" : null;
})()`;

/** Waits until the page has its heading and nothing on it loads: between two screens there is nothing to examine. */
export async function isWhole(page: Page): Promise<void> {
  let last: string | null = null;
  await until(
    async () => {
      // A page that is being left answers nothing; the next one does.
      last = await page.evaluate<string | null>(UNFINISHED).catch(() => "a page that is left");
      return last === null;
    },
    { what: "the page to be whole" },
  ).catch((cause: unknown) => {
    throw new Error(`${page.url()} has ${last}`, { cause });
  });
}

/**
 * Faults that axe finds on the page in both themes, one line each; an empty list is good. The structure is examined whole each time.
 * Colours are the dear part: letters are examined once for each way that they and all around them are drawn.
 */
export async function accessFaults(page: Page): Promise<string[]> {
  await isWhole(page);
  // Through the debugger, as the page's own content security policy rightly forbids foreign scripts.
  if (!(await page.evaluate("Boolean(window.axe)"))) await page.evaluate(AXE);
  const { faults, good } = await page.evaluate<Found>(`(${EXAMINE})(${JSON.stringify([...goodColours].join(" "))})`);
  for (const mark of good) goodColours.add(mark);
  return faults;
}

/**
 * Gives a mark for a part: a digest of its classes, its state and how it is painted, of all that it stands in, and of what is laid
 * beneath or over these without being around them.
 */
const MARKS = `() => {
  const laid = (child) => {
    const style = getComputedStyle(child);
    if (style.position !== "absolute") return "";
    return child.getAttribute("class") + style.backgroundColor + style.backgroundImage + style.opacity;
  };
  const painted = ["color", "-webkit-text-fill-color", "background-color", "background-image", "opacity", "font-size", "font-weight",
    "text-shadow", "position", "z-index", "filter", "mix-blend-mode"];
  const digests = new Map([[null, [5381, 52711]]]);
  const digestOf = (part) => {
    const known = digests.get(part);
    if (known) return known;
    const style = getComputedStyle(part);
    const looks = [part.tagName, part.getAttribute("class"), part.matches(":disabled, [aria-disabled=true]"),
      ...painted.map((name) => style.getPropertyValue(name)), ...[...part.children].map(laid).filter(Boolean)].join(";");
    let [high, low] = digestOf(part.parentElement);
    for (let at = 0; at < looks.length; at++) {
      high = Math.imul(high ^ looks.charCodeAt(at), 2654435761);
      low = Math.imul(low ^ looks.charCodeAt(at), 1597334677);
    }
    digests.set(part, [high ^ (low >>> 16), low ^ (high >>> 13)]);
    return digests.get(part);
  };
  return (part) => digestOf(part).map((half) => (half >>> 0).toString(36)).join(".");
}`;

const EXAMINE = `async (known) => {
  const root = document.documentElement;
  const own = root.dataset.theme;
  const sheets = [...document.adoptedStyleSheets];
  // Colours that are on their way from the other theme are nobody's, and each step of that way is a page to draw.
  const still = new CSSStyleSheet();
  still.replaceSync("*, *::before, *::after { transition: none !important; }");
  document.adoptedStyleSheets = [...sheets, still];
  // What lies under a dialog is out of everybody's reach and darkened; it is looked at where nothing lies over it.
  const examinedNow = () => [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  const colours = ["color-contrast", "link-in-text-block"];
  const faults = [];
  const good = new Set(known.split(" "));
  const before = good.size;
  // Without a selector and the source of each part that has no fault.
  const quick = { elementRef: true, selectors: false };
  const wordsOf = ({ element }) =>
    element.tagName.toLowerCase() + "#" + element.id + "." + element.getAttribute("class") + " " + JSON.stringify(element.textContent.slice(0, 40));
  const tell = (theme, { impact, id, nodes }) => {
    for (const node of nodes.slice(0, 3)) faults.push(theme + ", " + impact + ", " + id + ": " + wordsOf(node));
  };
  const words = "input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=hidden], [type=image]), select, textarea";
  const isWritten = (part) =>
    part.matches(words) || [...part.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
  // Axe judges no colours of what is switched off, and of what only screen readers read: it is clipped to a dot, or lies outside.
  const isSeen = (part) => {
    if (part.matches(":disabled, [aria-disabled=true]")) return false;
    const { width, height, right, bottom } = part.getBoundingClientRect();
    return width > 1 && height > 1 && right + scrollX > 0 && bottom + scrollY > 0 && part.checkVisibility();
  };
  // A page draws itself anew while it is examined, so each examination finds for itself what is there.
  const letteredNow = () => [...examinedNow().querySelectorAll("*")].filter((part) => isWritten(part) && isSeen(part));
  try {
    root.dataset.theme = "dark";
    const rules = { "target-size": { enabled: true }, ...Object.fromEntries(colours.map((id) => [id, { enabled: false }])) };
    const { violations } = await axe.run(examinedNow(), { ...quick, resultTypes: ["violations"], rules });
    for (const violation of violations) tell("dark", violation);
    // What a theme changes is colours; all else is the same page, and is looked at once.
    for (const theme of ["dark", "light"]) {
      root.dataset.theme = theme;
      const markOf = (${MARKS})();
      const fresh = letteredNow().filter((part) => !good.has(markOf(part)));
      if (fresh.length === 0) continue;
      const found = await axe.run(fresh.length < 60 ? { include: fresh } : examinedNow(), {
        ...quick, runOnly: colours, resultTypes: ["violations", "passes"],
      });
      for (const violation of found.violations) tell(theme, violation);
      const bad = new Set(found.violations.flatMap(({ nodes }) => nodes.map(({ element }) => element)));
      for (const { element } of found.passes.find(({ id }) => id === "color-contrast")?.nodes ?? [])
        if (!bad.has(element)) good.add(markOf(element));
    }
  } finally {
    root.dataset.theme = own;
    // The page has its own colours back before anything may move again.
    getComputedStyle(root).color;
    document.adoptedStyleSheets = sheets;
  }
  return { faults, good: [...good].slice(before) };
}`;

/** Fields of several lines that are taller than their frame, one line each. */
const TALL = `[...document.querySelectorAll(".input > textarea")]
  .filter((field) => field.getBoundingClientRect().height > field.parentElement.getBoundingClientRect().height)
  .map((field) => "the field " + JSON.stringify(field.labels[0]?.textContent) + " is taller than its frame")`;

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

/** Parts that are wider than windows of these widths, or taller than their frame there; on a phone or at 200 % zoom unless told, one line each. */
export async function sidewaysFaults(page: Page, widths: readonly number[] = NARROW): Promise<string[]> {
  await isWhole(page);
  const before = page.viewportSize();
  const faults: string[] = [];
  try {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 720 });
      const found = [...(await page.evaluate<string[]>(WIDE)), ...(await page.evaluate<string[]>(TALL))];
      faults.push(...found.map((fault) => `at ${width} px: ${fault}`));
    }
  } finally {
    // What looks at the page next, a second try too, finds the window as it was.
    if (before) await page.setViewportSize(before);
  }
  return faults;
}

/** Texts of what a selector finds that are cut off on a phone. */
export async function cutTexts(page: Page, selector: string): Promise<string[]> {
  const before = page.viewportSize();
  const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((text) => text.scrollWidth > text.clientWidth)`;
  try {
    await page.setViewportSize({ width: 390, height: 844 });
    return await page.evaluate<string[]>(`${found}.map((text) => text.textContent)`);
  } finally {
    if (before) await page.setViewportSize(before);
  }
}

/** Examines the page as it is now; throws with every fault. */
export async function look(page: Page): Promise<void> {
  const faults = [
    ...(await accessFaults(page)),
    ...(await sidewaysFaults(page)),
    ...(await page.evaluate<string[]>(TALL)),
  ];
  if (faults.length > 0) throw new Error(`this page has faults:\n${faults.join("\n")}`);
}
