import { afterAll, beforeAll, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import type { BrowserContext, Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp, signIn } from "../kit/client.ts";
import { enter, sees, signInByHand } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { until } from "../kit/until.ts";

const MARA = { username: "mara", password: "quiet comets at noon" };

suite("two people in two browsers", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let second: BrowserContext;
  let hers: Page;

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
    const engine = browser.context.browser();
    if (!engine) throw new Error("the browser does not open a second profile");
    second = await engine.newContext({
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605",
    });
    hers = await second.newPage();
  });
  afterAll(async () => {
    await second?.close();
    await browser?.close();
    await node?.dispose();
  });

  test("an administrator adds a member; a weak passphrase and a taken name are refused with the reason", async () => {
    await page.goto(`${node.url}/users`);
    await page.getByRole("button", { name: "Add user" }).click();
    const dialog = page.getByRole("dialog", { name: "Add user" });
    const send = dialog.getByRole("button", { name: "Add user" });
    await dialog.getByText("Set one").click();
    await dialog.getByLabel("User name").fill("owner");
    await dialog.getByLabel("First passphrase").fill("password1");
    await send.click();
    await dialog.getByText(/attackers try first/).waitFor();
    await dialog.getByLabel("First passphrase").fill(MARA.password);
    await send.click();
    await dialog.getByText(/taken|already/i).waitFor();
    await dialog.getByLabel("User name").fill(MARA.username);
    await send.click();
    await sees(page, "mara can sign in now.");
    await page.getByRole("cell", { name: "mara" }).first().waitFor();
  });

  test("what is done elsewhere is on the page at once; a name that is too long is told before it is sent", async () => {
    await page.goto(`${node.url}/users`);
    const otto = page.getByRole("cell", { name: "otto" });
    await page.getByRole("cell", { name: "mara" }).first().waitFor();
    const elsewhere = await signIn(node.url);
    const body = { username: "otto", password: "a small blue lantern", role: "member" };
    const { id } = await elsewhere.ok("POST /api/users", body);
    await otto.first().waitFor();
    await elsewhere.ok(`DELETE /api/users/${id}`);
    await otto.first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add user" }).click();
    const dialog = page.getByRole("dialog", { name: "Add user" });
    await dialog.getByLabel("User name").fill("x".repeat(65));
    await dialog.getByText("At most 64 characters.").waitFor();
    expect(await dialog.getByRole("button", { name: "Add user" }).isDisabled()).toBe(true);
    await dialog.getByLabel("User name").fill("");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  test("a button at work keeps the focus and sends nothing twice", async () => {
    let sent = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/users", async (route) => {
      if (route.request().method() === "POST") {
        sent += 1;
        await held;
      }
      await route.continue();
    });
    await page.getByRole("button", { name: "Add user" }).click();
    const dialog = page.getByRole("dialog", { name: "Add user" });
    await dialog.getByText("Set one").click();
    await dialog.getByLabel("User name").fill("owner");
    await dialog.getByLabel("First passphrase").fill(MARA.password);
    await dialog.getByRole("button", { name: "Add user" }).press("Enter");
    await page.locator("button[aria-busy]:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    release();
    await dialog.getByText(/taken|already/i).waitFor();
    await page.locator("button:not([aria-busy]):focus", { hasText: "Add user" }).waitFor();
    expect(sent).toBe(1);
    await page.unroute("**/api/users");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  /** All that a hand can slip on: Escape, also twice, a press beside the dialog, and Back. */
  const slips = [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
    () => page.evaluate("history.back()"),
  ];

  test("what was typed is thrown away by Escape, a press beside it or Back only after a question", async () => {
    await page.goto(node.url);
    await page.getByRole("link", { name: "Users" }).first().click();
    await page.getByRole("button", { name: "Add user" }).click();
    const dialog = page.getByRole("dialog", { name: "Add user" });
    const question = page.getByRole("dialog", { name: "Discard what you typed?" });
    const name = dialog.getByLabel("User name");
    await name.fill("grace");
    for (const slip of slips) {
      await slip();
      await question.waitFor();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await question.waitFor({ state: "detached" });
      expect(await name.inputValue()).toBe("grace");
    }
    for (let count = 0; count < 4; count += 1) await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect([await name.inputValue(), new URL(page.url()).pathname]).toEqual(["grace", "/users"]);
    await page.keyboard.press("Escape");
    await question.waitFor();
    await look(page);
    await question.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add user" }).click();
    await name.fill("grace");
    await name.fill("");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("what is shown only once stays until it is said to be saved", async () => {
    await page.getByRole("button", { name: "Add user" }).click();
    await page.getByLabel("User name").fill("grace");
    await page.getByRole("dialog").getByRole("button", { name: "Add user" }).click();
    const dialog = page.getByRole("dialog", { name: "Link for grace" });
    await dialog.waitFor();
    for (const slip of [...slips, ...slips]) {
      await slip();
      await page.keyboard.press("Escape");
    }
    expect(await dialog.getByText(/\/invite#/).isVisible()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Close" }).count()).toBe(0);
    await look(page);
    await dialog.getByLabel("I saved it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/users");
  });

  test("she signs in, sees what she may and no dead end where she may not", async () => {
    await hers.goto(`${node.url}/users`);
    await signInByHand(hers, MARA);
    await hers.getByRole("heading", { level: 1 }).first().waitFor();
    await sees(hers, "Needs an administrator");
    await hers.getByRole("link", { name: "Go home" }).click();
    await hers.getByRole("region", { name: "Live metrics" }).waitFor();
    await hers.goto(`${node.url}/store`);
    await sees(hers, "All apps");
    expect(await hers.getByRole("button", { name: /^Install / }).count()).toBe(0);
    for (const path of ["/", "/apps", "/store?app=nextcloud", "/security", "/settings"]) {
      await hers.goto(node.url + path);
      await hers.getByRole("heading", { level: 1 }).first().waitFor();
      await until(async () => (await hers.getByRole("status", { name: "Loading" }).count()) === 0);
      expect([path, await hers.getByText(/did not load|Try again/).count()]).toEqual([path, 0]);
    }
  });

  test("a session that is ended elsewhere ends here", async () => {
    await page.goto(`${node.url}/security`);
    const other = await signIn(node.url);
    await page.reload();
    const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
    await rows.nth(3).waitFor();
    const before = await rows.count();
    await rows.filter({ hasNotText: "This one" }).nth(1).getByRole("button").click();
    await sees(page, /Signed out on/);
    expect(await rows.count()).toBe(before - 1);
    const owner = await signIn(node.url);
    const left = await owner.ok("GET /api/auth/sessions");
    expect(left.length).toBe(before - 1);
    expect(other.token).not.toBe("");
  });

  test("who may no longer sign in lands on the sign-in page with the next click", async () => {
    await hers.goto(`${node.url}/apps`);
    await hers.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
    await page.goto(`${node.url}/users`);
    await page.getByRole("switch", { name: "mara may sign in" }).uncheck();
    await sees(page, "mara changed.");
    // Her page asks for things by itself as well: it may notice before the click does.
    const security = hers.getByRole("link", { name: "Security" }).first();
    await security.dispatchEvent("click", undefined, { timeout: 2_000 }).catch(() => null);
    await hers.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await signInByHand(hers, MARA);
    await hers.getByRole("alert").waitFor();
  });

  test("an invitation opens for whom it is for, also when it is put in the place of another", async () => {
    const owner = await signIn(node.url);
    const links: string[] = [];
    for (const username of ["ann", "ben"])
      links.push((await owner.ok("POST /api/users/invites", { username, role: "member" })).link);
    await second.clearCookies();
    const guest = await second.newPage();
    await guest.goto(`${node.url}${links[0]}`);
    await guest.getByRole("heading", { name: /ann$/ }).waitFor();
    await guest.goto(`${node.url}${links[1]}`);
    await guest.getByRole("heading", { name: /ben$/ }).waitFor();
    await guest.getByLabel("New passphrase").fill("quiet noon with comets");
    await guest.keyboard.press("Enter");
    await guest.getByRole("button", { name: /account of ben/ }).waitFor();
    await guest.close();
  });

  test("links that wait are below the users, and one that is withdrawn opens no more", async () => {
    const owner = await signIn(node.url);
    const username = `zoe-${"long".repeat(14)}`;
    const { link } = await owner.ok("POST /api/users/invites", { username, role: "member" });
    await page.goto(`${node.url}/users`);
    const card = page.getByRole("region", { name: "Links that wait" });
    await card.getByText("Made by owner").first().waitFor();
    await look(page);
    await page.getByRole("button", { name: `Withdraw the link for ${username}` }).click();
    await sees(page, `The link for ${username} opens nothing any more.`);
    await until(async () => (await page.getByRole("button", { name: /^Withdraw the link for zoe/ }).count()) === 0);
    const guest = await second.newPage();
    await guest.goto(`${node.url}${link}`);
    await sees(guest, "This invitation does not open");
    await guest.close();
  });

  test("a link that resets a passphrase asks for the second factor too", async () => {
    const [owner, cleo] = [await signIn(node.url), { username: "cleo", password: "quiet noon with comets" }];
    const { id } = await owner.ok("POST /api/users", { ...cleo, role: "member" });
    const session = await signIn(node.url, cleo);
    const { secret } = await session.ok("POST /api/auth/totp/enable");
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await session.ok("POST /api/auth/totp/verify", { code: totp.generate() });
    const { link } = await owner.ok(`POST /api/users/${id}/invite`);
    const guest = await second.newPage();
    await guest.goto(`${node.url}${link}`);
    await guest.getByLabel("New passphrase").fill("comets at quiet noon");
    await guest.keyboard.press("Enter");
    await sees(guest, "Your passphrase is set. One more step: your second factor.");
    await guest.getByLabel("Code from your authenticator app").waitFor();
    await look(guest);
    // A code counts once, so the next one is due. Typed, not filled in: the field has the focus by itself.
    await guest.keyboard.type(totp.generate({ timestamp: Date.now() + 30_000 }));
    await guest.getByRole("button", { name: /account of cleo/ }).waitFor();
    await guest.close();
    await owner.ok(`DELETE /api/users/${id}`);
  });

  test("the open tab of the settings is in sight, also after the window was turned", async () => {
    await page.goto(`${node.url}/settings/plan`);
    await page.getByRole("heading", { level: 1, name: "Plan" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const tab = page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Plan" });
    await until(async () => {
      const box = await tab.boundingBox();
      return box !== null && box.x > 0 && box.x + box.width < 390;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("nobody may lock himself out", async () => {
    await page.goto(`${node.url}/users`);
    expect(await page.getByRole("switch", { name: "owner may sign in" }).isDisabled()).toBe(true);
    expect(await page.getByRole("combobox", { name: "Role of owner" }).isDisabled()).toBe(true);
    expect(browser.complaints).toEqual([]);
  });
});
