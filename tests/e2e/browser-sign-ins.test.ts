import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient, OWNER, setUp } from "../kit/client.ts";
import { arrives, enter, sees, signInByHand } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { accessFaults, sidewaysFaults } from "../kit/look.ts";
import { until } from "../kit/until.ts";

suite("signing in and out in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  const cookies = async () => (await browser.context.cookies()).map(({ name }) => name.replace(/~.*/, "")).sort();

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    await setUp(node.url);
    browser = await openBrowser();
    page = browser.page;
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("leads to the address that was wanted, with its query", async () => {
    await page.goto(`${node.url}/store?q=grafana`);
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await signInByHand(page, { ...OWNER, password: "not the passphrase" });
    await sees(page, /User name or passphrase is wrong/);
    await signInByHand(page);
    await page.getByRole("heading", { level: 1, name: "App store" }).waitFor();
    await arrives(page, "/store?q=grafana");
    await sees(page, "1 found");
  });

  test("an expired session is renewed without the reader noticing", async () => {
    await page.goto(`${node.url}/users`);
    await page.getByRole("table", { name: "Users" }).waitFor();
    await browser.context.clearCookies({ name: /^access_token~/ });
    await page.getByRole("button", { name: "Add user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Set one").click();
    await dialog.getByLabel("User name").fill("mara");
    await dialog.getByLabel("First passphrase").fill("a passphrase for mara");
    await dialog.getByRole("button", { name: "Add user" }).click();
    await sees(page, "mara can sign in now.");
    expect(await cookies()).toContain("access_token");
  });

  test("a session that is over for good leads to the sign-in page and back to the same place", async () => {
    await page.goto(`${node.url}/settings`);
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await browser.context.clearCookies();
    // The page asks for things by itself as well: it may notice before the click does, and is then still where it was.
    const users = page.getByRole("link", { name: "Users" }).first();
    await users.dispatchEvent("click", undefined, { timeout: 2_000 }).catch(() => null);
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    const { pathname } = new URL(page.url());
    await signInByHand(page);
    await page.getByRole("heading", { level: 1, name: pathname === "/users" ? "Users" : "Settings" }).waitFor();
    await arrives(page, pathname);
  });

  test("an app of the server is sent nothing that proves who its visitor is, and the page takes over what a link left for all paths", async () => {
    const sent = new Map<string, string[]>();
    let left: string[] = [];
    const app = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const names = (request.headers.get("cookie") ?? "").split("; ").map((pair) => pair.split("=")[0] ?? "");
        sent.set(new URL(request.url).pathname, names.toSorted());
        const leave = left.map((cookie) => `document.cookie = ${JSON.stringify(cookie)};`).join("");
        return new Response(`<script>${leave}fetch('/api/auth/x').then(() => { document.title = 'asked'; })</script>`, {
          headers: { "content-type": "text/html" },
        });
      },
    });
    const visitApp = async () => {
      sent.clear();
      const tab = await browser.context.newPage();
      await tab.goto(`http://127.0.0.1:${app.port}/`);
      await until(async () => (await tab.title()) === "asked");
      await tab.close();
      return Object.fromEntries([...sent].filter(([path]) => path !== "/favicon.ico"));
    };
    const hint = { "/": ["signed_in"], "/api/auth/x": ["signed_in"] };
    expect(await visitApp()).toEqual(hint);
    await enter(browser, node.url);
    expect((await visitApp())["/api/auth/x"]).toEqual(["access_token", "refresh_token", "signed_in"]);
    await page.goto(`${node.url}/settings`);
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(await visitApp()).toEqual(hint);
    // Nor does one that leaves cookies of somebody else have its visitor work as them.
    const mara = await createClient(node.url).ok("POST /api/auth/login", {
      username: "mara",
      password: "a passphrase for mara",
    });
    left = ["/", "/api", "/api/auth", "/api/auth/refresh"].flatMap((path) => [
      `access_token=${mara.access_token}; path=${path}`,
      `refresh_token=${mara.refresh_token}; path=${path}`,
    ]);
    left.push("signed_in=1; path=/");
    await visitApp();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.getByRole("button", { name: /account of owner/ }).waitFor();
    // Where it has pushed the page's own cookies out of the browser first, what it left is asked about.
    await page.goto("about:blank");
    await browser.context.clearCookies();
    await visitApp();
    await page.goto(`${node.url}/settings`);
    await page.getByRole("heading", { name: "This browser holds a session of mara" }).waitFor();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([await accessFaults(page), await sidewaysFaults(page)]).toEqual([[], []]);
    }
    await page.getByRole("button", { name: "Sign in as owner" }).click();
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    const { refresh_token } = mara;
    expect((await createClient(node.url).call("POST /api/auth/refresh", { refresh_token })).status).toBe(401);
    await browser.context.clearCookies();
    await signInByHand(page);
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await app.stop(true);
  });

  test("signing out ends the session on the server too", async () => {
    const refresh_token = (await browser.context.cookies()).find(({ name }) =>
      name.startsWith("refresh_token~"),
    )?.value;
    await page.getByRole("button", { name: /account of owner/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    expect(await cookies()).toEqual([]);
    const reply = await createClient(node.url).call("POST /api/auth/refresh", { refresh_token });
    expect(reply.status).toBe(401);
    await page.goBack();
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
  });

  test("a page that was signed out asks for nothing, and after the next sign-in hears of each thing once", async () => {
    await page.goto(node.url);
    await signInByHand(page);
    await page.getByRole("region", { name: "Live metrics" }).waitFor();
    await page.waitForResponse("**/api/system/metrics/live");
    await page.getByRole("button", { name: /account of owner/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    browser.refusals.length = 0;
    // It looks after its code every one and a half seconds, longer than the figures' second.
    await page.waitForResponse("**/api/auth/qr/status/*");
    expect(browser.refusals.filter((refusal) => refusal.includes("/metrics/"))).toEqual([]);
    const streams = page.waitForResponse("**/api/events/stream");
    await signInByHand(page);
    await streams;
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/auth/me")) asked += 1;
    });
    const { access_token } = await createClient(node.url).ok("POST /api/auth/login", OWNER);
    await createClient(node.url, access_token).ok("DELETE /api/auth/sessions");
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    expect(asked).toBe(1);
  });

  test("a session ends in all tabs at once, and one that signs in again does not wait for one that did not", async () => {
    await page.goto(node.url);
    await signInByHand(page);
    const live = (at: Page) => at.getByRole("region", { name: "Live metrics" });
    await live(page).waitFor();
    const other = await browser.context.newPage();
    await other.goto(node.url);
    await live(other).waitFor();
    await page.bringToFront();
    await page.getByRole("button", { name: /account of owner/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await signInByHand(other);
    await live(other).waitFor();
    const first = await live(other).textContent();
    await until(async () => (await live(other).textContent()) !== first, { what: "a live figure to move" });
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    await other.close();
  });

  test("five wrong passphrases make one wait, and the wait counts down", async () => {
    await browser.context.clearCookies();
    await page.goto(node.url);
    const alert = page.getByRole("alert");
    for (let attempt = 0; attempt < 6; attempt++) {
      const answered = page.waitForResponse("**/api/auth/login");
      await signInByHand(page, { ...OWNER, password: `wrong passphrase ${attempt}` });
      await answered;
      await alert.waitFor();
    }
    const timer = page.getByRole("timer");
    await timer.filter({ hasText: /Try again in 1[0-5]\smin/ }).waitFor();
    const before = await timer.textContent();
    await until(async () => (await timer.textContent()) !== before, { what: "the wait to count down" });
  });

  test("nothing but the expected was written to the console", () => {
    expect(browser.complaints).toEqual([]);
  });
});
