import { afterAll, beforeAll, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { OWNER, setUp } from "../kit/client.ts";
import { enter, signInByHand } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { until } from "../kit/until.ts";

const PATHS = ["/", "/apps", "/store", "/users", "/disks", "/timeline", "/security", "/settings", "/nowhere", "/__ui"];

/** An address of this machine that other machines would use, if it has one. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address;

suite("what a browser may expect of the pages", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  beforeAll(async () => {
    node = await startNode({ listen: "0.0.0.0:0", env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    node.url = `http://127.0.0.1:${new URL(node.url).port}`;
    await setUp(node.url);
    browser = await openBrowser({ loadsAhead: true, ...(outside === undefined ? {} : { host: outside }) });
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("no page writes an error, breaks its own policy, asks elsewhere or is refused anything", async () => {
    const { page } = browser;
    await enter(browser, node.url);
    for (const path of PATHS) {
      await page.goto(node.url + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForLoadState("load");
    }
    expect(browser.complaints).toEqual([]);
    expect(browser.refusals).toEqual([]);
  });

  test("the policy is really there: a style and a script that slip in are refused and would be noticed", async () => {
    const { page } = browser;
    const before = browser.complaints.length;
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", "<p style='color:red' onclick='1'>x</p>");
      const slipped = document.createElement("script");
      slipped.textContent = "window.slipped = true";
      document.body.append(slipped);`);
    expect(await page.evaluate("window.slipped")).toBeUndefined();
    // One for each: the style, the handler and the script.
    await until(() => browser.complaints.length >= before + 3, { what: "all three to be refused" });
    for (const line of browser.complaints.splice(before)) expect(line).toContain("Content Security Policy");
  });

  test.skipIf(outside === undefined)(
    "an app is put on the network when its page could not be opened from this machine otherwise",
    async () => {
      const { page } = browser;
      const installOf = async (base: string) => {
        const reply = await browser.context.request.post(`${base}/api/auth/login`, { data: OWNER });
        expect(reply.ok()).toBe(true);
        await page.goto(`${base}/store?q=vaultwarden`);
        await page.getByRole("button", { name: "Install Vaultwarden" }).click();
        return page.getByRole("dialog", { name: "Install Vaultwarden" });
      };
      const near = await installOf(node.url);
      await near.getByRole("radio", { name: "This server only" }).waitFor();
      expect(await near.getByRole("radio", { name: "This server only" }).isChecked()).toBe(true);
      const far = await installOf(`http://${outside}:${new URL(node.url).port}`);
      await far.getByText(/Everybody who can reach this server/).waitFor();
      expect(await far.getByRole("radio", { name: "Your network" }).isChecked()).toBe(true);
      await far.getByText("This server only", { exact: true }).click();
      await far.getByText(/You are on another machine/).waitFor();
    },
    120_000,
  );

  test("a visitor who is not signed in sees no error in the console either", async () => {
    const { page } = browser;
    await browser.context.clearCookies();
    browser.refusals.length = 0;
    await page.goto(node.url);
    await page.getByRole("heading", { name: /Sign in to/ }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("everything works over plain http from another machine's point of view", async () => {
    if (outside === undefined) return;
    const { page } = browser;
    const url = node.url.replace("127.0.0.1", outside);
    await page.goto(url);
    expect(await page.evaluate("isSecureContext")).toBe(false);
    await signInByHand(page, OWNER);
    const figure = page.getByRole("region", { name: "Live metrics" });
    await figure.waitFor();
    const first = await figure.textContent();
    await until(async () => (await figure.textContent()) !== first, { what: "a live figure to move" });
    for (const path of PATHS) {
      await page.goto(url + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    }
    expect(browser.complaints).toEqual([]);
  });

  test("a part of the page that does not come is asked for once more, then a reload is offered; the page is never empty", async () => {
    const { page } = browser;
    await enter(browser, node.url);
    const part = /\/assets\/users-[^/]*\.js$/;
    let asked = 0;
    let isCut: (time: number) => boolean = (time) => time === 1;
    await page.route(part, (route) => (isCut(++asked) ? route.abort("connectionreset") : route.continue()));
    await page.goto(`${node.url}/users`);
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    expect(asked).toBe(2);

    isCut = () => true;
    await page.goto(`${node.url}/users`);
    await page.getByRole("heading", { level: 1, name: "This page did not load" }).waitFor();
    isCut = () => false;
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();

    const program = /\/assets\/main-[^/]*\.js$/;
    await page.route(program, (route) => route.abort("connectionreset"));
    await page.goto(`${node.url}/users`);
    await page.getByText("A part of this page is missing.").waitFor();
    await page.unroute(program);
    await page.getByRole("link", { name: "Load it again" }).click();
    await page.getByRole("heading", { level: 1 }).first().waitFor();
  });

  test("what is chosen among the commands stays chosen when more of them come", async () => {
    const { page } = browser;
    await enter(browser, node.url);
    const release = Promise.withResolvers<void>();
    await page.route("**/api/templates", async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(`${node.url}/users`);
    await page.getByRole("table", { name: "Users" }).waitFor();
    await page.keyboard.press("Control+k");
    // The list ends at 40, so these letters fit few things: pages that are there at once, and apps that come later.
    await page.keyboard.type("app");
    const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
    await options.nth(2).waitFor();
    for (let press = 0; press < 2; press++) await page.keyboard.press("ArrowDown");
    const chosen = () => page.locator("[role=option][aria-selected=true] .cut").textContent();
    const [name, count] = [await chosen(), await options.count()];
    release.resolve();
    await until(async () => (await options.count()) > count, { what: "more commands" });
    expect(await chosen()).toBe(name);
    await page.unroute("**/api/templates");
    await page.keyboard.press("Escape");
  });

  test("a menu stays open when the scroll that brought its button into view is told late", async () => {
    const { page } = browser;
    await enter(browser, node.url);
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.goto(`${node.url}/settings`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const isOpen = `(async () => {
      scrollTo(0, 120);
      document.querySelector("button.account").click();
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return scrollY === 120 && document.querySelector(":popover-open") !== null;
    })()`;
    expect(await page.evaluate<boolean>(isOpen)).toBe(true);
    await page.mouse.wheel(0, 40);
    await page.locator(":popover-open").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("assets are immutable and found or refused, the page is fresh each time", async () => {
    const pages = await Promise.all([0, 1].map(() => fetch(node.url)));
    const [first = "", second = ""] = await Promise.all(pages.map((page) => page.text()));
    for (const page of pages) {
      expect(page.headers.get("cache-control")).toContain("no-store");
      expect(page.headers.get("content-security-policy")).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
    }
    const nonces = pages.map((page) => /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "")?.[1]);
    expect(new Set(nonces).size).toBe(2);
    expect(first).toContain(nonces[0] ?? "?");
    expect(second).toContain(nonces[1] ?? "?");

    const assets = [...first.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|woff2))"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const asset = await fetch(node.url + path);
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get("cache-control")).toContain("immutable");
      const gone = await fetch(node.url + path?.replace(/-[\w-]+(\.\w+)$/, "-XXXXXXXX$1"));
      expect([path, gone.status]).toEqual([path, 404]);
      expect(gone.headers.get("content-type") ?? "").not.toContain("html");
    }
  });
});
