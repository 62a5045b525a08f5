import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { arrives, enter, sees } from "../kit/dashboard.ts";
import { suite, testEnv } from "../kit/env.ts";
import { startGuardedRegistry } from "../kit/guarded-registry.ts";
import { look } from "../kit/look.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { pushVersion } from "../kit/push-image.ts";
import { until } from "../kit/until.ts";

const LONG = `a-name-${"that-is-long-".repeat(6)}x`;
const VIEWER = { username: "grace", password: "a long enough passphrase" };

suite("containers in the browser", ["chromium", "docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let owner: Client;
  let tries = 0;
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  /** A test may have stopped or removed it. */
  async function shopRuns(): Promise<void> {
    const made = [
      ...["run", "-d", "--name", "shop", "-p", "18097:8080", "-v", "shop-data:/data"],
      ...["-e", "DB_PASSWORD=hunter2", "-e", "COLOUR=red", testEnv().images.web],
    ];
    await engine.docker("start", "shop").catch(() => engine.docker(...made));
  }

  beforeAll(async () => {
    engine = await startOwnEngine(96);
    await shopRuns();
    await engine.docker("create", "--name", LONG, "--label", "com.docker.compose.project=media", testEnv().images.web);
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: engine.socket } });
    owner = await setUp(node.url);
    await owner.ok("POST /api/users", { ...VIEWER, role: "viewer" });
    await until(async () => (await owner.ok("GET /api/system/runtime")).state === "ok", { what: "the engine" });
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    for (const name of ["shop", "kiosk", "dated", LONG])
      await engine?.docker("rm", "-f", name).catch(() => "it is gone");
    await engine?.dispose();
  });

  test("the list shows what runs, where it opens and whose it is, and is searched", async () => {
    await page.goto(`${node.url}/containers`);
    await page.getByRole("row", { name: /shop.*Running/ }).waitFor();
    expect(await page.getByRole("link", { name: "18097 → 8080" }).getAttribute("href")).toContain(":18097/");
    await page.getByRole("row", { name: /media/ }).waitFor();
    // It has about a megabyte, so that either word may stand there.
    await page.getByRole("row", { name: /shop.*Running.*%.*[kM]B/ }).waitFor();
    await look(page);
    await page.getByPlaceholder("Name, image, port").or(page.getByLabel("Name, image, port")).first().fill("18097");
    await page.getByRole("row", { name: /media/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /shop/ }).waitFor();
  });

  test("a Compose file is planned with its mistakes named, deployed, changed and removed", async () => {
    const stand = `stand-${++tries}`;
    await page.goto(`${node.url}/containers?tab=compose`);
    await sees(page, "Not started from here");
    await look(page);
    await button("New project").click();
    await page.getByLabel("Name", { exact: true }).fill(stand);
    const area = page.getByLabel("Compose file");
    const file = (more: string) => `services:\n  lamp:\n    image: ${testEnv().images.web}\n${more}`;
    await area.fill(file("    build: .\n"));
    await button("Show what this does").click();
    await sees(page, "services.lamp.build: this key is not supported");
    await look(page);
    // The line is marked, and the button goes there.
    await page.locator(".cm-lint-marker-error").waitFor();
    await button("Line 4").click();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Compose file");
    expect(await page.evaluate("getSelection().toString()")).toBe("build: .");
    // What is no YAML is marked while it is written; Tab indents, and leaves after Esc.
    await area.fill("services:\n  lamp: [");
    await page.locator(".cm-lintRange-error").waitFor();
    await look(page);
    await area.fill("services:");
    await area.press("Home");
    await area.press("Tab");
    expect(await area.textContent()).toBe("  services:");
    await area.press("Escape");
    await area.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Variables (.env)");
    // A file that the Compose file includes.
    await button("Add a file that it names").click();
    await page.getByLabel("Path in the project").fill("parts/lamp.yaml");
    await page.getByLabel("Text", { exact: true }).fill("services:\n  other: { image: x, build: . }\n");
    await area.fill(`include: [parts/lamp.yaml]\n${file("")}`);
    await button("Show what this does").click();
    await sees(page, "services.other.build: this key is not supported");
    await look(page);
    await button("Line 2").click();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Text");
    await button("Remove parts/lamp.yaml").click();
    await area.fill(file('    volumes: ["/usr/share:/shared:ro"]\n'));
    await button("Show what this does").click();
    await sees(page, "lamp is made and started");
    await look(page);
    expect(await button("Deploy").isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: /^lamp reads the folder .usr.share/ }).check();
    await button("Deploy").click();
    await button("To the projects").click();
    await sees(page, "1 of 1 running");
    await button(`More about ${stand}`).click();
    await page.getByRole("menuitem", { name: "Let go of it" }).click();
    await look(page);
    await button("Let go").click();
    await page.getByRole("listitem").filter({ hasText: stand }).getByRole("button", { name: "Take over" }).click();
    await sees(page, new RegExp(`This is the file .*compose.${stand}.compose.yaml`));
    await button("Show what this does").click();
    await sees(page, "lamp stays as it is");
    await look(page);
    await page.getByRole("checkbox", { name: /^lamp reads the folder/ }).check();
    await button("Take over").click();
    await button("To the projects").click();
    await page.getByRole("link", { name: stand }).click();
    await area.fill(file('    volumes: ["/usr/share:/other:ro"]\n'));
    await button("Show what this does").click();
    await sees(page, "lamp is made anew");
    await page
      .getByRole("listitem")
      .filter({ hasText: /Added:.*other:ro/ })
      .waitFor();
    await look(page);
    await button("Back").click();
    await button(`More about ${stand}`).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await look(page);
    await button("Remove").last().click();
    await button("To the projects").click();
    await page.getByText(stand, { exact: true }).waitFor({ state: "detached" });
  });

  test("details say what it was made with, but no passwords; its log is there", async () => {
    await shopRuns();
    await page.goto(`${node.url}/containers`);
    await button("shop").click();
    const drawer = page.getByRole("dialog", { name: "shop" });
    await drawer.getByText("Secret, not shown").waitFor();
    await drawer.getByText("shop-data").waitFor();
    expect(await page.content()).not.toContain("hunter2");
    await look(page);
    await drawer.getByText("Log", { exact: true }).click();
    await drawer.getByLabel("shop log").waitFor();
    await look(page);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await arrives(page, "/containers");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("shop");
    await page.getByRole("option", { name: /shop/ }).first().click();
    await drawer.waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  test("the page of logs shows any container's lines, found by their text; the system's say what is there or what to do", async () => {
    // Only the newest lines are in the page.
    const line = "INFO tick";
    await page.goto(`${node.url}/logs`);
    const lines = page.getByRole("log", { name: "Lines, the newest last" });
    const isAnswered = lines.or(page.getByText(/journalctl|No line fits|could not read/)).first();
    await isAnswered.waitFor();
    await look(page);
    await page.getByLabel("Source").selectOption("shop");
    await lines.getByText(line).first().waitFor();
    await look(page);
    await page.getByLabel("Text in the line").fill("no such words");
    await sees(page, "No line fits");
    await page.getByLabel("Text in the line").fill(line);
    await lines.locator("mark").first().waitFor();
    expect(new URL(page.url()).searchParams.get("source")).toBe("docker:shop");
    await page.getByLabel("Regular expression").first().check();
    await page.getByRole("searchbox", { name: "Regular expression" }).fill("(");
    await sees(page, "not closed");
    await page.getByRole("searchbox", { name: "Regular expression" }).fill("\\w+");
    await lines.getByText(line).first().waitFor();
    await button("Pause").click();
    await button("Follow").waitFor();
  });

  test("a terminal opens on a shell, follows the window, is left by the keyboard and says when the shell ended", async () => {
    await shopRuns();
    await page.goto(`${node.url}/containers`);
    await button("shop").click();
    await page.getByRole("dialog", { name: "shop" }).getByRole("link", { name: "Terminal" }).click();
    await page.getByLabel("Terminal in shop").waitFor();
    const rows = page.locator(".xterm-rows");
    const tab = page.getByRole("tab", { name: "1 · shop" });
    await page.keyboard.type("printf '\\033[38;2;200;40;40mred\\033[0m '; echo sum-$((6*7)); stty size\n");
    await rows.getByText("sum-42").waitFor();
    await rows.getByText(/^[1-9]\d* [1-9]\d\d*$/).waitFor();
    await look(page);
    await page.getByLabel("For screen readers").check();
    await page.getByLabel("Terminal in shop").focus();
    await page.keyboard.press("Shift+F6");
    expect(await page.locator(":focus").textContent()).toBe(await tab.textContent());
    await page.getByLabel("Terminal in shop").focus();
    await page.keyboard.type("exit 3\n");
    await sees(page, "The shell has ended with exit code 3.");
    await look(page);
    await button("Open again").click();
    await button("Another").click();
    await page.getByRole("tab", { name: "2 · shop", selected: true }).press("ArrowLeft");
    await tab.and(page.locator('[aria-selected="true"]')).waitFor();
    await button("Close").click();
    await page.getByRole("tab", { name: "1 · shop", selected: true }).waitFor();
    await button("Close").click();
    await button("Open").waitFor();
  });

  test("it is stopped and started from the list, and changes from elsewhere are seen", async () => {
    await shopRuns();
    await page.goto(`${node.url}/containers`);
    await button("Stop shop").click();
    await page.getByRole("row", { name: /shop.*Stopped/ }).waitFor({ timeout: 30_000 });
    await button("Start shop").click();
    await page.getByRole("row", { name: /shop.*Running/ }).waitFor({ timeout: 30_000 });
    await engine.docker("stop", "-t", "20", "shop");
    await page.getByRole("row", { name: /shop.*Stopped/ }).waitFor({ timeout: 30_000 });
    await engine.docker("start", "shop");
    await page.getByRole("row", { name: /shop.*Running/ }).waitFor({ timeout: 30_000 });
  });

  test("an image is pulled with its steps, and unused ones make room", async () => {
    await shopRuns();
    const { crash } = testEnv().images;
    await engine.docker("pull", crash);
    await engine.docker("tag", crash, "spare:1");
    await page.goto(`${node.url}/containers?tab=images`);
    await page.getByRole("row", { name: /spare:1/ }).waitFor();
    await look(page);
    await button("Pull image").click();
    const dialog = page.getByRole("dialog", { name: "Pull an image" });
    await dialog.getByLabel("Image").fill("https://example.org/x");
    await dialog.getByRole("button", { name: "Pull" }).click();
    await dialog.getByText(/without https/).waitFor();
    await dialog.getByLabel("Image").fill(testEnv().images.sick);
    await dialog.getByRole("button", { name: "Pull" }).click();
    await page.getByRole("dialog", { name: "The image is here" }).waitFor({ timeout: 60_000 });
    await look(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await button("Make room").click();
    await look(page);
    await button("Remove them").click();
    await page.getByRole("row", { name: /spare:1/ }).waitFor({ state: "detached", timeout: 30_000 });
    await page.getByRole("row", { name: /shop/ }).waitFor();
  });

  test("a newer image is looked for, pulled, and how a container comes to it is said", async () => {
    const [name, tag] = ["orrery-test/dated", `b${process.pid}`];
    const image = `${testEnv().registry}/${name}:${tag}`;
    await pushVersion(name, tag, "1");
    await engine.docker("pull", image);
    await engine.docker("create", "--name", "dated", image, "nothing");
    await pushVersion(name, tag, "2");
    await page.goto(`${node.url}/containers?tab=images`);
    const close = () => page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    const row = page.getByRole("row", { name: /dated/ });
    await row.getByText("Not asked").waitFor();
    await button("Check now").click();
    await sees(page, "There is a newer image of 1 name.");
    await look(page);
    await close();
    await row.getByText("Newer image").waitFor();
    await sees(page, "asked just now");
    await look(page);
    await button(`Pull ${image}`).click();
    await button("Pull").click();
    await sees(page, "The image is here");
    await close();
    await row.getByText("Pulled, not used").waitFor();
    await page.getByRole("link", { name: "How to use it for dated" }).click();
    await sees(page, "Remove the container and run it anew with the same settings.");
    await look(page);
    await engine.docker("rm", "dated");
  });

  test("a registry of one's own network has to be meant, and its test tells what is in the way", async () => {
    for (const { id } of await owner.ok("GET /api/containers/registries"))
      await owner.ok(`DELETE /api/containers/registries/${id}`);
    const guard = startGuardedRegistry("basic");
    await page.goto(`${node.url}/containers?tab=images`);
    await sees(page, "Images that everybody may have need no login");
    await look(page);
    await button("Add registry").click();
    const dialog = page.getByRole("dialog", { name: "Add registry" });
    await dialog.getByLabel("Address").fill(guard.address);
    await dialog.getByLabel("User name").fill(LONG);
    await dialog.getByLabel("Password or token", { exact: true }).fill("not it");
    await dialog.getByRole("button", { name: "Add and test" }).click();
    await dialog.getByText(/is an address of this machine/).waitFor();
    await look(page);
    await dialog.getByLabel("This registry in my own network is meant").check();
    await dialog.getByRole("button", { name: "Add and test" }).click();
    await page.getByText(/refuses the login/).waitFor();
    await look(page);
    await button(`Remove ${guard.address}`).click();
    await button("Remove login").click();
    await sees(page, "Images that everybody may have need no login");
    await guard.stop();
  });

  test("a volume goes only by its name, a network on a question", async () => {
    await shopRuns();
    await engine.docker("volume", "create", "lonely");
    await engine.docker("network", "create", "backstage").catch(() => "a try before has left it");
    await page.goto(`${node.url}/containers?tab=volumes`);
    await page.getByRole("row", { name: /shop-data/ }).waitFor();
    expect(await button("Remove shop-data").count()).toBe(0);
    await look(page);
    await button("Remove lonely").click();
    expect(await button("Remove for good").isDisabled()).toBe(true);
    await page.getByLabel("Type lonely to confirm").fill("lonely");
    await look(page);
    await button("Remove for good").click();
    await page.getByRole("row", { name: /lonely/ }).waitFor({ state: "detached" });
    await page.goto(`${node.url}/containers?tab=networks`);
    await look(page);
    expect(await button("Remove bridge").count()).toBe(0);
    await button("Remove backstage").click();
    await button("Remove").click();
    await page.getByRole("row", { name: /backstage/ }).waitFor({ state: "detached" });
  });

  test("a container is run from a form, whose lines say what is wrong with them", async () => {
    await engine.docker("rm", "-f", "kiosk");
    await page.goto(`${node.url}/containers`);
    await button("Run").click();
    const dialog = page.getByRole("dialog", { name: "Run a container" });
    await dialog.getByLabel("Image").fill(testEnv().images.web);
    await dialog.getByLabel("Name", { exact: true }).fill("kiosk");
    await dialog.getByLabel("Ports", { exact: true }).fill("8080");
    await dialog.getByText("“8080” is not written like 8080:80.").waitFor();
    await dialog.getByLabel("Ports", { exact: true }).fill("18096:8080");
    await dialog.getByLabel("Environment").fill("GREETING=hello there");
    await dialog.getByLabel("Volumes").fill("kiosk-data:/data");
    await look(page);
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog", { name: "kiosk is running" }).waitFor({ timeout: 60_000 });
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /kiosk.*Running/ }).waitFor();
    await engine.docker("rm", "-f", "kiosk");
    await page.getByRole("row", { name: /kiosk/ }).waitFor({ state: "detached", timeout: 30_000 });
  });

  test("a container that runs is removed by typing its name", async () => {
    await shopRuns();
    await page.goto(`${node.url}/containers?container=shop`);
    await page.getByRole("dialog", { name: "shop" }).getByRole("button", { name: "Remove" }).click();
    await page.getByLabel("Type shop to confirm").fill("shop");
    await button("Kill and remove").click();
    await page.getByRole("row", { name: /shop/ }).waitFor({ state: "detached", timeout: 30_000 });
    expect(await engine.docker("volume", "ls", "-q")).toContain("shop-data");
  });

  test("viewers look, and find nothing to press", async () => {
    const other = await openBrowser();
    await enter(other, node.url, VIEWER);
    for (const tab of ["containers", "images", "volumes", "networks"]) {
      await other.page.goto(`${node.url}/containers?tab=${tab}&container=${LONG}`);
      await other.page.getByRole("row").nth(1).waitFor();
      const names = await other.page.getByRole("main").getByRole("button").allInnerTexts();
      expect([tab, names]).toEqual([tab, []]);
      expect(await other.page.getByRole("dialog").count()).toBe(0);
    }
    await look(other.page);
    await other.close();
  });

  test("without Docker each tab says what to do", async () => {
    await engine.stop("SIGTERM");
    try {
      await page.goto(`${node.url}/containers`);
      await sees(page, /Check again/);
      await look(page);
    } finally {
      await engine.start();
    }
    await page.getByRole("row", { name: /media/ }).waitFor({ timeout: 60_000 });
  });
});
