import type { Page } from "playwright-core";
import { until } from "./until.ts";

/** Where the keyboard is: the name of the part, whether one sees that, and whether it is in the window. */
interface Focus {
  name: string;
  role: string;
  isSeen: boolean;
  isInside: boolean;
}

const NAME_OF = `(part) =>
  (part.getAttribute("aria-label") ?? (part.labels?.length ? part.labels[0].innerText : part.innerText) ?? "")
    .trim().replace(/\\s+/g, " ")`;

const FOCUS = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return { name: "", role: "body", isSeen: true, isInside: true };
  // The mark may be on the part itself or on what is drawn around a hidden control.
  const marked = [at, at.parentElement, at.closest("label, .input, .select")].filter(Boolean).some((part) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
  });
  const box = (at.closest("label") ?? at).getBoundingClientRect();
  const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const role = at.getAttribute("role") ?? at.tagName.toLowerCase() + (at.type ? "/" + at.type : "");
  return { name: (${NAME_OF})(at), role, isSeen: marked || at.tabIndex < 0, isInside };
})()`;

/** The names of all that the keyboard can reach now, in the dialog on top where there is one. */
const REACHABLE = `(() => {
  const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  return [...top.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((part) => !part.disabled && part.checkVisibility() && part.closest("[inert]") === null)
    .map(${NAME_OF});
})()`;

/** What has the focus now. */
export function focusOf(page: Page): Promise<Focus> {
  return page.evaluate(FOCUS);
}

/**
 * Waits until there is a part with this name and it takes the focus, as somebody who sees the page does, and presses Tab until it has it;
 * throws when it has not within `most` presses, or when on the way the focus was on something that does not show it or lies outside
 * the window.
 */
export async function tabTo(page: Page, name: string | RegExp, most = 60): Promise<Focus> {
  const passed: string[] = [];
  const fits = (found: string): boolean => (typeof name === "string" ? found === name : name.test(found));
  await until(async () => (await page.evaluate<string[]>(REACHABLE)).some(fits), { what: `${name} to take the focus` });
  for (let press = 0; press <= most; press++) {
    const focus = await focusOf(page);
    if (!focus.isSeen) throw new Error(`the focus on ${focus.role} "${focus.name}" cannot be seen`);
    if (!focus.isInside) throw new Error(`the focus on ${focus.role} "${focus.name}" is outside the window`);
    if (fits(focus.name)) return focus;
    passed.push(focus.name.slice(0, 30));
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way to ${name} with Tab; it went over ${passed.join(" | ")}`);
}

/** Tabs to a part and types into it. */
export async function typeInto(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Tabs to a part and presses a key on it, Enter unless told. */
export async function pressOn(page: Page, name: string | RegExp, key = "Enter"): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}
