import { afterAll, beforeAll, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import type { Page, Route } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { OWNER, setUp } from "../kit/client.ts";
import { sees, show, signInByHand } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { pressOn, typeInto } from "../kit/keyboard.ts";
import { accessFaults, sidewaysFaults } from "../kit/look.ts";
import { OWN_PATH } from "../kit/page-key.ts";
import { until } from "../kit/until.ts";
import { addAuthenticator, type VirtualAuthenticator } from "../kit/virtual-authenticator.ts";

const isHome = (page: Page) => page.getByRole("region", { name: "Live metrics" }).waitFor();
const lock = (page: Page) => page.locator("dialog.locklayer");

suite("every way in", ["chromium"], () => {
  let node: NodeProcess;
  /** The address by a name, because passkeys need one. */
  let home: string;
  let browser: TestBrowser;
  let page: Page;
  let device: VirtualAuthenticator;
  let recovery: string;

  /** What nobody with a screen reader, large letters or a small phone should meet. */
  const faults = new Set<string>();
  const look = async (at: Page): Promise<void> => {
    const path = new URL(at.url()).pathname.replace(/approve\/.*/, "approve");
    for (const fault of await accessFaults(at)) faults.add(`${fault} on ${path}`);
  };

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    home = node.url.replace("127.0.0.1", "localhost");
    browser = await openBrowser({ host: "localhost" });
    page = browser.page;
    device = await addAuthenticator(page);
    await page.goto(home);
    await signInByHand(page);
    await isHome(page);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("with the keyboard alone a passkey is made, named anew, signs in and unlocks", async () => {
    await page.goto(`${home}/security`);
    await page.getByRole("button", { name: "Add passkey" }).waitFor();
    await pressOn(page, "Add passkey");
    await typeInto(page, "Name", "Laptop");
    await page.keyboard.press("Enter");
    await page.getByRole("listitem").getByText("Laptop", { exact: true }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await pressOn(page, "Rename Laptop");
    await typeInto(page, "Name", "Work laptop");
    await pressOn(page, "Save");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("listitem").getByText("Work laptop", { exact: true }).waitFor();
    await look(page);

    await device.answer(false);
    await pressOn(page, /account of/);
    await pressOn(page, "Sign out");
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await page.getByRole("button", { name: "Passkey", exact: true }).waitFor();
    await look(page);
    await device.answer(true);
    await pressOn(page, "Passkey");
    await isHome(page);

    await page.keyboard.press("Shift+L");
    await lock(page).waitFor();
    await pressOn(page, "Use passkey");
    await lock(page).waitFor({ state: "detached" });
  });

  test("the lock keeps a half-filled form, stays shut on Escape and a wrong passphrase", async () => {
    await page.goto(`${home}/users`);
    await page.getByRole("button", { name: "Add user" }).click();
    await page.getByLabel("User name").fill("half-typed");
    // Locked from outside, as another tab or the server's clock does it; the next call notices.
    await page.evaluate(`fetch(${OWN_PATH} + "/api/auth/lock", { method: "POST" })`);
    await lock(page).waitFor();
    await look(page);
    for (let count = 0; count < 3; count += 1) await page.keyboard.press("Escape");
    expect(await lock(page).evaluate((layer) => layer.matches(":modal"))).toBe(true);
    const field = lock(page).getByLabel("Passphrase", { exact: true });
    await field.fill("not the passphrase");
    await page.keyboard.press("Enter");
    await sees(page, "The passphrase is wrong.");
    await field.fill(OWNER.password);
    await page.keyboard.press("Enter");
    await lock(page).waitFor({ state: "detached" });
    expect(await page.getByLabel("User name").inputValue()).toBe("half-typed");
    await page.keyboard.press("Escape");
  });

  test("an answer from before the unlock does not lock the page again", async () => {
    await page.goto(home);
    await isHome(page);
    const unlocked = Promise.withResolvers<void>();
    const answers = { locked: 0, open: 0 };
    const hold = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      const { locked } = await response.json();
      answers[locked ? "locked" : "open"] += 1;
      if (locked) await unlocked.promise;
      await route.fulfill({ response });
    };
    await page.route("**/api/auth/me", hold);
    await page.keyboard.press("Shift+L");
    await lock(page).waitFor();
    // Coming back to a locked page asks, and so may the event of the lock.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await until(() => answers.locked > 0, { what: "the page to ask" });
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press("Enter");
    await lock(page).waitFor({ state: "detached" });
    unlocked.resolve();
    // After the unlock it asks, and once more for each answer that was out of date.
    await until(() => answers.open === answers.locked + 1, { what: "the page to ask once more" });
    await page.unroute("**/api/auth/me", hold);
    await isHome(page);
    expect(await lock(page).count()).toBe(0);
  });

  test("another browser is let in by its code, and turned away by a wrong one", async () => {
    const other = await openBrowser({ host: "localhost" });
    try {
      await page.goto(home);
      await isHome(page);
      await other.page.goto(home);
      await other.page.getByLabel("User name").fill(OWNER.username);
      await other.page.getByRole("button", { name: "Approve" }).click();
      await sees(other.page, "Waiting for your answer");
      await look(other.page);
      await sees(page, "Is this you signing in?");
      await look(page);
      const shown = await readCode(other.page);
      await page.getByLabel("Code on the other screen").fill(shown === "000000" ? "111111" : "000000");
      await page.getByRole("button", { name: "Let it in" }).click();
      await sees(other.page, "The other device said no");
      await page.getByRole("button", { name: "Close" }).last().click();
      await other.page.getByRole("button", { name: "Show a new code" }).click();
      await sees(other.page, "Waiting for your answer");
      // The yes must not be lost with one answer. It is given once, so nothing may end the call that fetches it.
      const [isThere, order]: [string, string[]] = ["asks whether the server is there", []];
      const fails = (what: string) => (route: Route) => {
        const isFirst = !order.includes(what);
        order.push(what);
        return isFirst ? route.abort() : route.continue();
      };
      await other.page.route(/\/api\/auth\/approve\/[^/]+$/, fails("asks for the yes"));
      await other.page.route(`${home}/`, fails(isThere));
      await page.getByLabel("Code on the other screen").fill(await readCode(other.page));
      await page.keyboard.press("Enter");
      await isHome(other.page);
      expect(order.slice(0, 4)).toEqual(["asks for the yes", isThere, isThere, "asks for the yes"]);
      expect(other.complaints).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("a scanned code signs the other screen in", async () => {
    const other = await openBrowser({ host: "localhost", width: 390, height: 844 });
    try {
      const made = other.page.waitForResponse((response) => response.url().endsWith("/api/auth/qr/generate"));
      await other.page.goto(home);
      await other.page.getByRole("button", { name: "Show a code" }).click();
      const { session_id } = await (await made).json();
      await sees(other.page, "New code in");
      await look(other.page);
      await page.goto(`${home}/approve/${session_id}`);
      await page.getByRole("button", { name: "Yes, sign it in" }).click();
      await sees(page, "The other screen is signed in");
      await isHome(other.page);
      await page.reload();
      await sees(page, "This code was used already");
      expect(other.complaints).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("a code of the app finishes the sign-in, and a recovery code does so once", async () => {
    await page.goto(`${home}/security`);
    await page.getByRole("button", { name: "Turn on" }).click();
    const secret = await page.locator("dialog .code.line code").textContent();
    const totp = new TOTP({ secret: Secret.fromBase32(secret ?? "") });
    await page.getByLabel("Code from the app").waitFor();
    // Typed, not filled in: the field has the focus by itself.
    await page.keyboard.type(totp.generate());
    await page.keyboard.press("Enter");
    await sees(page, "Save your recovery codes");
    await look(page);
    recovery = (await page.locator(".recovery li").first().textContent()) ?? "";
    expect(await page.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await page.getByLabel("Type one of them back").fill(recovery);
    await page.getByRole("button", { name: "Done" }).click();
    await sees(page, /10\srecovery codes left/);

    await device.answer(false);
    const recoverWith = async (code: string): Promise<void> => {
      await page.context().clearCookies();
      await page.goto(home);
      await signInByHand(page);
      await sees(page, "One more step");
      await page.getByRole("button", { name: "Use a recovery code" }).click();
      await page.getByLabel("Recovery code").fill(code);
      await page.keyboard.press("Enter");
    };
    await recoverWith(recovery);
    await isHome(page);
    await recoverWith(recovery);
    await sees(page, /wrong, used or too old/);
    await look(page);
    await device.answer(true);
  });

  test("two tabs: different parts come together, the same part asks", async () => {
    // The name field offers the passkey by itself; a holder who always answers is in without a press.
    await page.goto(home);
    await isHome(page);
    const tab = await browser.context.newPage();
    await tab.goto(home);
    const arrange = async (at: Page, part: string, key: string): Promise<void> => {
      await at.bringToFront();
      const grip = at.getByRole("button", { name: new RegExp(`^${part}, column`) });
      const before = await grip.getAttribute("aria-label");
      await grip.focus();
      await at.keyboard.press(key);
      await until(async () => (await grip.getAttribute("aria-label")) !== before, { what: `${part} to move` });
    };
    const begin = async (at: Page): Promise<void> => {
      await at.bringToFront();
      await at.getByRole("button", { name: "Arrange" }).click();
    };
    const save = async (at: Page): Promise<void> => {
      await at.bringToFront();
      await at.getByRole("button", { name: "Save" }).click();
    };
    await begin(page);
    await begin(tab);
    await look(page);
    await arrange(page, "Apps", "Shift+ArrowDown");
    await save(page);
    await page.getByRole("button", { name: "Arrange" }).waitFor();
    await arrange(tab, "This server", "Shift+ArrowDown");
    await save(tab);
    await sees(tab, "together with changes from another tab");

    await page.reload();
    await begin(page);
    await begin(tab);
    await arrange(page, "Apps", "Shift+ArrowDown");
    await save(page);
    await page.getByRole("button", { name: "Arrange" }).waitFor();
    await arrange(tab, "Apps", "Shift+ArrowUp");
    await save(tab);
    await sees(tab, "Changed in another tab");
    await tab.getByRole("button", { name: "Take theirs" }).click();
    await tab.getByRole("button", { name: "Arrange" }).waitFor();
    await tab.close();
  });

  test("on a phone a long name leaves what one can do with it in sight", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const [username, name] = [
      `${"long-name.".repeat(6)}ida`,
      "a key with the longest name that a key on this server can have",
    ];
    const send = (path: string, body: object) =>
      page.evaluate(`fetch(${OWN_PATH} + "/api/${path}", {
      method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(JSON.stringify(body))} })`);
    await send("users", { username, role: "viewer" });
    await send("keys", { name, scopes: "apps,monitoring" });
    const rightEdge = async (button: string): Promise<number> => {
      const box = await page.getByRole("button", { name: button }).boundingBox();
      return (box?.x ?? 999) + (box?.width ?? 0);
    };
    await page.goto(`${home}/users`);
    await page.getByRole("table", { name: "Users" }).waitFor();
    expect(await rightEdge(`More for ${username}`)).toBeLessThan(375);
    await page.goto(`${home}/security`);
    await page.getByRole("table", { name: "API keys" }).waitFor();
    expect(await rightEdge(`Revoke ${name}`)).toBeLessThan(375);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("every page of the chapter can be used by everybody, in both themes and on a phone", async () => {
    await page.bringToFront();
    for (const path of ["security", "profile", "users", "audit", "settings", ""]) {
      await show(page, `${home}/${path}`);
      await look(page);
      for (const fault of await sidewaysFaults(page)) faults.add(`${fault} on /${path}`);
    }
    expect(browser.complaints).toEqual([]);
    expect([...faults]).toEqual([]);
  });

  test("the way in works with the keyboard alone", async () => {
    const other = await openBrowser();
    try {
      // By its bare address: passkeys are off there and the page says why.
      const keyboard = other.page.keyboard;
      await other.page.goto(node.url);
      await sees(other.page, "they need a host name");
      await keyboard.type(OWNER.username);
      await keyboard.press("Tab");
      await keyboard.type("not the passphrase");
      await keyboard.press("Enter");
      await sees(other.page, "User name or passphrase is wrong.");
      await keyboard.type(OWNER.password);
      await keyboard.press("Enter");
      await sees(other.page, "One more step");
      expect(await other.page.locator(":focus").getAttribute("autocomplete")).toBe("one-time-code");
    } finally {
      await other.close();
    }
  });
});

async function readCode(page: Page): Promise<string> {
  return ((await page.locator(".bigcode").textContent()) ?? "").trim();
}
