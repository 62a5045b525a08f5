import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, OWNER, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { focusOf, pressOn, tabTo, typeInto } from "../kit/keyboard.ts";
import { accessFaults, isWhole, sidewaysFaults } from "../kit/look.ts";
import { OWN_PATH } from "../kit/page-key.ts";
import { until } from "../kit/until.ts";

const OTHER = { username: "mara", password: "quiet comets at noon" };

/** True when the sky changes within ten frames. */
const MOVES = `(async () => {
  const sky = document.querySelector("canvas.stars");
  const before = sky.toDataURL();
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  return sky.toDataURL() !== before;
})()`;

suite("one's own account in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let owner: Client;
  let mara: Client;
  let recovery: string[] = [];
  const faults = new Set<string>();
  const look = async (what: string): Promise<void> => {
    for (const fault of [...(await accessFaults(page)), ...(await sidewaysFaults(page))])
      faults.add(`${fault} on ${what}`);
  };
  const visit = async (path: string): Promise<void> => {
    await page.goto(node.url + path);
    await isWhole(page);
  };
  const preferences = () => owner.ok("GET /api/profile/preferences");

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    owner = await setUp(node.url);
    await owner.ok("POST /api/users", { ...OTHER, role: "viewer" });
    const { access_token } = await owner.ok("POST /api/auth/login", OTHER);
    mara = createClient(node.url, access_token);
    browser = await openBrowser();
    page = browser.page;
    await page.addInitScript(`
      window.tones = 0;
      const begin = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...args) { window.tones += 1; return begin.apply(this, args); };
      // A sky that takes 2 ms to draw stands still; on a clock of tenths of a second a busy machine cannot make that happen here.
      const now = performance.now.bind(performance);
      performance.now = () => Math.floor(now() / 100) * 100;
      window.prints = 0;
      window.print = () => { window.prints += 1; };
    `);
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  // A try that failed may have left the window of a phone.
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  test("motion: calm and cinematic have no sky, max has one that stops when nobody looks or the system asks", async () => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await visit("/settings");
    const sky = page.locator("canvas.stars");
    for (const motion of ["Calm", "Cinematic"]) {
      await page.getByRole("radio", { name: motion }).check({ force: true });
      expect(await sky.count()).toBe(0);
    }
    await page.getByRole("radio", { name: "Max" }).check({ force: true });
    await sky.waitFor();
    await until(() => page.evaluate<boolean>(MOVES), { what: "the stars to move" });
    await page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));`);
    expect(await page.evaluate<boolean>(MOVES)).toBe(false);
    await page.evaluate(`delete document.hidden; document.dispatchEvent(new Event("visibilitychange"));`);
    await until(() => page.evaluate<boolean>(MOVES), { what: "the stars to move again" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await sky.waitFor({ state: "hidden" });
    expect(await page.evaluate<boolean>(MOVES)).toBe(false);
    await until(async () => (await preferences()).motion === "max", { what: "the account to know" });
    await look("appearance");
  });

  test("an accent of one's own shows at once and follows the account, the density stays with the device", async () => {
    const accent = () => page.evaluate<string>(`document.documentElement.style.getPropertyValue("--acc")`);
    await page.getByLabel("Your own colour").fill("#2f9e44");
    const green = await accent();
    await page.getByLabel("Your own colour").fill("#d6336c");
    const pink = await accent();
    expect([green === "", pink === "", green === pink]).toEqual([false, false, false]);
    await page.getByRole("radio", { name: "Compact" }).check({ force: true });
    await page.getByRole("radio", { name: "Light" }).check({ force: true });
    const known = async () => {
      const { theme, accent, custom_accent } = await preferences();
      return theme === "light" && accent === "custom" && custom_accent === "#d6336c";
    };
    await until(known, { what: "the account to know" });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate("document.documentElement.dataset.density")).toBe("compact");
    // Another device: nothing is remembered here but the session. The page that is there would remember it again.
    await page.addInitScript(`if (sessionStorage.getItem("emptied") === null) {
      for (const name of Object.keys(localStorage)) if (name !== "orrery.page") localStorage.removeItem(name);
      sessionStorage.setItem("emptied", "");
    }`);
    await page.reload();
    await until(async () => (await accent()) === pink, { what: "the accent to come from the account" });
    expect(await page.evaluate("({ ...document.documentElement.dataset })")).toMatchObject({
      theme: "light",
      motion: "max",
      density: "default",
    });
  });

  test("sounds are off until wanted, then one hears a request to be let in", async () => {
    const tones = () => page.evaluate<number>("window.tones");
    await visit("/settings");
    await page.getByRole("switch", { name: /Sounds/ }).uncheck({ force: true });
    expect(await tones()).toBe(0);
    await page.getByRole("switch", { name: /Sounds/ }).check({ force: true });
    await until(async () => (await tones()) === 2, { what: "a first tone" });
    await owner.ok("POST /api/auth/approve/request", { email: OWNER.username });
    await sees(page, "Is this you signing in?");
    await until(async () => (await tones()) === 4, { what: "the tone" });
    await look("approve prompt");
    await page.getByRole("button", { name: "Not me, refuse" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("a picture is dropped, seen before it is kept, and anything else is refused", async () => {
    await visit("/profile");
    const drop = async (name: string, type: string): Promise<void> => {
      const data = await page.evaluateHandle(`(async () => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 20 });
        canvas.getContext("2d").fillRect(0, 0, 40, 20);
        const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
        const transfer = new DataTransfer();
        transfer.items.add(new File([blob], "${name}", { type: "${type}" }));
        return transfer;
      })()`);
      await page.locator(".avatarfield").dispatchEvent("drop", { dataTransfer: data });
    };
    await drop("notes.txt", "text/plain");
    await sees(page, "This is not a PNG, JPEG or WebP picture.");
    await drop("me.png", "image/png");
    await sees(page, "me.png: this is how it will look.");
    expect((await owner.ok("GET /api/auth/me")).avatar_url).toBeNull();
    await page.getByRole("button", { name: "Use this picture" }).click();
    await sees(page, "Picture saved.");
    expect((await owner.ok("GET /api/auth/me")).avatar_url).toMatch(/^\/api\/avatars\/[0-9a-f]{64}\.png$/);
    await look("profile");
  });

  test("recovery codes are printed without the page around them", async () => {
    await visit("/security");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.locator("dialog .code.line code").waitFor();
    await look("authenticator dialog");
    const secret = await page.locator("dialog .code.line code").textContent();
    await page.getByLabel("Code from the app").fill(TOTP.generate({ secret: Secret.fromBase32(secret ?? "") }));
    await page.keyboard.press("Enter");
    await sees(page, "Save your recovery codes");
    await page.getByRole("button", { name: "Print" }).click();
    expect(await page.evaluate("window.prints")).toBe(1);
    await page.emulateMedia({ media: "print" });
    const isSeen = (selector: string) =>
      page.evaluate<boolean>(
        `document.querySelector(${JSON.stringify(selector)}).checkVisibility({ visibilityProperty: true })`,
      );
    expect(await isSeen(".recovery li:last-child")).toBe(true);
    for (const hidden of [".side", "#main h1", ".dialog-f", ".dialog input"])
      expect([hidden, await isSeen(hidden)]).toEqual([hidden, false]);
    await page.emulateMedia({ media: null });
    recovery = await page.locator(".recovery li").allTextContents();
    await page.getByLabel("Type one of them back").fill(recovery[0] ?? "");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("codes to scan: never made, too old, used, and approved by somebody else meanwhile", async () => {
    await visit(`/approve/qrs_${"x".repeat(24)}`);
    await sees(page, "This code is not known");
    await look("unknown code");
    const { session_id } = await owner.ok("POST /api/auth/qr/generate");
    // Five minutes are too long to wait for; what the server says then is proved with a clock that can be turned.
    await page.route("**/api/auth/qr/status/*", (route) => route.fulfill({ json: { status: "expired" } }));
    await visit(`/approve/${session_id}`);
    await sees(page, "This code is too old");
    await page.unroute("**/api/auth/qr/status/*");
    await visit(`/approve/${session_id}`);
    await mara.ok("POST /api/auth/qr/approve", { session_id });
    await page.getByRole("button", { name: "Yes, sign it in" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: /used|already/ })
      .waitFor();
    await look("foreign code");
    await visit(`/approve/${session_id}`);
    await sees(page, "This code was used already");
    await look("used code");
  });

  test("on a phone each session can be ended without scrolling sideways", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit("/security");
    const buttons = page.getByRole("table", { name: "Sessions" }).getByRole("button", { name: /^Sign out/ });
    await buttons.first().waitFor();
    for (const button of await buttons.all()) {
      const box = await button.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 1_000)).toBeLessThanOrEqual(390 - 16);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("the dialogs of keys and mobile apps are for everybody", async () => {
    for (const name of ["Add key", "Pair an app"]) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("dialog").getByRole("heading").first().waitFor();
      await until(async () => (await page.locator("dialog .sk").count()) === 0, { what: name });
      await look(name);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });

  test("who deletes by the keyboard keeps a place on the page when the button has gone", async () => {
    await owner.ok("POST /api/keys", { name: "old script", scopes: "apps", expires_in: null });
    await visit("/security");
    await pressOn(page, "Revoke old script");
    await pressOn(page, "Revoke key");
    await page.getByRole("button", { name: "Revoke old script" }).waitFor({ state: "detached" });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
  });

  test("a minute without a hand on it locks the page and keeps what was typed", async () => {
    await owner.ok("PUT /api/auth/auto-lock", { minutes: 1 });
    await page.clock.install();
    await visit("/users");
    await page.getByRole("button", { name: "Add user" }).click();
    await page.getByLabel("User name").fill("half-typed");
    await page.clock.runFor(50_000);
    await page.keyboard.press("Shift");
    await page.clock.runFor(55_000);
    const layer = page.locator("dialog.locklayer");
    expect(await layer.count()).toBe(0);
    await page.clock.runFor(10_000);
    await layer.waitFor();
    await page.clock.resume();
    expect(await page.evaluate<number>(`fetch(${OWN_PATH} + "/api/users").then(({ status }) => status)`)).toBe(423);
    await look("lock screen");
    await layer.getByLabel("Passphrase", { exact: true }).fill(OWNER.password);
    await page.keyboard.press("Enter");
    await layer.waitFor({ state: "detached" });
    expect(await page.getByLabel("User name").inputValue()).toBe("half-typed");
  });

  test("with the keyboard alone one signs out and in with a second factor, locks, unlocks and arranges the page", async () => {
    const { keyboard } = page;
    const isHome = () => page.getByRole("region", { name: "Live metrics" }).waitFor();
    await owner.ok("PUT /api/auth/auto-lock", { minutes: null });
    await page.goto(node.url);
    await isHome();
    await pressOn(page, /account of owner/);
    await pressOn(page, "Sign out");
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await typeInto(page, "User name", OWNER.username);
    await typeInto(page, "Passphrase", OWNER.password);
    await keyboard.press("Enter");
    await sees(page, "One more step");
    await look("second factor");
    await pressOn(page, "Use a recovery code");
    await typeInto(page, "Recovery code", recovery.pop() ?? "");
    await keyboard.press("Enter");
    await isHome();
    await keyboard.press("Shift+L");
    await page.locator("dialog.locklayer").waitFor();
    await keyboard.type(OWNER.password);
    await keyboard.press("Enter");
    await page.locator("dialog.locklayer").waitFor({ state: "detached" });
    await pressOn(page, "Arrange");
    const isOnGrip = async () => /, column \d+, row 1,/.test((await focusOf(page)).name);
    await until(isOnGrip, { what: "the focus to be on the first part" });
    const { name: before } = await tabTo(page, /^Apps, column/);
    await keyboard.press("Shift+ArrowDown");
    await until(async () => (await focusOf(page)).name !== before, { what: "the part to grow" });
    await look("home while arranging");
    const { version } = await owner.ok("GET /api/profile/dashboard?type=server");
    await pressOn(page, "Save");
    await until(async () => (await owner.ok("GET /api/profile/dashboard?type=server")).version === version + 1, {
      what: "the layout to be kept",
    });
    await until(async () => (await focusOf(page)).name === "Arrange", { what: "the focus to be where it began" });
  });

  test("everybody can use all of it, and the console is clean", () => {
    expect([...faults]).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
