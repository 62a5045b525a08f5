import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, setUp, signIn } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { ROOT, suite } from "../kit/env.ts";
import { plantHostFile } from "../kit/host-tree.ts";
import { look } from "../kit/look.ts";
import { until } from "../kit/until.ts";

const fixtures = join(ROOT, "src/node/monitoring/disks/fixtures");
const fixture = (name: string): string => readFileSync(join(fixtures, name), "utf8");
let root: string;
let node: NodeProcess;
let owner: Client;
let browser: TestBrowser;

/** A smartctl of whose three disks one is well, one fails and one sleeps. */
function plantSmartctl(): string {
  const path = join(root, "smartctl");
  writeFileSync(join(root, "sda.json"), fixture("ata-hdd.json"));
  writeFileSync(join(root, "sdb.json"), fixture("ata-hdd.json").replace('"ZGY0AAAA"', '"ZGY0BBBB"'));
  writeFileSync(join(root, "sdc.json"), fixture("asleep.json"));
  writeFileSync(
    path,
    `#!/bin/sh
echo "$*" >> ${root}/calls
for word; do last=$word; done
disk=\${last#/dev/}
cat ${root}/$disk.json
case $disk in sdb) exit 8;; sdc) test -e ${root}/awake || exit 3;; esac
`,
  );
  chmodSync(path, 0o755);
  return path;
}

const env = () => ({ ORRERY_HOST_ROOT: root, ORRERY_SMARTCTL: join(root, "smartctl") });

suite("disks and what they tell", ["chromium"], () => {
  beforeAll(async () => {
    root = plantHostFile(new URL(`file://${fixtures}/luks-lvm-md.tree`));
    for (const folder of ["boot/efi", "home"]) mkdirSync(join(root, folder), { recursive: true });
    plantSmartctl();
    node = await startNode({ env: env() });
    owner = await setUp(node.url);
    browser = await openBrowser();
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  const health = async () => (await owner.ok("GET /api/system/disk/health")).disks;

  test("the compiled program asks smartctl by itself and never so that a disk wakes", async () => {
    const isRead = async () => {
      const [sda, sdb, sdc] = await health();
      return sda.available && sdb.available && sdc.state === "asleep";
    };
    await until(isRead, { what: "all disks to be asked" });
    const disks = await owner.ok("GET /api/disks/overview");
    expect(disks.map((disk: { smart: { status: string } }) => disk.smart.status)).toEqual([
      "Healthy",
      "Failing",
      "Unknown",
    ]);
    expect(disks[0].used_bytes).toBeGreaterThan(0);
    for (const call of readFileSync(join(root, "calls"), "utf8").trim().split("\n"))
      expect(call).toStartWith("--json=c -a -n standby,3,5 -d sat /dev/sd");
  });

  test("a failing disk reaches timeline, inbox and the screens", async () => {
    const { items } = await owner.ok("GET /api/timeline?category=system&q=failing");
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ type: "disk.health_changed", severity: "critical", link: "/disks" });
    const { page } = browser;
    await page.goto(`${node.url}/timeline`);
    await page.locator(".happened .chip").first().waitFor();
    const isBroken = `[...document.querySelectorAll(".happened li")].filter((row) =>
      new Set([...row.querySelectorAll(".chip")].map((chip) => chip.offsetTop)).size > 1).length`;
    expect(await page.evaluate<number>(isBroken)).toBe(0);
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("button", { name: /is failing: back up what is on it/ }).click();
    await page.getByRole("heading", { name: "Disks", level: 1 }).waitFor();
    const card = page.getByRole("article").filter({ hasText: "/dev/sdb" });
    await card.getByText("Back up what is on it today, then replace it.").waitFor();
    await card.getByRole("button", { name: "Details" }).click();
    await page.getByRole("table", { name: "Attributes" }).getByText("Reallocated Sector Ct").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Table", { exact: true }).click();
    await page.getByRole("table", { name: "Disks" }).getByText("asleep, not read yet").waitFor();
    await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("filters of the timeline are in the address, and what fits can be taken along", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/timeline`);
    await page.getByRole("button", { name: /^Sign-in/ }).click();
    await page.getByLabel("Search in titles").fill("SIGNED IN");
    await until(() => page.url().includes("q=SIGNED"), { what: "the search to be in the address" });
    await sees(page, /signed in with the passphrase/);
    expect(new URL(page.url()).searchParams.get("category")).toBe("auth");
    expect(await page.getByText(/is failing/).count()).toBe(0);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const csv = readFileSync(await (await waiting).path(), "utf8");
    expect(csv.split("\r\n")[0]).toBe("timestamp,category,severity,type,title,count,subject");
    expect(csv).toContain(",auth,info,auth.signed_in,");
  });

  test("a sleeping disk is read when an admin wants it awake", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/disks?disk=sdc`);
    writeFileSync(join(root, "sdc.json"), fixture("ata-hdd.json").replace('"ZGY0AAAA"', '"ZGY0CCCC"'));
    writeFileSync(join(root, "awake"), "");
    await page.getByRole("button", { name: "Wake it and read now" }).click();
    await page.getByRole("table", { name: "Attributes" }).waitFor();
    await sees(page, "ZGY0CCCC");
    expect((await health())[2]).toMatchObject({ status: "Healthy", state: "read" });
  });

  test.each([
    ["/disks", () => sees(browser.page, "Back up what is on it today")],
    ["/disks?disk=sda", () => browser.page.getByRole("table", { name: "Attributes" }).waitFor()],
    ["/disks?view=table", () => browser.page.getByRole("table", { name: "Disks" }).waitFor()],
    ["/timeline", () => browser.page.getByRole("button", { name: /Notifications/ }).click()],
    ["/audit?q=owner", () => browser.page.getByRole("table", { name: "Audit log" }).waitFor()],
  ] as const)(
    "who cannot see or point well can use %s",
    async (path, open) => {
      const { page } = browser;
      await page.goto(node.url + path);
      await open();
      await look(page);
    },
    120_000,
  );

  test("after kill -9 a sleeping disk has its reading and its age, and what was told is still there", async () => {
    writeFileSync(join(root, "sda.json"), fixture("asleep.json"));
    const { items } = await owner.ok("GET /api/timeline?limit=500");
    await node.kill();
    node = await startNode({ dataDir: node.dataDir, env: env() });
    owner = await signIn(node.url);
    const [sda, sdb] = await health();
    expect([sda.status, sda.available, sdb.status]).toEqual(["Healthy", true, "Failing"]);
    expect(Date.parse(sda.read_at)).toBeLessThan(Date.now());
    const after = await owner.ok("GET /api/timeline?limit=500");
    expect(after.items.slice(-items.length)).toEqual(items);
    expect((await createClient(node.url).call("GET /api/timeline")).status).toBe(401);
  });
});
