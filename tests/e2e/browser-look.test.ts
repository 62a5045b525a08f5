import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { suite } from "../kit/env.ts";
import { accessFaults, look } from "../kit/look.ts";

const STYLES = `
  html[data-theme=dark] { background: #111; color: #eee }
  html[data-theme=light] { background: #fff; color: #222 }
  .pale { color: #999 }
  .plain + .plain { color: #333 }
`;

suite("who examines a page", ["chromium"], () => {
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    page = browser.page;
  });
  afterAll(() => browser?.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const show = (main: string): Promise<void> =>
    page.setContent(`<!doctype html><html lang="en" data-theme="dark"><title>A page</title><style>${STYLES}</style>
      <body><main><h1>A page</h1>${main}</main></body></html>`);

  test("finds letters that are hard to read in one theme, each time that they are there", async () => {
    await show("<p>good words</p>");
    expect(await accessFaults(page)).toEqual([]);
    for (let time = 0; time < 2; time++) {
      await show("<p>good words</p><p class='pale'>pale words</p>");
      expect(await accessFaults(page)).toEqual([
        expect.stringMatching(/^light, serious, color-contrast: .*pale words/),
      ]);
    }
  });

  test("finds them where the same part was good before, and is drawn in another way now", async () => {
    await show("<p class='plain'>first</p>");
    expect(await accessFaults(page)).toEqual([]);
    const isDark = [expect.stringMatching(/^dark, serious, color-contrast: .*second/)];
    await show("<p class='plain'>first</p><p class='plain'>second</p>");
    expect(await accessFaults(page)).toEqual(isDark);
    await show("<div style='background: #aaa'><p class='plain'>second</p></div>");
    expect(await accessFaults(page)).toEqual(isDark);
    const over = (colour: string): string =>
      `<div style="position: relative"><b style="position: absolute; inset: 0; background: ${colour}"></b>
        <p class="plain" style="position: relative">second</p></div>`;
    await show(over("#111"));
    expect((await accessFaults(page)).map((fault) => fault.split(",")[0])).toEqual(["light"]);
    await show(over("#aaa"));
    expect(await accessFaults(page)).toEqual(isDark);
    await show("<div style='opacity: 0.3'><p class='plain'>second</p></div>");
    expect((await accessFaults(page)).map((fault) => fault.split(",")[0])).toEqual(["dark", "light"]);
  });

  test("finds them in the second of two parts that are drawn the same way, where the first lies on what cannot be judged", async () => {
    const under = "position: absolute; inset: 0 0 auto; height: 2em; background-image: linear-gradient(#000, #fff)";
    const line = "<p class='pale' style='position: relative; margin: 0; line-height: 2em'>words</p>";
    await show(`<div style="position: relative"><b style="${under}"></b>${line}${line}</div>`);
    expect(await accessFaults(page)).toEqual([expect.stringMatching(/^light, serious, color-contrast: p/)]);
  });

  const complaintOf = (): Promise<string> => look(page).then(() => "", String);

  test("finds what has no name and what is wider than a phone", async () => {
    await show("<button></button>");
    expect(await complaintOf()).toContain("dark, critical, button-name: button");
    await show("<h4>deep</h4>");
    expect(await complaintOf()).toContain("dark, moderate, heading-order: h4");
    await show("<div style='width: 500px'>wide</div>");
    expect(await complaintOf()).toContain("at 320 px: main. is");
  });

  test("waits until a page has its heading, and what loads is there", async () => {
    await page.setContent(`<!doctype html><html lang="en"><title>A page</title><main></main></html>`);
    const looking = accessFaults(page);
    await page.evaluate(
      `document.querySelector("main").innerHTML = "<h1>Late</h1><div role=status aria-label=Loading></div>"`,
    );
    await page.evaluate(`document.querySelector("[role=status]").outerHTML = "<button></button>"`);
    expect(await looking).toEqual([expect.stringContaining("button-name")]);
  });
});
