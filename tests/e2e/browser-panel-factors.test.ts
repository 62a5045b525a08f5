import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient } from "../kit/client.ts";
import { sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { pressOn, typeInto } from "../kit/keyboard.ts";
import { look } from "../kit/look.ts";
import { addMember, enterPanel } from "../kit/panel-visitor.ts";
import { addAuthenticator, type VirtualAuthenticator } from "../kit/virtual-authenticator.ts";

const ADA = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const BOB = { name: "Bob", email: "bob@example.org", password: "correct horse battery" };

suite("second factors of people on a panel", ["chromium"], () => {
  let panel: NodeProcess;
  /** The address by a name, because keys need one. */
  let home: string;
  let browser: TestBrowser;
  let page: Page;
  let device: VirtualAuthenticator;
  let secret = "";
  let workspace = "";
  const isIn = () => page.getByRole("button", { name: /account of/ }).waitFor();
  const dialog = () => page.getByRole("dialog");
  const signOut = async (): Promise<void> => {
    // Else the page of the sign-in would be answered by the key at once.
    await device.answer(false);
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to your fleet" }).waitFor();
  };

  beforeAll(async () => {
    panel = await startNode({ binary: PANEL_BINARY });
    home = panel.url.replace("127.0.0.1", "localhost");
    const client = createClient(panel.url);
    const ada = await client.ok("POST /api/auth/register", ADA);
    await client.ok("POST /api/auth/register", BOB);
    workspace = ada.tenant_id;
    addMember(panel, workspace, BOB.email, "org_admin");
    browser = await openBrowser({ host: "localhost" });
    page = browser.page;
    device = await addAuthenticator(page);
    await device.answer(false);
    await page.goto(home);
    await enterPanel(page, ADA);
    await isIn();
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.dispose();
  });

  test("a key is added by keyboard, its codes are kept, an app follows", async () => {
    await page.goto(`${home}/security`);
    await page.getByRole("button", { name: "Add a key" }).waitFor();
    await look(page);
    await device.answer(true);
    await pressOn(page, "Add a key");
    await typeInto(page, "Name", "Laptop");
    await page.keyboard.press("Enter");
    await sees(page, "Save your recovery codes");
    const [code = ""] = await dialog().getByRole("listitem").allTextContents();
    await typeInto(page, "Type one of them back", code);
    await pressOn(page, "Done");
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("listitem").getByText("Laptop", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Set up an app" }).click();
    secret = (await dialog().locator("code").first().textContent()) ?? "";
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
    await page.getByLabel("Code from the app").fill(totp.generate());
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await sees(page, /^On since/);
    await look(page);
  });

  test("the workspace asks its members for one", async () => {
    await page.goto(`${home}/settings`);
    const rule = page.getByRole("switch", { name: /second factor/ });
    await rule.click();
    await sees(page, "Everybody here needs a second factor now.");
    expect(await rule.isChecked()).toBe(true);
    await look(page);
  });

  test("the passphrase alone leads to one more step, by app or by key", async () => {
    await signOut();
    await enterPanel(page, ADA);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await look(page);
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
    // The code that turned it on was used; the next one is taken a little early.
    await page.getByLabel("Code from your authenticator app").fill(totp.generate({ timestamp: Date.now() + 30_000 }));
    await isIn();

    await signOut();
    await enterPanel(page, ADA);
    await device.answer(true);
    await page.getByRole("button", { name: "Use a security key" }).click();
    await page.getByRole("button", { name: "Use a security key" }).and(page.locator(".wide")).click();
    await isIn();
  });

  test("a passkey opens the panel alone", async () => {
    await signOut();
    await page.getByRole("button", { name: "Passkey", exact: true }).waitFor();
    await device.answer(true);
    // Unless the browser was asked by the field for the address in this very moment, and went in by itself.
    await page.evaluate(
      `[...document.querySelectorAll("button")].find((one) => one.textContent === "Passkey")?.click()`,
    );
    await isIn();
  });

  test("with a new passphrase the keys that still open the account are told", async () => {
    await page.goto(`${home}/profile`);
    await typeInto(page, "Current passphrase", ADA.password);
    ADA.password = "another horse battery";
    await typeInto(page, "New passphrase", ADA.password);
    await page.keyboard.press("Enter");
    await sees(page, "1 security key still opens your account. Remove what is not yours.");
    await look(page);
    await page.getByRole("button", { name: "Look" }).click();
    await page.getByRole("heading", { name: "Security", exact: true }).waitFor();
  });

  test("a factor goes only after a proof that is not old", async () => {
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE sessions SET proven_at = 0");
    db.close();
    await page.goto(`${home}/security`);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Remove app" }).click();
    await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Use a security key" }).click();
    await sees(page, "The app no longer opens your account.");
    await sees(page, "Not set up");
    expect(browser.complaints).toEqual([]);
  });

  test("who manages the team has lost factors of a member taken off in a day, and can stop it", async () => {
    const name = "Carl Christian of the very long and winding name that goes on and on for 80 more";
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run(
      `INSERT INTO accounts (id, email, display_name, password_hash, has_factor, created_at)
       VALUES ('acc_carl', 'carl@example.org', ?, 'none', 1, 0)`,
      [name],
    );
    db.close();
    addMember(panel, workspace, "carl@example.org", "org_viewer");
    await page.goto(`${home}/team`);
    await page.getByRole("button", { name: `Reset second factors of ${name}` }).click();
    await look(page);
    await pressOn(page, "Reset in a day");
    await page.getByRole("heading", { name: "Second factors about to be removed" }).waitFor();
    await look(page);
    await page.getByRole("button", { name: `Stop the reset for ${name}` }).click();
    await page.getByRole("heading", { name: "Second factors about to be removed" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Reset second factors of ${name}` }).waitFor();
  });

  test("a member without one gets no further than adding one, or elsewhere", async () => {
    await signOut();
    await enterPanel(page, BOB);
    await isIn();
    await page.locator("button.who").click();
    await page.getByRole("button", { name: /Ada's workspace/ }).click();
    await page.getByRole("heading", { name: "Add a second factor" }).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Go to Bob's workspace" }).click();
    await isIn();
  });
});
