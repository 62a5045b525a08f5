import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { ROOT, suite } from "../kit/env.ts";
import { type FakeApt, plantFakeApt } from "../kit/fake-apt.ts";
import { plantHostFile } from "../kit/host-tree.ts";
import { look } from "../kit/look.ts";

const TREE = new URL(`file://${join(ROOT, "src/node/monitoring/disks/fixtures/mixed.tree")}`);
let apt: FakeApt;
let env: Record<string, string>;
let node: NodeProcess;
let owner: Client;
let browser: TestBrowser;

suite("components on their page", ["chromium"], () => {
  beforeAll(async () => {
    apt = plantFakeApt();
    env = { PATH: apt.path, ORRERY_HOST_ROOT: plantHostFile(TREE), ORRERY_SMARTCTL: "/nowhere/smartctl" };
    node = await startNode({ env });
    owner = await setUp(node.url);
    browser = await openBrowser();
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  const at = (title: string) => browser.page.getByRole("switch", { name: title, exact: true });
  const press = (name: string) => browser.page.getByRole("button", { name, exact: true }).click();

  test("the plan is told before anything is done; the work waits for apt, survives kill -9 and a reload, and goes on", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/components`);
    await at("Disk health").focus();
    await page.keyboard.press("Space");
    await at("VPN tools").check();
    await sees(page, "Installs smartmontools 7.3-1");
    await sees(page, "Installs wireguard-tools 7.3-1");
    await look(page);
    expect(apt.isInstalled("smartmontools")).toBe(false);
    apt.lock();
    await press("Turn on 2");
    await sees(page, "Waits for apt");
    await node.kill();
    node = await startNode({ env, dataDir: node.dataDir, listen: new URL(node.url).host });
    await page.reload();
    await sees(page, /The node was started anew in the middle of this/);
    await sees(page, /This waits for it and then goes on by itself/);
    await look(page);
    apt.unlock();
    await sees(page, "Components are changed");
    await sees(page, "Setting up smartmontools (7.3-1) ...");
    expect(apt.isInstalled("smartmontools")).toBe(true);
    expect(apt.isInstalled("wireguard-tools")).toBe(true);
    await press("Close");
    await sees(page, "Nothing chosen");
    expect(await at("Disk health").isChecked()).toBe(true);
    expect(browser.complaints).toEqual([]);
  });

  test("a failure says why, that it was undone and what to do next", async () => {
    const { page } = browser;
    await at("Read restic backups").check();
    await press("Turn on");
    await sees(page, "Components were not changed");
    await sees(page, /What was begun has been undone\. Read the log, mend the cause/);
    expect(apt.isInstalled("restic")).toBe(false);
    expect(await at("Read restic backups").isChecked()).toBe(false);
  });

  test("viewers see how it is and cannot change it", async () => {
    const account = { username: "vera", password: "vera has a long phrase" };
    await owner.ok("POST /api/users", { ...account, role: "viewer" });
    const other = await openBrowser({ width: 390, height: 844 });
    await enter(other, node.url, account);
    await other.page.goto(`${node.url}/components`);
    await sees(other.page, "An administrator of this server can turn these on and off.");
    expect(await other.page.getByRole("switch", { name: "Disk health", exact: true }).isDisabled()).toBe(true);
    await look(other.page);
    await other.close();
  });
});
