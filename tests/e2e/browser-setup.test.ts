import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { OWNER, signIn } from "../kit/client.ts";
import { arrives, sees, temporaryFolder } from "../kit/dashboard.ts";
import { removeLabelled } from "../kit/docker.ts";
import { suite } from "../kit/env.ts";
import { writeTestTemplates } from "../kit/templates.ts";

suite("a fresh node in a browser", ["chromium", "docker", "registry", "images"], () => {
  const templates = temporaryFolder("templates");
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    // One of the apps that the wizard offers, with an image that is here.
    writeTestTemplates(templates.path, [{ name: "vaultwarden", image: "web" }]);
    browser = await openBrowser();
    page = browser.page;
  });
  afterAll(async () => {
    await browser?.close();
    templates.remove();
  });
  afterEach(async () => {
    await browser.context.clearCookies();
    await page.goto("about:blank");
  });

  test("leads from the owner to a home page with a running app", async () => {
    node = await startNode({ env: { ORRERY_TEMPLATES_DIR: templates.path } });
    await page.goto(node.url);
    await sees(page, "Who owns this server?");
    const next = page.getByRole("button", { name: "Continue" });
    await page.getByLabel("User name").fill(OWNER.username);
    const passphrase = page.getByLabel("Passphrase", { exact: true });

    await passphrase.fill(OWNER.password);
    await page.getByRole("img", { name: /Strong|Very strong/ }).waitFor();
    await passphrase.fill("password1");
    await page.getByRole("img", { name: /Easy to guess/ }).waitFor();
    await next.click();
    await sees(page, /passwords that attackers try first/i);
    expect(await passphrase.getAttribute("aria-invalid")).toBe("true");
    await passphrase.fill(OWNER.password);
    await page.getByRole("img", { name: /Strong|Very strong/ }).waitFor();
    expect(await passphrase.getAttribute("aria-invalid")).toBeNull();
    await next.click();

    await page.getByRole("heading", { name: "Name your server" }).waitFor();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("-attic");
    await sees(page, "Not starting or ending with a hyphen.");
    expect(await next.isDisabled()).toBe(true);
    await name.fill("attic");
    // Back leads out of the wizard, never to a dashboard as if all were done; what was typed is there again.
    await page.goBack();
    expect(page.url()).toBe("about:blank");
    await page.goForward();
    await page.getByRole("heading", { name: "Name your server" }).waitFor();
    expect(await name.inputValue()).toBe("attic");
    await page.getByLabel("Personal").check();
    await next.click();

    await page.getByRole("heading", { name: "Start with a few apps" }).waitFor();
    await page.getByRole("checkbox", { name: /vaultwarden/i }).check();
    await sees(page, /Uses .* of .* free memory/);
    await page.getByRole("button", { name: "Install 1 app" }).click();
    await page.getByRole("heading", { name: /Installing|All set/ }).waitFor();
    // A phone that drops the page comes back to what was ordered.
    await page.reload();
    await page.getByText("Vaultwarden").first().waitFor();
    await page.getByRole("heading", { name: "All set" }).waitFor({ timeout: 30_000 });
    await page.getByRole("button", { name: "Go to the home page" }).click();

    await arrives(page, "/");
    await page
      .getByRole("link", { name: /vaultwarden/i })
      .first()
      .waitFor();
    expect(await page.title()).toContain("attic");
    expect(browser.complaints).toEqual([]);

    const owner = await signIn(node.url);
    expect(await owner.ok("GET /api/auth/lock-info")).toMatchObject({ hostname: "attic", setup_required: false });
    const apps = await owner.ok("GET /api/apps");
    await node.dispose();
    for (const { id } of apps) await removeLabelled(`orrery.app=${id}`);
  });

  test("asks for the claim token where the installer left one", async () => {
    const data = temporaryFolder("claimed");
    writeFileSync(join(data.path, "claim-token"), "orbit-4711-comet\n", { mode: 0o600 });
    node = await startNode({ dataDir: data.path });
    await page.goto(node.url);
    const token = page.getByLabel("Claim token");
    await token.fill("orbit-4711-comets");
    await page.getByLabel("User name").fill(OWNER.username);
    await page.getByLabel("Passphrase", { exact: true }).fill(OWNER.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await sees(page, "claim token is missing or wrong");
    expect(await token.getAttribute("aria-invalid")).toBe("true");
    await token.fill("orbit-4711-comet");
    expect(await token.getAttribute("aria-invalid")).toBeNull();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Name your server" }).waitFor();
    await node.dispose();
  });

  test("a second window finds the sign-in page once the owner exists", async () => {
    node = await startNode();
    await page.goto(node.url);
    await sees(page, "Who owns this server?");
    await browser.context.request.post(`${node.url}/api/auth/setup`, { data: OWNER });
    await page.getByLabel("User name").fill("stranger");
    await page.getByLabel("Passphrase", { exact: true }).fill("a passphrase of their own");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await node.dispose();
  });
});
